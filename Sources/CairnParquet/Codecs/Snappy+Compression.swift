extension Snappy {
  /// The number of bytes whose matches are looked for together. Distances within it have 16 bits.
  private static let blockSize = 1 << 16
  /// The number of bits of a hash, and so of the table's size.
  private static let hashBits = 14
  /// The number of bytes before the end of a block at which the search ends, so that it can read words.
  private static let margin = 15

  /// Appends the packed bytes of `input`, less than 4 GiB.
  static func compress(
    _ input: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) throws(ParquetError) {
    guard input.count <= Int(UInt32.max) else {
      throw ParquetError("\(input.count) bytes are too many for SNAPPY")
    }
    // Blocks that do not shrink grow by the tags of their literals.
    let capacity = 16 + input.count + input.count / 6
    try output.append(capacity: capacity) { (memory) throws(ParquetError) in
      guard let target = memory.baseAddress else { return 0 }
      var end = target
      var size = input.count
      while size >= 0x80 {
        append(UInt8(size & 0x7F | 0x80), to: &end)
        size >>= 7
      }
      append(UInt8(size), to: &end)
      guard let source = input.baseAddress else { return end - target }
      let table = UnsafeMutablePointer<UInt16>.allocate(capacity: 1 << hashBits)
      defer { table.deallocate() }
      for start in stride(from: 0, to: input.count, by: blockSize) {
        table.initialize(repeating: 0, count: 1 << hashBits)
        pack(source + start, min(blockSize, input.count - start), table, to: &end)
      }
      assert(end - target <= capacity, "the bytes grew by more than their tags")
      return end - target
    }
  }

  /// Packs a block. The table has an offset in the block for each hash of 4 bytes.
  private static func pack(
    _ block: UnsafeRawPointer, _ size: Int, _ table: UnsafeMutablePointer<UInt16>,
    to end: inout UnsafeMutableRawPointer
  ) {
    var (literals, offset) = (0, 1)
    let limit = size - margin
    // Where matches are rare, the search takes ever larger steps.
    var skip = 32
    while offset < limit {
      let word = load32(block + offset)
      let slot = hash(word)
      let candidate = Int(table[slot])
      table[slot] = UInt16(truncatingIfNeeded: offset)
      guard candidate < offset, load32(block + candidate) == word else {
        offset += skip >> 5
        skip += skip >> 5
        continue
      }
      appendLiterals(block + literals, offset - literals, to: &end)
      let count =
        4 + matchLength(block + (candidate + 4), block + (offset + 4), limit: size - offset - 4)
      appendMatch(distance: offset - candidate, count: count, to: &end)
      offset += count
      literals = offset
      skip = 32
      if offset < limit {
        table[hash(load32(block + (offset - 1)))] = UInt16(truncatingIfNeeded: offset - 1)
      }
    }
    appendLiterals(block + literals, size - literals, to: &end)
  }

  @inline(__always)
  private static func load32(_ bytes: UnsafeRawPointer) -> UInt32 {
    bytes.loadUnaligned(as: UInt32.self)
  }

  @inline(__always)
  private static func hash(_ word: UInt32) -> Int {
    Int((word &* 0x1E35_A7BD) &>> UInt32(32 - hashBits))
  }

  /// Returns the number of equal bytes, at most `limit`.
  @inline(__always)
  private static func matchLength(
    _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, limit: Int
  ) -> Int {
    var count = 0
    while limit - count >= 8 {
      let difference =
        UInt64(littleEndian: (first + count).loadUnaligned(as: UInt64.self))
        ^ UInt64(littleEndian: (second + count).loadUnaligned(as: UInt64.self))
      if difference != 0 { return count + difference.trailingZeroBitCount / 8 }
      count += 8
    }
    while count < limit,
      (first + count).load(as: UInt8.self) == (second + count).load(as: UInt8.self)
    { count += 1 }
    return count
  }

  private static func appendLiterals(
    _ bytes: UnsafeRawPointer, _ count: Int, to end: inout UnsafeMutableRawPointer
  ) {
    guard count > 0 else { return }
    if count <= 60 {
      append(UInt8(count - 1) << 2, to: &end)
    } else if count <= 256 {
      append(60 << 2, to: &end)
      append(UInt8(count - 1), to: &end)
    } else {
      append(61 << 2, to: &end)
      append16(count - 1, to: &end)
    }
    end.copyMemory(from: bytes, byteCount: count)
    end += count
  }

  private static func appendMatch(
    distance: Int, count: Int, to end: inout UnsafeMutableRawPointer
  ) {
    var left = count
    // At least 4 bytes must be left for the last tag.
    while left > 64 {
      let part = min(64, left - 4)
      append(UInt8(part - 1) << 2 | 2, to: &end)
      append16(distance, to: &end)
      left -= part
    }
    if left < 12, distance < 2048 {
      append(UInt8((distance >> 8) << 5 | (left - 4) << 2 | 1), to: &end)
      append(UInt8(truncatingIfNeeded: distance), to: &end)
    } else {
      append(UInt8(left - 1) << 2 | 2, to: &end)
      append16(distance, to: &end)
    }
  }

  @inline(__always)
  private static func append(_ byte: UInt8, to end: inout UnsafeMutableRawPointer) {
    end.storeBytes(of: byte, as: UInt8.self)
    end += 1
  }

  @inline(__always)
  private static func append16(_ number: Int, to end: inout UnsafeMutableRawPointer) {
    end.storeBytes(of: UInt16(truncatingIfNeeded: number).littleEndian, as: UInt16.self)
    end += 2
  }
}
