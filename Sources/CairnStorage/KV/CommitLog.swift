/// Encoded entries of the commit log. The layer above defines their contents.
struct LogEntries: Equatable, Sendable {
  /// The number of entries.
  var count = 0
  var bytes: [UInt8] = []

  mutating func append(_ later: LogEntries) {
    count += later.count
    bytes += later.bytes
  }
}

/// The log of the last commits, from which a reader of an older commit learns what changed.
enum CommitLog {
  /// The number of commits whose entries are kept. A reader that is further behind compares the
  /// states.
  static let length: UInt64 = 256
  /// Old records are removed in groups of this size, because each removal writes one more page.
  static let slack: UInt64 = 32
  /// The first byte of every record, the version of its encoding.
  private static let layout: UInt8 = 2

  /// Appends entries to those of the open commit of `transaction`, and trims old records.
  static func append(
    _ entries: LogEntries = LogEntries(), to transaction: LMDBTransaction
  ) throws(StoreError) {
    let version = transaction.version
    var all = LogEntries()
    if let stored = transaction.get(.changeLog(version)) {
      all = try self.entries(in: stored, of: version)
    }
    all.append(entries)
    try transaction.put(.changeLog(version), bytes: record(of: all))
    guard version > length, version % slack == 0 else { return }
    _ = try transaction.deleteRun(from: .changeLog(0)) {
      $0.kind == .changeLog && $0.number <= version - length
    }
  }

  /// Encodes the record of a commit.
  static func record(of entries: LogEntries) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(layout)
    writer.write(short: entries.count)
    return writer.bytes + entries.bytes
  }

  /// Reads the record of a commit up to its entries.
  ///
  /// - Returns: The number of entries, which `reader` reads next.
  static func readHeader(_ reader: inout ByteReader) throws(StoreError) -> Int {
    guard try reader.read(UInt8.self) == layout else { throw reader.nonsense() }
    return try reader.readShort()
  }

  /// A reader of the record of a commit.
  static func reader(_ bytes: UnsafeRawBufferPointer, of version: UInt64) -> ByteReader {
    ByteReader(bytes, what: "the change log of commit \(version)")
  }

  private static func entries(
    in bytes: UnsafeRawBufferPointer, of version: UInt64
  ) throws(StoreError) -> LogEntries {
    var reader = reader(bytes, of: version)
    let count = try readHeader(&reader)
    return LogEntries(count: count, bytes: reader.rest())
  }
}
