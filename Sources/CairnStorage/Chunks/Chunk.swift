import CairnIndex

/// Up to 4096 rows of one column, read in place: a view over memory that a snapshot or a
/// transaction keeps alive.
///
/// Arrays are padded to a multiple of 64 rows; what stands in the padding means nothing.
/// A null row has code 0, an empty byte string, or zeros.
package struct Chunk {
  package let base: UnsafeRawPointer
  package let encoding: Encoding
  /// Rows written; later rows of the chunk do not exist.
  package let count: Int
  /// Bytes of a code, an offset, or a fixed value. Codes: 0 (every row is the frame), 1, 2, 4, 8.
  package let width: Int
  /// The power of ten of `Encoding.decimals`.
  package let exponent: Int
  /// What codes are counted from; for `.dictionary` the number of entries.
  package let frame: Int64
  /// Bit set: the row is null. 64 words; nil when no row is.
  package let nulls: UnsafePointer<UInt64>?
  /// The codes, values, offsets or slots.
  package let codes: UnsafeRawPointer
  /// The bytes that offsets and slots lead to.
  package let heap: UnsafeRawPointer

  package init(
    base: UnsafeRawPointer, encoding: Encoding, count: Int, width: Int = 0, exponent: Int = 0,
    frame: Int64 = 0, nulls: UnsafePointer<UInt64>?, codes: UnsafeRawPointer,
    heap: UnsafeRawPointer
  ) {
    self.base = base
    self.encoding = encoding
    self.count = count
    self.width = width
    self.exponent = exponent
    self.frame = frame
    self.nulls = nulls
    self.codes = codes
    self.heap = heap
  }

  /// Reads the header of an encoded chunk; nil when it is none.
  package init?(encoded base: UnsafeRawPointer, size: Int) {
    guard size >= ChunkShape.headerSize,
      let encoding = Encoding(rawValue: base.load(as: UInt8.self))
    else { return nil }
    let hasNulls = base.load(fromByteOffset: 2, as: UInt8.self) & ChunkHeader.hasNulls != 0
    let nullsSize = hasNulls ? ChunkShape.words * 8 : 0
    let codes = base + ChunkShape.headerSize + nullsSize
    self.init(
      base: base, encoding: encoding,
      count: Int(base.load(fromByteOffset: 4, as: UInt32.self)),
      width: Int(base.load(fromByteOffset: 1, as: UInt8.self)),
      exponent: Int(base.load(fromByteOffset: 3, as: UInt8.self)),
      frame: base.load(fromByteOffset: 16, as: Int64.self),
      nulls: hasNulls
        ? (base + ChunkShape.headerSize).assumingMemoryBound(to: UInt64.self) : nil,
      codes: codes,
      heap: codes + Int(base.load(fromByteOffset: 24, as: UInt32.self)))
  }

  /// Whether the row is null.
  @inlinable @inline(__always)
  package func isNull(_ row: Int) -> Bool {
    guard let nulls else { return false }
    return nulls[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// The entries of the dictionary.
  @inlinable package var dictionaryCount: Int { Int(frame) }
}

/// The marks in a chunk's header.
package enum ChunkHeader {
  /// In the flags: a null bitmap follows the header.
  package static let hasNulls: UInt8 = 1
  /// In the exponent of `Encoding.points`: the heap holds altitudes, a Double a row.
  package static let altitudesPresent = 1
}
