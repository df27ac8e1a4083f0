import CairnSystem
import CairnValues

/// The memory of a `ChunkBuffer`, which owns it. Edits go through this view to avoid reference
/// counting.
///
/// Every pointer is valid while the buffer lives, except for `heap`. Texts that are set lie outside
/// of the heap, which moves as it grows.
struct ChunkMemory {
  let layout: ChunkLayout
  /// The null bitmap of 64 words.
  let nulls: UnsafeMutablePointer<UInt64>
  /// 4096 rows at full width.
  let rows: UnsafeMutableRawPointer
  private let state: UnsafeMutablePointer<State>

  /// The state that changes with the rows.
  private struct State {
    var count = 0
    var nullCount = 0
    /// The bytes that slots refer to; replaced as it grows.
    var heap: UnsafeMutableRawPointer
    var heapSize = 0
    var heapCapacity: Int
    /// The bytes of the heap that no slot refers to.
    var heapWaste = 0
    /// Whether several slots may refer to the same bytes, which must then remain unchanged.
    var sharesHeap = false
    var hasAltitudes = false
    /// Whether rows may be references to large values.
    var hasReferences = false
    /// The number of edits of rows of `.bytes`.
    var edits = 0
  }

  init(layout: ChunkLayout) {
    self.layout = layout
    nulls = .allocate(capacity: ChunkShape.words)
    memset(nulls, 0, ChunkShape.words * 8)
    let size = layout.bufferSize
    rows = MemoryPool.shared.take(size)
    memset(rows, 0, size)
    let capacity = layout == .bytes ? Self.usualHeap : 16
    state = .allocate(capacity: 1)
    state.initialize(to: State(heap: MemoryPool.shared.take(capacity), heapCapacity: capacity))
  }

  private static let usualHeap = 1 << 16

  func deallocate() {
    nulls.deallocate()
    MemoryPool.shared.give(rows, count: layout.bufferSize)
    MemoryPool.shared.give(heap, count: state.pointee.heapCapacity)
    state.deallocate()
  }

  /// The number of rows.
  var count: Int {
    get { state.pointee.count }
    nonmutating set {
      assert(newValue >= 0 && newValue <= ChunkShape.rows, "a chunk has up to 4096 rows")
      state.pointee.count = newValue
    }
  }
  var nullCount: Int { state.pointee.nullCount }
  /// The bytes that slots refer to, valid until a row of `.bytes` changes.
  var heap: UnsafeMutableRawPointer { state.pointee.heap }
  var heapSize: Int { state.pointee.heapSize }
  var hasAltitudes: Bool { state.pointee.hasAltitudes }
  var hasReferences: Bool {
    get { state.pointee.hasReferences }
    nonmutating set { state.pointee.hasReferences = newValue }
  }

  /// The number of edits of rows of variable length.
  var edits: Int { state.pointee.edits }

  /// The rows of `.integers`.
  var integers: UnsafeMutablePointer<Int64> {
    assert(layout == .integers, "the rows are not integers")
    return rows.assumingMemoryBound(to: Int64.self)
  }

  /// The rows of `.doubles`; the longitudes, latitudes and altitudes of `.points`, 4096 each.
  var doubles: UnsafeMutablePointer<Double> {
    assert(layout == .doubles || layout == .points, "the rows are neither doubles nor points")
    return rows.assumingMemoryBound(to: Double.self)
  }

  /// The rows of `.floats`.
  var floats: UnsafeMutablePointer<Float> {
    assert(layout == .floats, "the rows are not floats")
    return rows.assumingMemoryBound(to: Float.self)
  }

  /// The rows of `.bytes`: (offset, length) pairs.
  var slots: UnsafeMutablePointer<UInt32> {
    assert(layout == .bytes, "the rows are not of variable length")
    return rows.assumingMemoryBound(to: UInt32.self)
  }

  /// Whether the buffer has memory for a row.
  @inline(__always)
  private func hasMemory(for row: Int) -> Bool { row >= 0 && row < ChunkShape.rows }

  func removeAll() {
    state.pointee.count = 0
    state.pointee.nullCount = 0
    state.pointee.heapSize = 0
    state.pointee.heapWaste = 0
    state.pointee.sharesHeap = false
    state.pointee.hasReferences = false
    state.pointee.edits += 1
    if case .bytes = layout { memset(slots, 0, 2 * ChunkShape.rows * 4) }
    memset(nulls, 0, ChunkShape.words * 8)
    if hasAltitudes {
      memset(rows.advanced(by: 2 * ChunkShape.rows * 8), 0, ChunkShape.rows * 8)
      state.pointee.hasAltitudes = false
    }
  }

  @inline(__always)
  func setNull(_ isNull: Bool, at row: Int) {
    assert(hasMemory(for: row), "a chunk has up to 4096 rows")
    let bit = UInt64(1) << UInt64(row & 63)
    let was = nulls[row >> 6] & bit != 0
    guard was != isNull else { return }
    nulls[row >> 6] ^= bit
    state.pointee.nullCount += isNull ? 1 : -1
  }

  @inline(__always)
  func isNull(_ row: Int) -> Bool { nulls.isSet(row) }

  func setPoint(_ position: Position, at row: Int) {
    assert(hasMemory(for: row), "a chunk has up to 4096 rows")
    assert(layout == .points, "the rows are not points")
    doubles[row] = position.longitude
    doubles[ChunkShape.rows + row] = position.latitude
    if position.altitude != 0 { state.pointee.hasAltitudes = true }
    if hasAltitudes { doubles[2 * ChunkShape.rows + row] = position.altitude }
  }

  /// Sets a row of `.fixed`.
  func setFixed(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    assert(hasMemory(for: row), "a chunk has up to 4096 rows")
    guard case .fixed(let width) = layout, let source = bytes.baseAddress else { return }
    assert(bytes.count == width, "the value has another width than the column")
    (rows + row * width).copyMemory(from: source, byteCount: width)
  }

  /// Sets a row to zeros or no bytes, the contents of a null row.
  func clear(_ row: Int) {
    assert(hasMemory(for: row), "a chunk has up to 4096 rows")
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
  /// Returns the bytes of a row, valid until a row of the buffer changes.
  func bytes(at row: Int) -> UnsafeRawBufferPointer {
    assert(hasSoundSlot(row), "a slot lies outside of the heap")
    return UnsafeRawBufferPointer(
      start: heap + Int(slots[2 * row]), count: Int(slots[2 * row + 1]))
  }

  /// Whether the bytes of a row lie in the heap. An empty row may have an older offset.
  func hasSoundSlot(_ row: Int) -> Bool {
    let length = Int(slots[2 * row + 1])
    return hasMemory(for: row) && (length == 0 || Int(slots[2 * row]) + length <= heapSize)
  }

  /// Whether bytes lie outside of the heap, which may move.
  private func isOutsideHeap(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
    return start + bytes.count <= UnsafeRawPointer(heap)
      || start >= UnsafeRawPointer(heap + state.pointee.heapCapacity)
  }

  /// Sets an empty row.
  @inline(__always)
  func setBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    assert(hasMemory(for: row), "a chunk has up to 4096 rows")
    assert(isOutsideHeap(bytes), "the bytes are in the heap, which may move")
    state.pointee.edits += 1
    reserveHeap(bytes.count)
    let size = heapSize
    assert(size + bytes.count <= state.pointee.heapCapacity, "the heap is too small")
    if let source = bytes.baseAddress, bytes.count > 0 {
      (heap + size).copyMemory(from: source, byteCount: bytes.count)
    }
    slots[2 * row] = UInt32(size)
    slots[2 * row + 1] = UInt32(bytes.count)
    state.pointee.heapSize = size + bytes.count
  }

  /// Replaces a row: in place if the new bytes fit. Otherwise the old bytes become waste, and the
  /// heap is compacted when most of it is waste.
  func replaceBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    if state.pointee.sharesHeap { return setBytes(bytes, at: row) }
    assert(hasSoundSlot(row), "a slot lies outside of the heap")
    let old = Int(slots[2 * row + 1])
    guard bytes.count > old else {
      if let source = bytes.baseAddress, bytes.count > 0 {
        (heap + Int(slots[2 * row])).copyMemory(from: source, byteCount: bytes.count)
      }
      slots[2 * row + 1] = UInt32(bytes.count)
      state.pointee.edits += 1
      return waste(old - bytes.count)
    }
    setBytes(bytes, at: row)
    waste(old)
  }

  private func waste(_ more: Int) {
    state.pointee.heapWaste += more
    let wasted = state.pointee.heapWaste
    assert(wasted <= heapSize, "more bytes are waste than there are")
    guard wasted > 1 << 16, wasted > heapSize / 2 else { return }
    let wide = heap
    let wideCapacity = state.pointee.heapCapacity
    assert((0..<ChunkShape.rows).allSatisfy(hasSoundSlot), "a slot lies outside of the heap")
    let capacity = heapSize - wasted + (1 << 16)
    state.pointee.heapCapacity = capacity
    state.pointee.heap = MemoryPool.shared.take(capacity)
    state.pointee.heapSize = 0
    state.pointee.heapWaste = 0
    for row in 0..<ChunkShape.rows where slots[2 * row + 1] > 0 {
      let start = wide + Int(slots[2 * row])
      setBytes(UnsafeRawBufferPointer(start: start, count: Int(slots[2 * row + 1])), at: row)
    }
    MemoryPool.shared.give(wide, count: wideCapacity)
  }

  /// Takes over the bytes of an encoded chunk; returns false if they have to be copied row by row.
  func adoptBytes(of chunk: Chunk) -> Bool {
    guard heapSize == 0 else { return false }
    switch chunk.encoding {
    case .bytes:
      let size = chunk.offset(chunk.count)
      appendHeap(chunk.heap, size: size)
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
      let size = entries.reduce(0) { $0 + $1.count }
      // Any of the rows may get bytes of its own again.
      guard longest < 1 << 12 else { return false }
      appendHeap(first, size: size)
      for row in 0..<chunk.count {
        let entry = entries[Int(chunk.code(at: row))]
        assert(
          (entry.baseAddress ?? first) - first + entry.count <= size, "the entries have gaps")
        slots[2 * row] = UInt32((entry.baseAddress ?? first) - first)
        slots[2 * row + 1] = UInt32(entry.count)
      }
      state.pointee.sharesHeap = true
      return true
    default: return false
    }
  }

  private func appendHeap(_ source: UnsafeRawPointer, size: Int) {
    assert(
      isOutsideHeap(UnsafeRawBufferPointer(start: source, count: size)),
      "the bytes are in the heap, which may move")
    reserveHeap(size)
    assert(heapSize + size <= state.pointee.heapCapacity, "the heap is too small")
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
    MemoryPool.shared.give(heap, count: state.pointee.heapCapacity)
    state.pointee.heap = grown
    state.pointee.heapCapacity = capacity
  }
}

extension ChunkLayout {
  /// The size in bytes of 4096 rows at full width.
  fileprivate var bufferSize: Int {
    switch self {
    case .integers, .doubles, .bytes: ChunkShape.rows * 8
    case .floats: ChunkShape.rows * 4
    case .fixed(let width): ChunkShape.rows * width
    case .points: ChunkShape.rows * 24
    }
  }
}

/// The stored bits of one cell, to be compared with many rows and written to them.
enum StoredCell {
  case null
  case integer(Int64)
  case float(Float)
  case double(Double)
  case bytes(UnsafeRawBufferPointer)
  case point(Position)
}

extension Value {
  /// Calls `body` with the value as a column of its type stores it. The bytes are valid during the
  /// call.
  func withStoredCell<R>(_ body: (StoredCell) -> R) -> R {
    switch self {
    case .null: body(.null)
    case .bool(let flag): body(.integer(flag ? 1 : 0))
    case .int(let number): body(.integer(number))
    case .link(let link): body(.integer(Int64(link.key)))
    case .float(let number): body(.float(number))
    case .double(let number), .date(let number): body(.double(number))
    case .string(let text): text.utf8.withBytes { body(.bytes($0)) }
    case .data(let bytes), .geometry(let bytes): bytes.withUnsafeBytes { body(.bytes($0)) }
    case .box(let box): box.withStoredBytes { body(.bytes($0)) }
    case .objectId(let id): id.withStoredBytes { body(.bytes($0)) }
    case .uuid(let id): id.withStoredBytes { body(.bytes($0)) }
    case .decimal(let number): number.withStoredBytes { body(.bytes($0)) }
    case .point(let position): body(.point(position))
    }
  }
}

extension ChunkMemory {
  /// Returns whether a row holds exactly these bits.
  func holds(_ cell: StoredCell, at row: Int) -> Bool {
    assert(hasMemory(for: row), "a chunk has up to 4096 rows")
    if case .null = cell { return isNull(row) }
    guard !isNull(row) else { return false }
    switch cell {
    case .null: return true
    case .integer(let number): return integers[row] == number
    case .float(let number): return floats[row].bitPattern == number.bitPattern
    case .double(let number): return doubles[row].bitPattern == number.bitPattern
    case .bytes(let bytes): return self.bytes(ofCell: row).elementsEqual(bytes)
    case .point(let position):
      return doubles[row] == position.longitude
        && doubles[ChunkShape.rows + row] == position.latitude
        && doubles[2 * ChunkShape.rows + row] == position.altitude
    }
  }

  /// Sets a row. The cell must match the column's layout.
  func set(_ cell: StoredCell, at row: Int) {
    assert(hasMemory(for: row), "a chunk has up to 4096 rows")
    if case .null = cell {
      setNull(true, at: row)
      return clear(row)
    }
    setNull(false, at: row)
    switch cell {
    case .null: break
    case .integer(let number): integers[row] = number
    case .float(let number): floats[row] = number
    case .double(let number): doubles[row] = number
    case .bytes(let bytes):
      layout == .bytes ? replaceBytes(bytes, at: row) : setFixed(bytes, at: row)
    case .point(let position): setPoint(position, at: row)
    }
  }

  /// Returns the bytes of a row of fixed or variable length, valid until a row changes.
  private func bytes(ofCell row: Int) -> UnsafeRawBufferPointer {
    guard case .fixed(let width) = layout else { return bytes(at: row) }
    return UnsafeRawBufferPointer(start: rows + row * width, count: width)
  }
}

/// Memory of edited chunks, kept for the next ones, because fresh memory from the system costs a
/// page fault for each page.
final class MemoryPool: @unchecked Sendable {
  // Sendable: `lock` guards everything that changes.
  static let shared = MemoryPool()

  private let lock = Lock()
  private var free: [Int: [UnsafeMutableRawPointer]] = [:]
  private var size = 0

  /// The maximum number of bytes to keep, and the size up to which blocks are not kept.
  private static let most = 4 << 20
  private static let small = 1 << 12

  /// Returns uninitialized memory of that size, aligned to 16 bytes. It is valid until `give`.
  func take(_ count: Int) -> UnsafeMutableRawPointer {
    assert(count > 0, "memory has a size")
    if count > Self.small, let known = lock.withLock({ pop(count) }) { return known }
    return .allocate(byteCount: count, alignment: 16)
  }

  /// Returns memory from `take` to the pool.
  func give(_ memory: UnsafeMutableRawPointer, count: Int) {
    assert(Int(bitPattern: memory) & 15 == 0, "the memory is not from the pool")
    if count > Self.small, lock.withLock({ push(memory, count: count) }) { return }
    memory.deallocate()
  }

  /// Returns memory of that size that the pool has, valid until `give`; nil without.
  private func pop(_ count: Int) -> UnsafeMutableRawPointer? {
    guard let known = free[count]?.popLast() else { return nil }
    size -= count
    return known
  }

  private func push(_ memory: UnsafeMutableRawPointer, count: Int) -> Bool {
    guard size + count <= Self.most else { return false }
    size += count
    assert(free[count]?.contains(memory) != true, "the memory was given twice")
    free[count, default: []].append(memory)
    return true
  }
}
