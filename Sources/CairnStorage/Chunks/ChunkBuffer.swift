import CairnValues

/// A chunk in memory that can be edited: every row at its full width, room for 4096 of them.
///
/// Bulk loads gather into it, transactions edit it, `ChunkEncoder` writes it out. Rows that were
/// never set hold zeros or nothing.
package final class ChunkBuffer {
  package let layout: ChunkLayout
  /// Rows in use.
  package var count: Int
  package private(set) var nullCount = 0
  let nulls: UnsafeMutablePointer<UInt64>
  let rows: UnsafeMutableRawPointer
  /// Bytes that slots lead to; replaced as it grows.
  private(set) var heap: UnsafeMutableRawPointer
  private(set) var heapSize = 0
  private var heapCapacity: Int
  /// Bytes of the heap that no slot leads to any more.
  private var heapWaste = 0
  /// Whether an altitude other than zero was ever set.
  private(set) var hasAltitudes = false

  /// An empty buffer for rows of that layout.
  package init(layout: ChunkLayout) {
    self.layout = layout
    count = 0
    nulls = .allocate(capacity: ChunkShape.words)
    nulls.initialize(repeating: 0, count: ChunkShape.words)
    let size = layout.bufferSize
    rows = .allocate(byteCount: size, alignment: 16)
    rows.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    heapCapacity = layout == .bytes ? 1 << 16 : 16
    heap = .allocate(byteCount: heapCapacity, alignment: 16)
  }

  deinit {
    nulls.deallocate()
    rows.deallocate()
    heap.deallocate()
  }

  /// Forgets every row, so that the buffer can take the next chunk.
  package func removeAll() {
    count = 0
    nullCount = 0
    heapSize = 0
    heapWaste = 0
    if layout == .bytes { slots.update(repeating: 0, count: 2 * ChunkShape.rows) }
    nulls.update(repeating: 0, count: ChunkShape.words)
    if hasAltitudes { clearAltitudes() }
  }

  private func clearAltitudes() {
    rows.advanced(by: 2 * ChunkShape.rows * 8)
      .initializeMemory(as: UInt8.self, repeating: 0, count: ChunkShape.rows * 8)
    hasAltitudes = false
  }

  /// Marks a row null, or not.
  @inline(__always)
  package func setNull(_ isNull: Bool, at row: Int) {
    let bit = UInt64(1) << UInt64(row & 63)
    let was = nulls[row >> 6] & bit != 0
    guard was != isNull else { return }
    nulls[row >> 6] ^= bit
    nullCount += isNull ? 1 : -1
  }

  @inline(__always)
  package func isNull(_ row: Int) -> Bool { nulls[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  /// Rows of `.integers`.
  package var integers: UnsafeMutablePointer<Int64> { rows.assumingMemoryBound(to: Int64.self) }
  /// Rows of `.doubles`.
  package var doubles: UnsafeMutablePointer<Double> { rows.assumingMemoryBound(to: Double.self) }
  /// Rows of `.floats`.
  package var floats: UnsafeMutablePointer<Float> { rows.assumingMemoryBound(to: Float.self) }
  /// Rows of `.points`.
  package var longitudes: UnsafeMutablePointer<Double> { doubles }
  package var latitudes: UnsafeMutablePointer<Double> { doubles + ChunkShape.rows }
  package var altitudes: UnsafeMutablePointer<Double> { doubles + 2 * ChunkShape.rows }
  /// Rows of `.bytes`: (offset, length).
  var slots: UnsafeMutablePointer<UInt32> { rows.assumingMemoryBound(to: UInt32.self) }

  /// Sets a row of `.points`.
  package func setPoint(_ position: Position, at row: Int) {
    longitudes[row] = position.longitude
    latitudes[row] = position.latitude
    if position.altitude != 0 { hasAltitudes = true }
    if hasAltitudes { altitudes[row] = position.altitude }
  }

  /// Sets a row of `.bytes` that held none.
  @inline(__always)
  package func setBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    reserveHeap(bytes.count)
    if let source = bytes.baseAddress, bytes.count > 0 {
      (heap + heapSize).copyMemory(from: source, byteCount: bytes.count)
    }
    slots[2 * row] = UInt32(heapSize)
    slots[2 * row + 1] = UInt32(bytes.count)
    heapSize += bytes.count
  }

  /// Sets a row of `.bytes` that may hold some: in place where the new ones fit; else the old ones are
  /// waste, which is squeezed out when it is most of the heap.
  func replaceBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    let old = Int(slots[2 * row + 1])
    guard bytes.count > old else {
      if let source = bytes.baseAddress, bytes.count > 0 {
        (heap + Int(slots[2 * row])).copyMemory(from: source, byteCount: bytes.count)
      }
      slots[2 * row + 1] = UInt32(bytes.count)
      return waste(old - bytes.count)
    }
    setBytes(bytes, at: row)
    waste(old)
  }

  private func waste(_ more: Int) {
    heapWaste += more
    guard heapWaste > 1 << 16, heapWaste > heapSize / 2 else { return }
    let wide = heap
    heapCapacity = heapSize - heapWaste + (1 << 16)
    heap = .allocate(byteCount: heapCapacity, alignment: 16)
    heapSize = 0
    heapWaste = 0
    for row in 0..<ChunkShape.rows where slots[2 * row + 1] > 0 {
      let start = wide + Int(slots[2 * row])
      setBytes(UnsafeRawBufferPointer(start: start, count: Int(slots[2 * row + 1])), at: row)
    }
    wide.deallocate()
  }

  /// Sets a row of `.fixed`.
  package func setFixed(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    guard case .fixed(let width) = layout, let source = bytes.baseAddress else { return }
    (rows + row * width).copyMemory(from: source, byteCount: width)
  }

  private func reserveHeap(_ more: Int) {
    guard heapSize + more > heapCapacity else { return }
    heapCapacity = max(heapCapacity * 2, heapSize + more)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: heapCapacity, alignment: 16)
    grown.copyMemory(from: heap, byteCount: heapSize)
    heap.deallocate()
    heap = grown
  }

  /// The buffer as readers see a chunk.
  package var view: Chunk {
    Chunk(
      base: UnsafeRawPointer(rows), encoding: layout.bufferEncoding,
      count: layout == .points ? ChunkShape.rows : count, width: layout.bufferWidth,
      exponent: hasAltitudes ? ChunkHeader.altitudesPresent : 0, frame: 0,
      nulls: nullCount > 0 ? UnsafePointer(nulls) : nil, codes: UnsafeRawPointer(rows),
      heap: layout == .points ? UnsafeRawPointer(altitudes) : UnsafeRawPointer(heap))
  }
}

extension ChunkLayout {
  /// Bytes of 4096 rows at full width.
  fileprivate var bufferSize: Int {
    switch self {
    case .integers, .doubles, .bytes: ChunkShape.rows * 8
    case .floats: ChunkShape.rows * 4
    case .fixed(let width): ChunkShape.rows * width
    case .points: ChunkShape.rows * 24
    }
  }

  fileprivate var bufferWidth: Int {
    switch self {
    case .integers, .doubles, .bytes, .points: 8
    case .floats: 4
    case .fixed(let width): width
    }
  }

  fileprivate var bufferEncoding: Encoding {
    switch self {
    case .integers: .integers
    case .doubles: .doubles
    case .floats: .floats
    case .bytes: .slots
    case .fixed: .fixed
    case .points: .points
    }
  }
}
