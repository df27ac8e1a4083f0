/// What one commit changed in one class.
package struct JournalEntry: Equatable, Sendable {
  package let table: UInt32
  /// Keys inserted; ranges, because a bulk load inserts millions.
  package let inserted: [Range<Int>]
  package let deleted: [Range<Int>]
  package let modified: [Int]
}

/// The record of the last commits, for those who were reading an older one to learn what changed.
enum Journal {
  /// Commits whose entries are kept; who is further behind compares everything.
  static let length: UInt64 = 256

  /// Writes the entries of the commit that `transaction` will be, and trims old ones.
  static func append(_ entries: [JournalEntry], to transaction: LMDBTransaction) throws(StoreError)
  {
    let version = transaction.version
    var writer = ByteWriter()
    writer.write(UInt32(entries.count))
    for entry in entries { entry.encode(into: &writer) }
    try transaction.put(.journal(version), writer.bytes)
    guard version > length else { return }
    _ = try transaction.deleteRun(from: .journal(0)) {
      $0.kind == .journal && $0.number <= version - length
    }
  }

  /// The entries of a commit; nil when they were trimmed.
  static func entries(
    of version: UInt64, in transaction: LMDBTransaction
  ) throws(StoreError) -> [JournalEntry]? {
    guard let bytes = transaction.get(.journal(version)) else { return nil }
    var reader = ByteReader(bytes, "the journal of commit \(version)")
    var entries: [JournalEntry] = []
    for _ in 0..<(try reader.read(UInt32.self)) {
      entries.append(try JournalEntry(decoding: &reader))
    }
    return entries
  }
}

extension JournalEntry {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(table)
    for ranges in [inserted, deleted] {
      writer.write(UInt32(ranges.count))
      for range in ranges {
        writer.write(Int64(range.lowerBound))
        writer.write(Int64(range.upperBound))
      }
    }
    writer.write(UInt32(modified.count))
    for key in modified { writer.write(Int64(key)) }
  }

  fileprivate init(decoding reader: inout ByteReader) throws(StoreError) {
    table = try reader.read()
    inserted = try reader.readRanges()
    deleted = try reader.readRanges()
    modified = try reader.readKeys()
  }
}

extension ByteReader {
  fileprivate mutating func readRanges() throws(StoreError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for _ in 0..<(try read(UInt32.self)) {
      let low = try readInt()
      let high = try readInt()
      guard low <= high else { throw nonsense() }
      ranges.append(low..<high)
    }
    return ranges
  }

  fileprivate mutating func readKeys() throws(StoreError) -> [Int] {
    var keys: [Int] = []
    for _ in 0..<(try read(UInt32.self)) { keys.append(try readInt()) }
    return keys
  }
}

extension Array where Element == Int {
  /// Rising keys as runs of neighbours.
  var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    for key in self {
      if let last = runs.last, last.upperBound == key {
        runs[runs.count - 1] = last.lowerBound..<key + 1
      } else {
        runs.append(key..<key + 1)
      }
    }
    return runs
  }
}
