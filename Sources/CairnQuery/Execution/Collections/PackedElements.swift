import CairnStorage
import CairnValues

/// A list, a set or a map where its row stores it, read within the loops of this module; `StoredCollection` reads
/// the same bytes, for every type and from everywhere.
struct PackedElements {
  let count: Int
  /// The bytes of the row.
  private let bytes: UnsafeRawBufferPointer
  /// Where the elements begin.
  private let start: Int
  /// Whether any element is null: then bits say which, behind the count.
  let hasNulls: Bool

  /// - Parameters:
  ///   - bytes: the row. Where they contradict themselves there are no elements.
  ///   - width: bytes of an element; 0 where they vary, and then nothing but `count` can be read.
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
    if isMap { end = PackedElements.textsEnd(bytes, end, many) }
    start = end
    end = width > 0 ? end + many * width : PackedElements.textsEnd(bytes, end, many)
    hasNulls = head & 1 != 0
    count = end <= bytes.count ? many : 0
  }

  /// Where texts end whose ends stand at `start`; beyond every row when those are not all there.
  @inline(__always)
  private static func textsEnd(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int
  ) -> Int {
    let heap = start + count * 4
    guard heap <= bytes.count else { return 1 << 48 }
    guard count > 0 else { return heap }
    let last = bytes.loadUnaligned(fromByteOffset: heap - 4, as: UInt32.self)
    return heap + Int(UInt32(littleEndian: last))
  }

  /// Whether the element is null.
  @inline(__always)
  func isNull(_ place: Int) -> Bool {
    hasNulls && bytes[4 + place >> 3] >> UInt8(place & 7) & 1 != 0
  }

  /// The element of a collection of ints; of links: the key.
  @inline(__always)
  func int(_ place: Int) -> Int64 {
    bytes.loadUnaligned(fromByteOffset: start + place * 8, as: Int64.self)
  }

  /// The element of a collection of doubles or dates.
  @inline(__always)
  func double(_ place: Int) -> Double {
    bytes.loadUnaligned(fromByteOffset: start + place * 8, as: Double.self)
  }

  /// The element of a collection of floats.
  @inline(__always)
  func float(_ place: Int) -> Float {
    bytes.loadUnaligned(fromByteOffset: start + place * 4, as: Float.self)
  }
}

extension Chunk {
  /// The links of a row.
  @inline(__always)
  func links(_ row: Int, isMap: Bool) -> PackedElements {
    PackedElements(rowBytes(row), width: 8, isMap: isMap)
  }
}

extension KeySet {
  /// Works out the objects that the links of rows lead to.
  func settle(linksOf rows: Selection, _ chunk: Chunk, isMap: Bool, _ workspace: Workspace) {
    if isComplete { return }
    rows.forEachRow { row -> Void in
      let links = chunk.links(row, isMap: isMap)
      for place in 0..<links.count where !links.isNull(place) { need(Int(links.int(place))) }
    }
    settle(workspace)
  }
}
