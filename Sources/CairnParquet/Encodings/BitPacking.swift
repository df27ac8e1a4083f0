/// Numbers of a fixed width in bits, from the least significant bit on.
enum BitPacking {
  /// Unpacks `count` numbers from the one at `index` on. Bits that do not fit in `Number` are lost.
  ///
  /// - Parameters:
  ///   - bytes: The packed numbers from index 0 on. They must hold all that are to be unpacked.
  ///   - width: The number of bits of each, at most 64.
  @inline(__always)
  static func unpack<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, at index: Int, count: Int, width: Int,
    into target: UnsafeMutablePointer<Number>
  ) {
    assert(width >= 0 && width <= 64, "the width is not possible")
    assert(index >= 0 && (index + count) * width <= bytes.count * 8, "the bytes are too few")
    guard count > 0, width > 0, let base = bytes.baseAddress else {
      target.update(repeating: 0, count: count)
      return
    }
    var done = 0
    if width <= 8 {
      // Up to the index of a number that begins a byte.
      let head = min(count, -index & 7)
      done = unpackSingly(base, bytes.count, at: index, 0..<head, width, into: target)
      done = unpackEights(
        base, bytes.count, at: index, from: done, count: count, width, into: target)
    } else if width <= 57 {
      done = unpackWords(base, bytes.count, at: index, count: count, width, into: target)
    }
    _ = unpackSingly(base, bytes.count, at: index, done..<count, width, into: target)
  }

  /// Unpacks eight numbers of up to 8 bits from each word. Returns the number of the first that is left.
  @inline(__always)
  private static func unpackEights<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ base: UnsafeRawPointer, _ size: Int, at index: Int, from first: Int, count: Int, _ width: Int,
    into target: UnsafeMutablePointer<Number>
  ) -> Int {
    let mask: UInt64 = (1 << UInt64(width)) - 1
    let shift = UInt64(width)
    var done = first
    var offset = (index + first) * width / 8
    while count - done >= 8, size - offset >= 8 {
      var word = UInt64(littleEndian: (base + offset).loadUnaligned(as: UInt64.self))
      let numbers = target + done
      for position in 0..<8 {
        numbers[position] = Number(truncatingIfNeeded: word & mask)
        word = word &>> shift
      }
      done += 8
      offset += width
    }
    return done
  }

  /// Unpacks numbers of up to 57 bits, which lie in one word that begins at a byte. Returns the number of
  /// the first that is left.
  @inline(__always)
  private static func unpackWords<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ base: UnsafeRawPointer, _ size: Int, at index: Int, count: Int, _ width: Int,
    into target: UnsafeMutablePointer<Number>
  ) -> Int {
    let mask: UInt64 = (1 << UInt64(width)) - 1
    // The last bit whose byte begins a word within the bytes.
    let lastBit = (size - 8) * 8 + 7
    let first = index * width
    guard lastBit >= first else { return 0 }
    let whole = min(count, (lastBit - first) / width + 1)
    var bit = first
    for done in 0..<whole {
      let word = UInt64(littleEndian: (base + bit >> 3).loadUnaligned(as: UInt64.self))
      target[done] = Number(truncatingIfNeeded: word &>> UInt64(bit & 7) & mask)
      bit += width
    }
    return whole
  }

  /// Unpacks numbers of any width without touching a byte behind them. Returns the end of the range.
  private static func unpackSingly<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ base: UnsafeRawPointer, _ size: Int, at index: Int, _ range: Range<Int>, _ width: Int,
    into target: UnsafeMutablePointer<Number>
  ) -> Int {
    for number in range {
      let bit = (index + number) * width
      var value: UInt64 = 0
      var filled = -(bit & 7)
      var offset = bit >> 3
      while filled < width {
        assert(offset < size, "the bytes are too few")
        let byte = UInt64((base + offset).load(as: UInt8.self))
        value |= filled < 0 ? byte >> UInt64(-filled) : byte << UInt64(filled)
        filled += 8
        offset += 1
      }
      if width < 64 { value &= (1 << UInt64(width)) - 1 }
      target[number] = Number(truncatingIfNeeded: value)
    }
    return range.upperBound
  }
}
