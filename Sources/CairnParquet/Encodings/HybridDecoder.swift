/// A reader of Parquet's hybrid of run lengths and packed bits, which levels, indexes of a dictionary and
/// booleans have.
///
/// Source: "Parquet encoding definitions", RLE, Encodings.md of apache/parquet-format.
struct HybridDecoder {
  private var cursor: ByteCursor
  private let bitWidth: Int
  /// The packed numbers of the current run; empty in a run of one value.
  private var packed = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The number of values of the current run that were read, if it is packed.
  private var done = 0
  /// The number of values of the current run that are left.
  private var left = 0
  /// The value of the current run; nil if it is packed.
  private var value: UInt32?

  /// Creates a reader of bytes that must outlive it.
  init(_ bytes: UnsafeRawBufferPointer, bitWidth: Int) throws(ParquetError) {
    guard bitWidth >= 0, bitWidth <= 32 else {
      throw ParquetError("values of \(bitWidth) bits are not possible; the most is 32")
    }
    cursor = ByteCursor(bytes)
    self.bitWidth = bitWidth
  }

  /// Reads `count` values.
  mutating func read(
    _ count: Int, into target: UnsafeMutablePointer<UInt32>
  ) throws(ParquetError) {
    var filled = 0
    while filled < count {
      if left == 0 { try nextRun() }
      let part = min(left, count - filled)
      if let value {
        (target + filled).update(repeating: value, count: part)
      } else {
        BitPacking.unpack(packed, at: done, count: part, width: bitWidth, into: target + filled)
        done += part
      }
      left -= part
      filled += part
    }
  }

  /// Reads `count` values of up to 8 bits.
  mutating func readBytes(
    _ count: Int, into target: UnsafeMutablePointer<UInt8>
  ) throws(ParquetError) {
    guard bitWidth <= 8 else {
      throw ParquetError("values of \(bitWidth) bits do not fit in a byte")
    }
    var filled = 0
    while filled < count {
      if left == 0 { try nextRun() }
      let part = min(left, count - filled)
      if let value {
        (target + filled).update(repeating: UInt8(truncatingIfNeeded: value), count: part)
      } else {
        unpackBytes(part, into: target + filled)
        done += part
      }
      left -= part
      filled += part
    }
  }

  /// Unpacks bytes of the current run. Most levels have one bit.
  private func unpackBytes(_ count: Int, into target: UnsafeMutablePointer<UInt8>) {
    guard bitWidth == 1, done & 7 == 0 else {
      BitPacking.unpack(packed, at: done, count: count, width: bitWidth, into: target)
      return
    }
    let whole = count / 8
    let raw = UnsafeMutableRawPointer(target)
    for group in 0..<whole {
      // Each byte of the word keeps its own bit; the sum moves it to the highest.
      let bits =
        UInt64(packed[done / 8 + group]) &* 0x0101_0101_0101_0101 & 0x8040_2010_0804_0201
      let word = (bits &+ 0x7F7F_7F7F_7F7F_7F7F) &>> 7 & 0x0101_0101_0101_0101
      raw.storeBytes(of: word.littleEndian, toByteOffset: group * 8, as: UInt64.self)
    }
    BitPacking.unpack(
      packed, at: done + whole * 8, count: count - whole * 8, width: 1, into: target + whole * 8)
  }

  /// Reads the header of the next run, which has at least one value.
  private mutating func nextRun() throws(ParquetError) {
    repeat {
      let header = try cursor.varint()
      guard let length = Int(exactly: header >> 1), length <= Int.max / 8 else {
        throw ParquetError("a run of \(header >> 1) values is not possible")
      }
      if header & 1 == 0 {
        let bytes = try cursor.take((bitWidth + 7) / 8)
        let number = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard bitWidth == 32 || number >> UInt32(bitWidth) == 0 else {
          throw ParquetError("the value \(number) has more than \(bitWidth) bits")
        }
        value = number
        left = length
      } else {
        try startPacked(groups: length)
      }
    } while left == 0
  }

  /// Begins a run of groups of 8 values. Some writers leave out bytes behind the last value.
  private mutating func startPacked(groups: Int) throws(ParquetError) {
    value = nil
    done = 0
    guard bitWidth > 0 else {
      packed = UnsafeRawBufferPointer(start: nil, count: 0)
      left = groups * 8
      return
    }
    let (size, overflows) = groups.multipliedReportingOverflow(by: bitWidth)
    let isWhole = !overflows && size <= cursor.remaining
    packed = try cursor.take(isWhole ? size : cursor.remaining)
    left = isWhole ? groups * 8 : packed.count * 8 / bitWidth
    guard left > 0 || groups == 0 else { throw .truncated }
  }
}
