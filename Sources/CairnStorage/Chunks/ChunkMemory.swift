import CairnValues

/// The memory of a `ChunkBuffer`, which owns it: rows are edited through this view without counting references.
struct ChunkMemory {
  let layout: ChunkLayout
  let nulls: UnsafeMutablePointer<UInt64>
  let rows: UnsafeMutableRawPointer
  private let state: UnsafeMutablePointer<State>

  /// What changes with the rows.
  private struct State {
    var count = 0
    var nullCount = 0
    /// Bytes that slots lead to; replaced as it grows.
    var heap: UnsafeMutableRawPointer
    var heapSize = 0
    var heapCapacity: Int
    /// Bytes of the heap that no slot leads to any more.
    var heapWaste = 0
    /// Several slots may lead to the same bytes, which so must stay as they are.
    var sharesHeap = false
    var hasAltitudes = false
  }

  init(layout: ChunkLayout) {
    self.layout = layout
    nulls = .allocate(capacity: ChunkShape.words)
    nulls.initialize(repeating: 0, count: ChunkShape.words)
    let size = layout.bufferSize
    rows = MemoryPool.shared.take(size)
    rows.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let capacity = layout == .bytes ? Self.usualHeap : 16
    state = .allocate(capacity: 1)
    state.initialize(to: State(heap: MemoryPool.shared.take(capacity), heapCapacity: capacity))
  }

  private static let usualHeap = 1 << 16

  func deallocate() {
    nulls.deallocate()
    MemoryPool.shared.give(rows, layout.bufferSize)
    MemoryPool.shared.give(heap, state.pointee.heapCapacity)
    state.deallocate()
  }

  /// Rows in use.
  var count: Int {
    get { state.pointee.count }
    nonmutating set { state.pointee.count = newValue }
  }
  var nullCount: Int { state.pointee.nullCount }
  var heap: UnsafeMutableRawPointer { state.pointee.heap }
  var heapSize: Int { state.pointee.heapSize }
  var hasAltitudes: Bool { state.pointee.hasAltitudes }

  var integers: UnsafeMutablePointer<Int64> { rows.assumingMemoryBound(to: Int64.self) }
  var doubles: UnsafeMutablePointer<Double> { rows.assumingMemoryBound(to: Double.self) }
  var floats: UnsafeMutablePointer<Float> { rows.assumingMemoryBound(to: Float.self) }
  var slots: UnsafeMutablePointer<UInt32> { rows.assumingMemoryBound(to: UInt32.self) }

  func removeAll() {
    state.pointee.count = 0
    state.pointee.nullCount = 0
    state.pointee.heapSize = 0
    state.pointee.heapWaste = 0
    state.pointee.sharesHeap = false
    if layout == .bytes { slots.update(repeating: 0, count: 2 * ChunkShape.rows) }
    nulls.update(repeating: 0, count: ChunkShape.words)
    if hasAltitudes {
      rows.advanced(by: 2 * ChunkShape.rows * 8)
        .initializeMemory(as: UInt8.self, repeating: 0, count: ChunkShape.rows * 8)
      state.pointee.hasAltitudes = false
    }
  }

  @inline(__always)
  func setNull(_ isNull: Bool, at row: Int) {
    let bit = UInt64(1) << UInt64(row & 63)
    let was = nulls[row >> 6] & bit != 0
    guard was != isNull else { return }
    nulls[row >> 6] ^= bit
    state.pointee.nullCount += isNull ? 1 : -1
  }

  @inline(__always)
  func isNull(_ row: Int) -> Bool { nulls[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  func setPoint(_ position: Position, at row: Int) {
    doubles[row] = position.longitude
    doubles[ChunkShape.rows + row] = position.latitude
    if position.altitude != 0 { state.pointee.hasAltitudes = true }
    if hasAltitudes { doubles[2 * ChunkShape.rows + row] = position.altitude }
  }

  /// Sets a row of `.fixed`.
  func setFixed(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    guard case .fixed(let width) = layout, let source = bytes.baseAddress else { return }
    (rows + row * width).copyMemory(from: source, byteCount: width)
  }

  /// Zeros or nothing: what a null row holds.
  func clear(_ row: Int) {
    switch layout {
    case .integers: integers[row] = 0
    case .doubles: doubles[row] = 0
    case .floats: floats[row] = 0
    case .bytes: replaceBytes(UnsafeRawBufferPointer(start: nil, count: 0), at: row)
    case .fixed(let width):
      (rows + row * width).initializeMemory(as: UInt8.self, repeating: 0, count: width)
    case .points: setPoint(Position(latitude: 0, longitude: 0, altitude: 0), at: row)
    }
  }
}

/// Rows of `.bytes`.
extension ChunkMemory {
  /// The bytes of a row.
  func bytes(at row: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: heap + Int(slots[2 * row]), count: Int(slots[2 * row + 1]))
  }

  /// Sets a row that held none.
  @inline(__always)
  func setBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    reserveHeap(bytes.count)
    let size = heapSize
    if let source = bytes.baseAddress, bytes.count > 0 {
      (heap + size).copyMemory(from: source, byteCount: bytes.count)
    }
    slots[2 * row] = UInt32(size)
    slots[2 * row + 1] = UInt32(bytes.count)
    state.pointee.heapSize = size + bytes.count
  }

  /// Sets a row that may hold some: in place where the new ones fit; else the old ones are waste, which is squeezed
  /// out when it is most of the heap.
  func replaceBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    if state.pointee.sharesHeap { return setBytes(bytes, at: row) }
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
    state.pointee.heapWaste += more
    let wasted = state.pointee.heapWaste
    guard wasted > 1 << 16, wasted > heapSize / 2 else { return }
    let wide = heap
    let wideCapacity = state.pointee.heapCapacity
    let capacity = heapSize - wasted + (1 << 16)
    state.pointee.heapCapacity = capacity
    state.pointee.heap = MemoryPool.shared.take(capacity)
    state.pointee.heapSize = 0
    state.pointee.heapWaste = 0
    for row in 0..<ChunkShape.rows where slots[2 * row + 1] > 0 {
      let start = wide + Int(slots[2 * row])
      setBytes(UnsafeRawBufferPointer(start: start, count: Int(slots[2 * row + 1])), at: row)
    }
    MemoryPool.shared.give(wide, wideCapacity)
  }

  /// Takes over the bytes of a chunk that stands encoded; false where it has to be done row by row.
  func adoptBytes(of chunk: Chunk) -> Bool {
    guard heapSize == 0 else { return false }
    switch chunk.encoding {
    case .bytes:
      let size = chunk.offset(chunk.count)
      appendHeap(chunk.heap, size)
      for row in 0..<chunk.count {
        let start = chunk.offset(row)
        slots[2 * row] = UInt32(start)
        slots[2 * row + 1] = UInt32(chunk.offset(row + 1) - start)
      }
      return true
    case .dictionary:
      let entries = (0..<chunk.dictionaryCount).map { chunk.entry($0) }
      guard let first = entries.first?.baseAddress else { return false }
      let longest = entries.reduce(0) { max($0, $1.count) }
      // Each of the rows may come to hold bytes of its own again.
      guard longest < 1 << 12 else { return false }
      appendHeap(first, entries.reduce(0) { $0 + $1.count })
      for row in 0..<chunk.count {
        let entry = entries[Int(chunk.code(at: row))]
        slots[2 * row] = UInt32((entry.baseAddress ?? first) - first)
        slots[2 * row + 1] = UInt32(entry.count)
      }
      state.pointee.sharesHeap = true
      return true
    default: return false
    }
  }

  private func appendHeap(_ source: UnsafeRawPointer, _ size: Int) {
    reserveHeap(size)
    (heap + heapSize).copyMemory(from: source, byteCount: size)
    state.pointee.heapSize += size
  }

  @inline(__always)
  private func reserveHeap(_ more: Int) {
    if heapSize + more > state.pointee.heapCapacity { growHeap(more) }
  }

  private func growHeap(_ more: Int) {
    let capacity = max(state.pointee.heapCapacity * 2, heapSize + more)
    let grown = MemoryPool.shared.take(capacity)
    grown.copyMemory(from: heap, byteCount: heapSize)
    MemoryPool.shared.give(heap, state.pointee.heapCapacity)
    state.pointee.heap = grown
    state.pointee.heapCapacity = capacity
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
}
