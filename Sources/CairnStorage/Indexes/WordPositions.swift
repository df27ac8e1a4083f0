/// The positions of one word in texts, for each of its groups of rows.
///
/// *Short* number of bytes of the sizes; *short* sizes, one for each group; then the positions of the
/// groups, which ``PositionReader`` reads. Without positions the list is empty.
struct PositionList {
  private let bytes: UnsafeRawBufferPointer
  private var size: Int
  private let sizesEnd: Int
  private var start: Int
  private(set) var isDamaged = false

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    var offset = 0
    let count = bytes.isEmpty ? 0 : bytes.short(at: &offset) ?? .max
    isDamaged = count > bytes.count - offset
    size = offset
    sizesEnd = isDamaged ? offset : offset + count
    start = sizesEnd
  }

  /// Returns the positions of the next group, valid like the list; empty after the last group.
  mutating func next() -> UnsafeRawBufferPointer {
    guard size < sizesEnd, let count = bytes.short(at: &size), count <= bytes.count - start else {
      isDamaged = isDamaged || size < sizesEnd
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    defer { start += count }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
  }

  /// Whether the positions of all groups were read.
  var isAtEnd: Bool { size == sizesEnd && start == bytes.count && !isDamaged }

  /// Encodes a list.
  static func encoded(sizes: [Int], _ positions: [UInt8]) -> [UInt8] {
    var header: [UInt8] = []
    for size in sizes { header.append(short: size) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.count + positions.count + 5)
    bytes.append(short: header.count)
    bytes += header
    bytes += positions
    return bytes
  }
}

/// Reads the positions of a word in the texts of the rows of a group, row by row.
///
/// A position is the number of words before it. It is stored as the difference to the one before in
/// the same text: seven bits in each byte whose highest bit is set, the highest first, then six bits
/// in a last byte, whose second highest bit is set for the last position of the row. So the ends of
/// rows are found eight bytes at a time.
struct PositionReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all bytes were read.
  var isAtEnd: Bool { offset == bytes.count }

  /// Skips the positions of some rows.
  @inline(__always)
  mutating func skip(_ rows: Int) {
    var left = rows
    while left > 0, offset + 8 <= bytes.count {
      let word = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      var ends = word >> 6 & ~(word >> 7) & 0x0101_0101_0101_0101
      let count = Int(truncatingIfNeeded: (ends &* 0x0101_0101_0101_0101) >> 56)
      guard count >= left else {
        left -= count
        offset += 8
        continue
      }
      for _ in 1..<left { ends &= ends &- 1 }
      offset += ends.trailingZeroBitCount >> 3 + 1
      return
    }
    while left > 0, offset < bytes.count {
      if bytes[offset] & 0xC0 == 0x40 { left -= 1 }
      offset += 1
    }
  }

  /// Calls `body` with the positions of the next row, in rising order. Returns false if the bytes
  /// end before.
  @inline(__always)
  @discardableResult
  mutating func forEach(_ body: (UInt32) -> Void) -> Bool {
    var position: UInt32 = 0
    var difference: UInt32 = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte >= 0x80 {
        difference = difference << 7 | UInt32(byte & 0x7F)
        continue
      }
      position &+= difference << 6 | UInt32(byte & 0x3F)
      difference = 0
      body(position)
      if byte >= 0x40 { return true }
    }
    return false
  }

  /// Returns the bytes of the positions of the next row, valid like those of the group.
  mutating func row() -> UnsafeRawBufferPointer {
    let start = offset
    skip(1)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
  }
}

extension [UInt8] {
  /// Appends a position as ``PositionReader`` reads it.
  ///
  /// - Parameters:
  ///   - difference: The difference to the position before in the same text.
  ///   - isLast: Whether it is the last one of the text.
  @inline(__always)
  mutating func append(position difference: UInt32, isLast: Bool) {
    if difference >= 1 << 6 {
      var shift: UInt32 = 6
      while difference >> shift >= 1 << 7 { shift += 7 }
      while true {
        append(UInt8(truncatingIfNeeded: difference >> shift & 0x7F) | 0x80)
        if shift == 6 { break }
        shift -= 7
      }
    }
    append(UInt8(truncatingIfNeeded: difference & 0x3F) | (isLast ? 0x40 : 0))
  }
}
