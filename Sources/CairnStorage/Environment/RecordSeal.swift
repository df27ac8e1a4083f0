/// The checksum behind every small record: chunks carry their own, and what is read in place as an array can be held
/// against the columns, but nothing else would tell that a class's name or its end key has changed.
enum RecordSeal {
  /// Bytes behind a record.
  static let size = 8

  /// The record with its checksum behind it.
  static func sealed(_ record: UnsafeRawBufferPointer, under key: StorageKey) -> [UInt8] {
    var bytes = Array(record)
    withUnsafeBytes(of: checksum(record, key).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The record without its checksum; nil where that does not fit.
  static func record(
    in stored: UnsafeRawBufferPointer, under key: StorageKey
  ) -> UnsafeRawBufferPointer? {
    guard stored.count >= size else { return nil }
    let end = stored.count - size
    let record = UnsafeRawBufferPointer(rebasing: stored[..<end])
    let found = stored.loadUnaligned(fromByteOffset: end, as: UInt64.self)
    return UInt64(littleEndian: found) == checksum(record, key) ? record : nil
  }

  /// The key is part of it, so that a record that is found under another one is noticed.
  private static func checksum(_ record: UnsafeRawBufferPointer, _ key: StorageKey) -> UInt64 {
    Checksum.xxh64(record) &+ key.withBytes { Checksum.xxh64($0) }
  }
}
