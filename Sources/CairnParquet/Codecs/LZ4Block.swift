/// A block of LZ4, without a framing.
///
/// Source: "LZ4 Block Format Description", lz4_Block_format.md of lz4/lz4.
enum LZ4Block {
  /// Unpacks a block to `output` from the offset `start` on, and returns the offset behind its last byte.
  /// Matches may refer to the bytes before `start`.
  static func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, from start: Int = 0
  ) throws(ParquetError) -> Int {
    assert(start >= 0 && start <= output.count, "the block starts outside of the output")
    guard let source = input.baseAddress, !input.isEmpty else { throw .damaged(.lz4Raw) }
    guard let target = output.baseAddress else {
      guard input.count == 1, input[0] == 0 else { throw .oversized(output) }
      return 0
    }
    return try unpack(source, end: source + input.count, into: target, start, output)
  }

  private static func unpack(
    _ input: UnsafeRawPointer, end: UnsafeRawPointer, into base: UnsafeMutableRawPointer,
    _ start: Int, _ output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    var source = input
    var target = base + start
    let outputEnd = base + output.count
    while source < end {
      let token = source.load(as: UInt8.self)
      source += 1
      let literals = try length(Int(token >> 4), &source, end: end)
      let capacity = outputEnd - target
      if literals <= MatchCopy.step, end - source >= MatchCopy.step, capacity >= MatchCopy.step {
        MatchCopy.copy16(from: source, to: target)
      } else {
        guard literals <= end - source else { throw .damaged(.lz4Raw) }
        guard literals <= capacity else { throw .oversized(output) }
        target.copyMemory(from: source, byteCount: literals)
      }
      source += literals
      target += literals
      // Only the last sequence has no match.
      if source == end { return target - base }

      guard end - source >= 2 else { throw .damaged(.lz4Raw) }
      let distance = Int(UInt16(littleEndian: source.loadUnaligned(as: UInt16.self)))
      source += 2
      let count = try length(Int(token & 15), &source, end: end) + 4
      guard distance > 0, distance <= target - base else { throw .damaged(.lz4Raw) }
      guard count <= outputEnd - target else { throw .oversized(output) }
      MatchCopy.repeatBytes(target, distance: distance, count: count, capacity: outputEnd - target)
      target += count
    }
    throw .damaged(.lz4Raw)
  }

  /// Reads the bytes that follow a length of 15. Their sum is at most 255 times the size of the input.
  @inline(__always)
  private static func length(
    _ short: Int, _ source: inout UnsafeRawPointer, end: UnsafeRawPointer
  ) throws(ParquetError) -> Int {
    guard short == 15 else { return short }
    var length = short
    while source < end {
      let next = source.load(as: UInt8.self)
      source += 1
      length += Int(next)
      if next < 255 { return length }
    }
    throw .damaged(.lz4Raw)
  }
}
