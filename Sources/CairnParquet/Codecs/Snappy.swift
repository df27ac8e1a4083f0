/// Snappy's format without its framing.
///
/// Source: "Snappy compressed format description", format_description.txt of google/snappy.
enum Snappy {
  /// Unpacks `input` and returns the number of bytes.
  ///
  /// - Throws: ``ParquetError`` if the input is damaged, or names another size than that of `output`.
  static func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    var cursor = ByteCursor(input)
    let size = try cursor.varint(upTo: Int(UInt32.max))
    guard size == output.count else { return size }
    let elements = try cursor.take(cursor.remaining)
    guard let source = elements.baseAddress, let target = output.baseAddress else {
      guard elements.isEmpty, output.isEmpty else { throw .damaged(.snappy) }
      return size
    }
    let written = try unpack(
      source, end: source + elements.count, into: target, end: target + output.count)
    guard written == size else { throw .damaged(.snappy) }
    return size
  }

  private static func unpack(
    _ input: UnsafeRawPointer, end: UnsafeRawPointer, into output: UnsafeMutableRawPointer,
    end outputEnd: UnsafeMutableRawPointer
  ) throws(ParquetError) -> Int {
    var source = input
    var target = output
    while source < end {
      let tag = source.load(as: UInt8.self)
      source += 1
      if tag & 3 == 0 {
        let count = try literalCount(tag, &source, end: end)
        let capacity = outputEnd - target
        if count <= MatchCopy.step, end - source >= MatchCopy.step, capacity >= MatchCopy.step {
          MatchCopy.copy16(from: source, to: target)
        } else {
          guard count <= end - source, count <= capacity else { throw .damaged(.snappy) }
          target.copyMemory(from: source, byteCount: count)
        }
        source += count
        target += count
      } else {
        let (distance, count) = try match(tag, &source, end: end)
        guard distance > 0, distance <= target - output, count <= outputEnd - target else {
          throw .damaged(.snappy)
        }
        MatchCopy.repeatBytes(
          target, distance: distance, count: count, capacity: outputEnd - target)
        target += count
      }
    }
    return target - output
  }

  /// Reads the number of literal bytes. Numbers above 60 follow their tag.
  @inline(__always)
  private static func literalCount(
    _ tag: UInt8, _ source: inout UnsafeRawPointer, end: UnsafeRawPointer
  ) throws(ParquetError) -> Int {
    let short = Int(tag >> 2)
    guard short >= 60 else { return short + 1 }
    let size = short - 59
    guard end - source >= size else { throw .damaged(.snappy) }
    var count = 0
    for index in 0..<size {
      count |= Int(source.load(fromByteOffset: index, as: UInt8.self)) << (8 * index)
    }
    source += size
    return count + 1
  }

  /// Reads the rest of a match.
  @inline(__always)
  private static func match(
    _ tag: UInt8, _ source: inout UnsafeRawPointer, end: UnsafeRawPointer
  ) throws(ParquetError) -> (distance: Int, count: Int) {
    switch tag & 3 {
    case 1:
      guard end > source else { throw .damaged(.snappy) }
      let low = Int(source.load(as: UInt8.self))
      source += 1
      return (Int(tag >> 5) << 8 | low, Int(tag >> 2 & 7) + 4)
    case 2:
      guard end - source >= 2 else { throw .damaged(.snappy) }
      let distance = UInt16(littleEndian: source.loadUnaligned(as: UInt16.self))
      source += 2
      return (Int(distance), Int(tag >> 2) + 1)
    default:
      guard end - source >= 4 else { throw .damaged(.snappy) }
      let distance = UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
      source += 4
      return (Int(distance), Int(tag >> 2) + 1)
    }
  }
}
