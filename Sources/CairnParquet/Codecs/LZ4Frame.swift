/// LZ4's own frames, which consist of blocks. Checksums are not verified.
///
/// Source: "LZ4 Frame Format Description", lz4_Frame_format.md of lz4/lz4.
package enum LZ4Frame {
  private static let magic: UInt32 = 0x184D_2204
  /// The first of 16 numbers of frames that a reader skips.
  private static let skippedMagic: UInt32 = 0x184D_2A50

  /// Whether the input begins like a frame.
  static func isFrame(_ input: UnsafeRawBufferPointer) -> Bool {
    input.count >= 4
      && UInt32(littleEndian: input.loadUnaligned(as: UInt32.self)) == magic
  }

  /// Unpacks all frames of the input and returns the number of bytes.
  package static func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    var cursor = ByteCursor(input)
    var end = 0
    repeat {
      let number = try cursor.number(as: UInt32.self)
      if number & ~15 == skippedMagic {
        _ = try cursor.take(Int(cursor.number(as: UInt32.self)))
      } else {
        guard number == magic else { throw ParquetError("an LZ4 frame has no valid beginning") }
        // A match cannot refer to bytes of another frame.
        let target = UnsafeMutableRawBufferPointer(rebasing: output[end...])
        end += try readFrame(&cursor, into: target)
      }
    } while cursor.remaining > 0
    return end
  }

  /// Reads a frame behind its magic number.
  private static func readFrame(
    _ cursor: inout ByteCursor, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    let flags = try Flags(cursor.byte())
    _ = try cursor.byte()
    if flags.hasContentSize { _ = try cursor.take(8) }
    _ = try cursor.byte()
    var end = 0
    while true {
      let size = try cursor.number(as: UInt32.self)
      if size == 0 { break }
      let block = try cursor.take(Int(size & 0x7FFF_FFFF))
      if flags.hasBlockChecksums { _ = try cursor.take(4) }
      if size >> 31 == 1 {
        guard block.count <= output.count - end else { throw .oversized(output) }
        UnsafeMutableRawBufferPointer(rebasing: output[end...]).copyMemory(from: block)
        end += block.count
      } else if flags.hasLinkedBlocks {
        end = try LZ4Block.decompress(block, into: output, from: end)
      } else {
        let target = UnsafeMutableRawBufferPointer(rebasing: output[end...])
        end += try LZ4Block.decompress(block, into: target)
      }
    }
    if flags.hasContentChecksum { _ = try cursor.take(4) }
    return end
  }

  /// The first byte of a frame's descriptor.
  private struct Flags {
    let hasLinkedBlocks: Bool
    let hasBlockChecksums: Bool
    let hasContentSize: Bool
    let hasContentChecksum: Bool

    init(_ byte: UInt8) throws(ParquetError) {
      guard byte >> 6 == 1 else {
        throw ParquetError("version \(byte >> 6) of LZ4 frames is not supported")
      }
      guard byte & 1 == 0 else {
        throw ParquetError("an LZ4 frame needs a dictionary, which is not supported")
      }
      hasLinkedBlocks = byte & 0x20 == 0
      hasBlockChecksums = byte & 0x10 != 0
      hasContentSize = byte & 8 != 0
      hasContentChecksum = byte & 4 != 0
    }
  }
}
