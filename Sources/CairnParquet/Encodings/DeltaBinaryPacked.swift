/// Integers as differences, in blocks of packed bits: DELTA_BINARY_PACKED.
///
/// Source: "Parquet encoding definitions", Encodings.md of apache/parquet-format.
enum DeltaBinaryPacked {
  /// The number of values whose differences share a width is a multiple of this.
  static let group = 32

  /// Decodes the first `count` values. Sums wrap around, as the format defines them.
  ///
  /// - Returns: The number of bytes that all values take, also those behind the first `count`.
  static func decode<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, count: Int, into target: UnsafeMutablePointer<Number>
  ) throws(ParquetError) -> Int where Number.Magnitude: BitwiseCopyable {
    var cursor = ByteCursor(bytes)
    let shape = try Shape(&cursor)
    guard shape.total >= count else {
      throw ParquetError("there are \(shape.total) values instead of \(count)")
    }
    var last = Number(truncatingIfNeeded: try cursor.zigzag())
    if count > 0 { target[0] = last }
    var index = 1
    while index < shape.total {
      let least = Number(truncatingIfNeeded: try cursor.zigzag())
      let widths = try cursor.take(shape.miniblocks)
      for width in widths where index < shape.total {
        let present = min(shape.values, shape.total - index)
        let packed = try miniblock(&cursor, shape, width: Int(width), present: present)
        let wanted = max(0, min(present, count - index))
        if wanted > 0 {
          add(packed, wanted, width: Int(width), least, &last, into: target + index)
        }
        index += present
      }
    }
    return cursor.offset
  }

  /// Reads the bytes of a miniblock. Some writers leave out those behind the last value.
  @inline(__always)
  private static func miniblock(
    _ cursor: inout ByteCursor, _ shape: Shape, width: Int, present: Int
  ) throws(ParquetError) -> UnsafeRawBufferPointer {
    guard width <= 64 else {
      throw ParquetError("differences of \(width) bits are not possible; the most is 64")
    }
    let packed = try cursor.take(min(shape.values / 8 * width, cursor.remaining))
    guard packed.count >= (present * width + 7) / 8 else { throw .truncated }
    return packed
  }

  /// Adds differences to the last value.
  @inline(__always)
  private static func add<Number: FixedWidthInteger & BitwiseCopyable>(
    _ packed: UnsafeRawBufferPointer, _ count: Int, width: Int, _ least: Number,
    _ last: inout Number, into target: UnsafeMutablePointer<Number>
  ) where Number.Magnitude: BitwiseCopyable {
    target.withMemoryRebound(to: Number.Magnitude.self, capacity: count) { differences in
      BitPacking.unpack(packed, at: 0, count: count, width: width, into: differences)
    }
    var sum = last
    for index in 0..<count {
      sum = sum &+ (target[index] &+ least)
      target[index] = sum
    }
    last = sum
  }

  /// The header of all blocks.
  private struct Shape {
    /// The number of miniblocks of a block.
    let miniblocks: Int
    /// The number of values of a miniblock.
    let values: Int
    /// The number of all values.
    let total: Int

    init(_ cursor: inout ByteCursor) throws(ParquetError) {
      let block = try cursor.varint(upTo: Int(Int32.max))
      miniblocks = try cursor.varint(upTo: Int(Int32.max))
      total = try cursor.varint(upTo: Int.max >> 8)
      guard miniblocks > 0, block > 0, block % miniblocks == 0,
        block / miniblocks % DeltaBinaryPacked.group == 0
      else {
        throw ParquetError("blocks of \(block) values in \(miniblocks) parts are not possible")
      }
      values = block / miniblocks
    }
  }
}
