/// The pages of the codec that Parquet calls LZ4.
///
/// Hadoop's framing precedes the blocks of LZ4 with their sizes. Arrow's C++ writer left the framing away
/// once, and wrote LZ4's own frames before that, under the same number.
///
/// Source: "Parquet compression definitions", Compression.md of apache/parquet-format.
enum HadoopLZ4 {
  /// Unpacks a page in any of the three forms and returns the number of bytes.
  static func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    if LZ4Frame.isFrame(input) { return try LZ4Frame.decompress(input, into: output) }
    // The first bytes of a block without a framing are hardly ever valid sizes.
    if let size = try? decompressFramed(input, into: output), size == output.count { return size }
    return try LZ4Block.decompress(input, into: output)
  }

  private static func decompressFramed(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    var cursor = ByteCursor(input)
    var end = 0
    while cursor.remaining > 0 {
      let size = Int(try cursor.number(as: UInt32.self).byteSwapped)
      guard size <= output.count - end else { throw .oversized(output) }
      let frame = UnsafeMutableRawBufferPointer(rebasing: output[end..<end + size])
      end += size
      try readBlocks(&cursor, filling: frame)
    }
    return end
  }

  /// Reads the blocks behind the unpacked size of all of them.
  private static func readBlocks(
    _ cursor: inout ByteCursor, filling frame: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) {
    var filled = 0
    while filled < frame.count {
      let block = try cursor.take(Int(cursor.number(as: UInt32.self).byteSwapped))
      let target = UnsafeMutableRawBufferPointer(rebasing: frame[filled...])
      filled += try LZ4Block.decompress(block, into: target)
    }
  }
}
