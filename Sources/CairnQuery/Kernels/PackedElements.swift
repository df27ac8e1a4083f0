import CairnStorage
import CairnValues

/// A stored list, set or map, with accessors that are inlined into the loops of this module.
/// `StoredCollection` reads the same bytes for every type and from every module.
struct PackedElements {
  let count: Int
  /// The bytes of the row.
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the elements.
  private let start: Int
  /// Whether any element is null. If so, a null bitmap follows the count.
  let hasNulls: Bool

  /// Reads the header of a collection.
  ///
  /// - Parameters:
  ///   - bytes: The row. If the bytes are inconsistent, the collection is empty.
  ///   - width: The size of an element in bytes; 0 if sizes vary, and then only `count` can be
  ///     read.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, width: Int, isMap: Bool) {
    self.bytes = bytes
    guard bytes.count >= 4 else {
      (count, start, hasNulls) = (0, 0, false)
      return
    }
    let head = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    let many = head >> 1
    var end = 4 + (head & 1) * ((many + 7) >> 3)
    if isMap { end = PackedElements.textsEnd(bytes, start: end, count: many) }
    start = end
    end = width > 0 ? end + many * width : PackedElements.textsEnd(bytes, start: end, count: many)
    hasNulls = head & 1 != 0
    count = end <= bytes.count ? many : 0
  }

  /// The end of the texts whose end offsets are stored at `start`; beyond every row if the offsets
  /// are truncated.
  @inline(__always)
  private static func textsEnd(
    _ bytes: UnsafeRawBufferPointer, start: Int, count: Int
  ) -> Int {
    let heap = start + count * 4
    guard heap <= bytes.count else { return 1 << 48 }
    guard count > 0 else { return heap }
    let last = bytes.loadUnaligned(fromByteOffset: heap - 4, as: UInt32.self)
    return heap + Int(UInt32(littleEndian: last))
  }

  /// Whether the element is null.
  @inline(__always)
  func isNull(_ index: Int) -> Bool {
    assert(index >= 0 && index < count, "an element does not exist")
    return hasNulls && bytes[4 + index >> 3] >> UInt8(index & 7) & 1 != 0
  }

  /// The element of a collection of ints, or the key of a link.
  @inline(__always)
  func int(_ index: Int) -> Int64 {
    assert(index >= 0 && index < count, "an element does not exist")
    return bytes.loadUnaligned(fromByteOffset: start + index * 8, as: Int64.self)
  }

  /// The element of a collection of doubles or dates.
  @inline(__always)
  func double(_ index: Int) -> Double {
    assert(index >= 0 && index < count, "an element does not exist")
    return bytes.loadUnaligned(fromByteOffset: start + index * 8, as: Double.self)
  }

  /// The element of a collection of floats.
  @inline(__always)
  func float(_ index: Int) -> Float {
    assert(index >= 0 && index < count, "an element does not exist")
    return bytes.loadUnaligned(fromByteOffset: start + index * 4, as: Float.self)
  }
}

extension Chunk {
  /// The links of a row.
  @inline(__always)
  func links(_ row: Int, isMap: Bool) -> PackedElements {
    PackedElements(rowBytes(row), width: 8, isMap: isMap)
  }
}
