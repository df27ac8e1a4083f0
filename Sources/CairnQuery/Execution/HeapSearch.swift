import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Looks for a part in all texts of a chunk at once, where they stand one behind the other, instead of in each.
struct HeapSearch {
  private let part: UnsafeRawBufferPointer
  /// The first and the last byte of the part, in each byte of a word.
  private let first: UInt64
  private let last: UInt64
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Nil for a part without bytes.
  init?(_ part: UnsafeRawBufferPointer) {
    guard let begin = part.first, let end = part.last else { return nil }
    self.part = part
    first = UInt64(begin) &* HeapSearch.ones
    last = UInt64(end) &* HeapSearch.ones
  }

  /// Whether the rows of a chunk stand one behind the other.
  static func canSearch(_ chunk: Chunk) -> Bool {
    if case .bytes = chunk.encoding { chunk.count > 0 } else { false }
  }

  /// Sets the bit of each row that has the part, in words that are zero.
  func mark(_ chunk: Chunk, _ bits: UnsafeMutablePointer<UInt64>) {
    if chunk.width == 2 {
      mark(chunk, chunk.codes.assumingMemoryBound(to: UInt16.self), bits)
    } else {
      mark(chunk, chunk.codes.assumingMemoryBound(to: UInt32.self), bits)
    }
  }

  private func mark<Offset: FixedWidthInteger>(
    _ chunk: Chunk, _ offsets: UnsafePointer<Offset>, _ bits: UnsafeMutablePointer<UInt64>
  ) {
    let end = Int(offsets[chunk.count])
    var row = 0
    var place = Int(offsets[0])
    while let hit = find(chunk.heap, place, end) {
      // Eight rows at a time: most rows have no part.
      while row &+ 8 < chunk.count, Int(offsets[row &+ 8]) <= hit { row &+= 8 }
      while Int(offsets[row &+ 1]) <= hit { row &+= 1 }
      let rowEnd = Int(offsets[row &+ 1])
      if hit &+ part.count <= rowEnd {
        bits[row >> 6] |= 1 << UInt64(row & 63)
        place = rowEnd
      } else {
        place = hit &+ 1
      }
    }
  }

  /// Where the part stands next; nil when nowhere.
  @inline(__always)
  private func find(_ heap: UnsafeRawPointer, _ start: Int, _ end: Int) -> Int? {
    let reach = part.count &- 1
    var place = start
    while place &+ reach &+ 8 <= end {
      var candidates = matches(heap, place, place &+ reach)
      while candidates != 0 {
        let hit = place &+ (candidates.trailingZeroBitCount &>> 3)
        if stands(heap, hit) { return hit }
        candidates &= candidates &- 1
      }
      place &+= 8
    }
    while place &+ reach < end {
      if stands(heap, place) { return place }
      place &+= 1
    }
    return nil
  }

  /// The highest bit of each of eight bytes at which the part may begin, as its first and its last byte say; a carry
  /// may set one too many.
  @inline(__always)
  private func matches(_ heap: UnsafeRawPointer, _ start: Int, _ end: Int) -> UInt64 {
    let begins = UInt64(littleEndian: heap.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    let ends = UInt64(littleEndian: heap.loadUnaligned(fromByteOffset: end, as: UInt64.self))
    let different = (begins ^ first) | (ends ^ last)
    return (different &- HeapSearch.ones) & ~different & (HeapSearch.ones &<< 7)
  }

  @inline(__always)
  private func stands(_ heap: UnsafeRawPointer, _ place: Int) -> Bool {
    guard let begin = part.baseAddress else { return false }
    if part.count == 2 {
      return (heap + place).loadUnaligned(as: UInt16.self) == begin.loadUnaligned(as: UInt16.self)
    }
    return memcmp(heap + place, begin, part.count) == 0
  }
}
