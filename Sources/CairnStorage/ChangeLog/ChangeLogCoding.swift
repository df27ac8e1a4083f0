/// The changes of one commit in one class.
struct ChangeLogEntry: Equatable, Sendable {
  let table: UInt32
  /// The changed rows. Rows that a bulk load dropped for their primary key appear as inserted,
  /// although they are deleted.
  let changes: TableChanges
}

/// The entries of the change log, which `CommitLog` keeps for the last commits.
enum ChangeLogCoding {
  /// Returns the entries of a commit, which may have several for one class; nil if they were
  /// trimmed.
  static func entries(
    of version: UInt64, in transaction: LMDBTransaction
  ) throws(StoreError) -> [ChangeLogEntry]? {
    try transaction.get(.changeLog(version)).map { (bytes) throws(StoreError) in
      try entries(in: bytes, of: version)
    }
  }

  /// Encodes entries for the log.
  static func encoded(_ entries: [ChangeLogEntry]) -> LogEntries {
    var writer = ByteWriter()
    for entry in entries { entry.encode(into: &writer) }
    return LogEntries(count: entries.count, bytes: writer.bytes)
  }

  /// Decodes the entries in the record of a commit.
  static func entries(
    in bytes: UnsafeRawBufferPointer, of version: UInt64
  ) throws(StoreError) -> [ChangeLogEntry] {
    var reader = CommitLog.reader(bytes, of: version)
    var entries: [ChangeLogEntry] = []
    for _ in 0..<(try CommitLog.readHeader(&reader)) {
      entries.append(try ChangeLogEntry(decoding: &reader))
    }
    return entries
  }
}

extension ChangeLogEntry {
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
  /// Writes each range as its distance from the end of the previous range, and its length.
  fileprivate mutating func write(_ keys: KeyRangeSet) {
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
  fileprivate mutating func readRuns() throws(StoreError) -> KeyRangeSet {
    var keys = KeyRangeSet()
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
