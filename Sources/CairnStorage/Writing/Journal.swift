/// What one commit changed in one class.
struct JournalEntry: Equatable, Sendable {
  let table: UInt32
  /// Rows that a bulk load dropped for their primary key are among the inserted, and dead.
  let changes: TableChanges
}

/// The record of the last commits, for those who were reading an older one to learn what changed.
enum Journal {
  /// Commits whose entries are kept; who is further behind compares the states.
  static let length: UInt64 = 256
  /// Older entries are removed so many at a time: each removal is a page more to write.
  static let slack: UInt64 = 32
  /// The first byte of every record: how the rest is written.
  private static let layout: UInt8 = 2

  /// Writes the entries of the commit that `transaction` will be behind those that it has, and trims old ones.
  static func append(_ entries: [JournalEntry], to transaction: LMDBTransaction) throws(StoreError)
  {
    let version = transaction.version
    let all = (try self.entries(of: version, in: transaction) ?? []) + entries
    try transaction.put(.journal(version), record(of: all))
    guard version > length, version % slack == 0 else { return }
    _ = try transaction.deleteRun(from: .journal(0)) {
      $0.kind == .journal && $0.number <= version - length
    }
  }

  /// The entries of a commit, a class perhaps several times; nil when they were trimmed.
  static func entries(
    of version: UInt64, in transaction: LMDBTransaction
  ) throws(StoreError) -> [JournalEntry]? {
    try transaction.get(.journal(version)).map { (bytes) throws(StoreError) in
      try entries(in: bytes, of: version)
    }
  }

  /// The record of a commit's entries.
  static func record(of entries: [JournalEntry]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(layout)
    writer.write(short: entries.count)
    for entry in entries { entry.encode(into: &writer) }
    return writer.bytes
  }

  /// The entries in the record of a commit.
  static func entries(
    in bytes: UnsafeRawBufferPointer, of version: UInt64
  ) throws(StoreError) -> [JournalEntry] {
    var reader = ByteReader(bytes, "the journal of commit \(version)")
    guard try reader.read(UInt8.self) == layout else { throw reader.nonsense() }
    var entries: [JournalEntry] = []
    for _ in 0..<(try reader.readShort()) { entries.append(try JournalEntry(decoding: &reader)) }
    return entries
  }
}

extension JournalEntry {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(short: Int(table))
    writer.write(changes.inserted)
    writer.write(changes.deleted)
    writer.write(short: changes.modified.count)
    for group in changes.modified {
      writer.write(short: group.columns.count)
      for column in group.columns { writer.write(column) }
      writer.write(group.keys)
    }
  }

  fileprivate init(decoding reader: inout ByteReader) throws(StoreError) {
    guard let number = UInt32(exactly: try reader.readShort()) else { throw reader.nonsense() }
    table = number
    var changes = TableChanges()
    changes.inserted = try reader.readRuns()
    changes.deleted = try reader.readRuns()
    for _ in 0..<(try reader.readShort()) {
      var columns: [UInt16] = []
      for _ in 0..<(try reader.readShort()) { columns.append(try reader.read()) }
      changes.modified.append(ModifiedRows(columns: columns, keys: try reader.readRuns()))
    }
    self.changes = changes
  }
}

extension ByteWriter {
  /// Each run as what lies between it and the one before, and its length.
  fileprivate mutating func write(_ keys: KeyRuns) {
    write(short: keys.runs.count)
    var end = 0
    for run in keys.runs {
      write(short: run.lowerBound - end)
      write(short: run.count)
      end = run.upperBound
    }
  }
}

extension ByteReader {
  fileprivate mutating func readRuns() throws(StoreError) -> KeyRuns {
    var keys = KeyRuns()
    var end = 0
    for _ in 0..<(try readShort()) {
      let start = end + (try readShort())
      end = start + (try readShort())
      guard start <= end, end < 1 << 48 else { throw nonsense() }
      keys.append(start..<end)
    }
    return keys
  }
}
