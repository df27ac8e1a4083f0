import CairnSystem

/// Searches for single bytes.
enum ByteSearch {
  /// Returns the first index of the byte in the range.
  @inline(__always)
  static func find(_ byte: UInt8, bytes: UnsafePointer<UInt8>, range: Range<Int>) -> Int? {
    assert(range.lowerBound >= 0, "the bytes begin at their pointer")
    guard let found = memchr(bytes + range.lowerBound, Int32(byte), range.count) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
  }

  /// Returns the last index of the byte in the range.
  static func findLast(_ byte: UInt8, bytes: UnsafePointer<UInt8>, range: Range<Int>) -> Int? {
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 1
      if bytes[index] == byte { return index }
    }
    return nil
  }
}
