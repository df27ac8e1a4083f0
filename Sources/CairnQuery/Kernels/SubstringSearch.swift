import CairnStorage
import CairnSystem

/// A search for a substring in all texts of a chunk at once, over their contiguous bytes.
struct SubstringSearch {
  private let part: UnsafeRawBufferPointer
  /// The first and the last byte of the substring, repeated in each byte of a word.
  private let first: UInt64
  private let last: UInt64
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Nil for an empty substring.
  init?(_ part: UnsafeRawBufferPointer) {
    guard let begin = part.first, let end = part.last else { return nil }
    self.part = part
    first = UInt64(begin) &* SubstringSearch.ones
    last = UInt64(end) &* SubstringSearch.ones
  }

  /// Whether the bytes of the chunk's rows are contiguous.
  static func canSearch(_ chunk: Chunk) -> Bool {
    if case .bytes = chunk.encoding { chunk.count > 0 } else { false }
  }

  /// Sets the bit of each row that contains the substring. The bits must be zero before.
  func mark(_ chunk: Chunk, bits: UnsafeMutablePointer<UInt64>) {
    if chunk.width == 2 {
      mark(chunk, offsets: chunk.codes.assumingMemoryBound(to: UInt16.self), bits: bits)
    } else {
      mark(chunk, offsets: chunk.codes.assumingMemoryBound(to: UInt32.self), bits: bits)
    }
  }

  private func mark<Offset: FixedWidthInteger>(
    _ chunk: Chunk, offsets: UnsafePointer<Offset>, bits: UnsafeMutablePointer<UInt64>
  ) {
    assert(chunk.count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    let end = Int(offsets[chunk.count])
    var row = 0
    var index = Int(offsets[0])
    while let hit = find(chunk.heap, start: index, end: end) {
      // Eight rows at a time, because most rows do not match.
      while row &+ 8 < chunk.count, Int(offsets[row &+ 8]) <= hit { row &+= 8 }
      while Int(offsets[row &+ 1]) <= hit { row &+= 1 }
      assert(row < chunk.count && Int(offsets[row]) <= hit, "no row has the byte")
      let rowEnd = Int(offsets[row &+ 1])
      if hit &+ part.count <= rowEnd {
        bits[row >> 6] |= 1 << UInt64(row & 63)
        index = rowEnd
      } else {
        index = hit &+ 1
      }
    }
  }

  /// The offset of the next occurrence; nil without one.
  @inline(__always)
  private func find(_ heap: UnsafeRawPointer, start: Int, end: Int) -> Int? {
    let lastOffset = part.count &- 1
    var index = start
    while index &+ lastOffset &+ 8 <= end {
      var candidates = matches(heap, start: index, end: index &+ lastOffset)
      while candidates != 0 {
        let hit = index &+ (candidates.trailingZeroBitCount &>> 3)
        if occurs(heap, at: hit) { return hit }
        candidates &= candidates &- 1
      }
      index &+= 8
    }
    while index &+ lastOffset < end {
      if occurs(heap, at: index) { return index }
      index &+= 1
    }
    return nil
  }

  /// The highest bit of each of the eight bytes at which the substring may begin, by its first and
  /// last byte. A carry can set a bit too many.
  @inline(__always)
  private func matches(_ heap: UnsafeRawPointer, start: Int, end: Int) -> UInt64 {
    let begins = UInt64(littleEndian: heap.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    let ends = UInt64(littleEndian: heap.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    let different = (begins ^ first) | (ends ^ last)
    return (different &- SubstringSearch.ones) & ~different & (SubstringSearch.ones &<< 7)
  }

  @inline(__always)
  private func occurs(_ heap: UnsafeRawPointer, at index: Int) -> Bool {
    assert(index >= 0, "the heap begins at its pointer")
    guard let begin = part.baseAddress else { return false }
    if part.count == 2 {
      return (heap + index).loadUnaligned(as: UInt16.self) == begin.loadUnaligned(as: UInt16.self)
    }
    return memcmp(heap + index, begin, part.count) == 0
  }
}
