import CairnGeometry
import CairnStorage
import CairnValues

/// The results of a formula for a batch of rows, or of a part of it, in columns.
///
/// It is valid until the next batch is evaluated.
package final class FormulaVector {
  /// The greatest number of rows in a batch.
  package static let capacity = 1024
  /// The bytes of a row, enough for a location, a decimal, or the address and length of a text.
  private static let rowSize = 24

  /// The type of the values; nil if all are null.
  package internal(set) var type: ValueType?
  /// The number of rows.
  package internal(set) var count = 0
  // The memory is valid while the vector exists, its content until the next batch is evaluated.
  private let memory: UnsafeMutableRawPointer
  /// Whether each row is null. The content of a null row is undefined, but initialized.
  let nulls: UnsafeMutablePointer<Bool>
  /// The values of types that a formula only copies.
  var others: [Value] = []
  /// The bytes of texts and geometries that the formula made.
  private(set) var heap = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The bytes of texts and geometries while they are made.
  private var made: [UInt8] = []

  init() {
    assert(MemoryLayout<Decimal128>.stride <= Self.rowSize, "a decimal is larger than a row")
    assert(MemoryLayout<Position>.stride <= Self.rowSize, "a location is larger than a row")
    memory = .allocate(byteCount: Self.capacity * Self.rowSize, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.capacity * Self.rowSize)
    nulls = .allocate(capacity: Self.capacity)
    nulls.initialize(repeating: false, count: Self.capacity)
  }

  deinit {
    memory.deallocate()
    nulls.deallocate()
    heap.deallocate()
  }

  /// The integers. Valid while the vector exists.
  var integers: UnsafeMutablePointer<Int64> { memory.assumingMemoryBound(to: Int64.self) }
  /// The doubles. Valid while the vector exists.
  var doubles: UnsafeMutablePointer<Double> { memory.assumingMemoryBound(to: Double.self) }
  /// The decimals. Valid while the vector exists.
  var decimals: UnsafeMutablePointer<Decimal128> {
    memory.assumingMemoryBound(to: Decimal128.self)
  }
  /// The locations. Valid while the vector exists.
  var positions: UnsafeMutablePointer<Position> { memory.assumingMemoryBound(to: Position.self) }
  /// The bytes of texts, or of geometries in their packed form. Valid while the vector exists; the
  /// bytes, until the next batch is evaluated.
  var texts: UnsafeMutablePointer<UnsafeRawBufferPointer> {
    memory.assumingMemoryBound(to: UnsafeRawBufferPointer.self)
  }

  /// Whether a row is null.
  package func isNull(_ row: Int) -> Bool {
    assert(row >= 0 && row < count, "a row is outside of the batch")
    return type == nil || nulls[row]
  }

  /// The double of a row that is not null, of the type double or date.
  package func double(_ row: Int) -> Double {
    assert(row >= 0 && row < count, "a row is outside of the batch")
    return doubles[row]
  }

  /// The integer of a row that is not null, of the type int; 0 or 1 for a bool.
  package func int(_ row: Int) -> Int64 {
    assert(row >= 0 && row < count, "a row is outside of the batch")
    return integers[row]
  }

  /// The UTF-8 bytes of a row that is not null, of the type string. They are in the store or in
  /// this vector. Valid until the next batch is evaluated.
  package func bytes(_ row: Int) -> UnsafeRawBufferPointer {
    assert(row >= 0 && row < count && !nulls[row], "a row is outside of the batch or null")
    return texts[row]
  }

  /// The value of a row.
  package func value(_ row: Int) -> Value {
    assert(row >= 0 && row < count, "a row is outside of the batch")
    guard let type, !nulls[row] else { return .null }
    switch type {
    case .bool: return .bool(integers[row] != 0)
    case .int: return .int(integers[row])
    case .double: return .double(doubles[row])
    case .date: return .date(doubles[row])
    case .decimal128: return .decimal(decimals[row])
    case .string: return .string(String(decoding: texts[row], as: UTF8.self))
    case .point: return .point(positions[row])
    case .geometry, .lineString, .polygon: return .geometry(Array(texts[row]))
    default: return others[row]
    }
  }

  /// Sets the text or geometry of each row to what `body` appends to some bytes; a row for which it
  /// returns false becomes null.
  func makeBytes(
    of type: ValueType = .string, _ body: (_ row: Int, _ bytes: inout [UInt8]) -> Bool
  ) {
    made.removeAll(keepingCapacity: true)
    self.type = type
    var ends = Array(repeating: 0, count: count)
    for row in 0..<count {
      nulls[row] = !body(row, &made)
      ends[row] = made.count
    }
    let heap = reserveHeap(made.count)
    heap.copyBytes(from: made)
    var start = 0
    for row in 0..<count {
      texts[row] = UnsafeRawBufferPointer(rebasing: heap[start..<ends[row]])
      start = ends[row]
    }
  }

  /// Provides memory for texts and geometries, valid until the next call. Those that were in the heap
  /// before are lost.
  func reserveHeap(_ size: Int) -> UnsafeMutableRawBufferPointer {
    assert(size >= 0, "the size is negative")
    if heap.count < size {
      heap.deallocate()
      heap = .allocate(byteCount: max(size, 2 * heap.count), alignment: 1)
    }
    return heap
  }

  /// Makes numbers wider, and points of locations.
  func convert(to wanted: ValueType) {
    switch (type, wanted) {
    case (.point, .geometry): makePoints()
    case (.int, .double):
      for row in 0..<count { doubles[row] = Double(integers[row]) }
    case (.int, .decimal128):
      for row in (0..<count).reversed() { decimals[row] = Decimal128(integers[row]) }
    case (.double, .decimal128):
      for row in (0..<count).reversed() { decimals[row] = Decimal128(doubles[row]) }
    default: return
    }
    type = wanted
  }

  /// Sets every row to one value.
  func fill(_ value: Value) {
    assert(count <= Self.capacity, "the batch has too many rows")
    for row in 0..<count { nulls[row] = value.isNull }
    switch value {
    case .null: break
    case .bool(let flag): integers.update(repeating: flag ? 1 : 0, count: count)
    case .int(let number): integers.update(repeating: number, count: count)
    case .float(let number): doubles.update(repeating: Double(number), count: count)
    case .double(let number), .date(let number): doubles.update(repeating: number, count: count)
    case .decimal(let number): decimals.update(repeating: number, count: count)
    case .string(let text): fill(text.utf8)
    case .geometry(let bytes): fill(bytes)
    case .point(let position): positions.update(repeating: position, count: count)
    default: others = Array(repeating: value, count: count)
    }
  }
}

extension FormulaVector {
  private func fill(_ bytes: some Collection<UInt8>) {
    let heap = reserveHeap(bytes.count)
    heap.copyBytes(from: bytes)
    let copy = UnsafeRawBufferPointer(rebasing: heap[..<bytes.count])
    texts.update(repeating: copy, count: count)
  }

  /// Makes points of locations.
  private func makePoints() {
    var builder = GeometryBuilder()
    makeBytes(of: .geometry) { row, bytes in
      if nulls[row] { return false }
      let position = positions[row]
      builder.reset()
      builder.appendPoint(
        longitude: position.longitude, latitude: position.latitude, altitude: position.altitude)
      builder.encode(into: &bytes)
      return true
    }
  }

  /// Reads a property of rows.
  func load(_ column: Column, keys: UnsafeBufferPointer<Int>) {
    if !FormulaVector.isComputable(type) { others = Array(repeating: .null, count: count) }
    forEachChunk(keys) { rows in
      let chunk = column.chunk(RowAddress(keys[rows.lowerBound]).chunk)
      markNulls(chunk, keys: keys, rows: rows)
      copy(chunk, of: column.schema.storedType, keys: keys, rows: rows)
    }
  }

  /// Reads a part of a location of rows.
  func load(_ part: PositionPart, of column: Column, keys: UnsafeBufferPointer<Int>) {
    forEachChunk(keys) { rows in
      let chunk = column.chunk(RowAddress(keys[rows.lowerBound]).chunk)
      markNulls(chunk, keys: keys, rows: rows)
      for row in rows where !nulls[row] {
        doubles[row] = part.value(of: chunk.position(at: RowAddress(keys[row]).row))
      }
    }
  }

  /// Reads a column of rows that are in no table.
  func load(_ rows: some ValueColumns, _ column: Int, keys: UnsafeBufferPointer<Int>) {
    assert(keys.count == count && count <= Self.capacity, "the batch has another number of keys")
    if type == .string {
      for row in 0..<count {
        let text = rows.text(column, row: keys[row])
        nulls[row] = text == nil
        texts[row] = text ?? UnsafeRawBufferPointer(start: nil, count: 0)
      }
      return
    }
    if let type, type.isGeometry {
      makeBytes(of: type) { row, bytes in
        guard case .geometry(let packed) = rows.value(column, row: keys[row]) else { return false }
        bytes += packed
        return true
      }
      return
    }
    if !FormulaVector.isComputable(type) { others = Array(repeating: .null, count: count) }
    for row in 0..<count { set(rows.value(column, row: keys[row]), at: row) }
  }

  /// Reads a part of a location of rows that are in no table.
  func load(
    _ part: PositionPart, of rows: some ValueColumns, _ column: Int,
    keys: UnsafeBufferPointer<Int>
  ) {
    for row in 0..<count {
      guard case .point(let position) = rows.value(column, row: keys[row]) else {
        nulls[row] = true
        continue
      }
      nulls[row] = false
      doubles[row] = part.value(of: position)
    }
  }

  /// Sets a row to a value of the type that is neither a text nor a geometry.
  func set(_ value: Value, at row: Int) {
    nulls[row] = value.isNull
    switch value {
    case .null: break
    case .bool(let flag): integers[row] = flag ? 1 : 0
    case .int(let number): integers[row] = number
    case .float(let number): doubles[row] = Double(number)
    case .double(let number), .date(let number): doubles[row] = number
    case .decimal(let number): decimals[row] = number
    case .point(let position): positions[row] = position
    default: others[row] = value
    }
  }

  /// Reads numbers that are computed for each row.
  func load(_ input: (Int) -> Double?, keys: UnsafeBufferPointer<Int>) {
    assert(keys.count == count && count <= Self.capacity, "the batch has another number of keys")
    for row in 0..<count {
      let number = input(keys[row])
      nulls[row] = number == nil
      doubles[row] = number ?? 0
    }
  }

  /// Whether a formula computes with values of the type, instead of only copying them.
  static func isComputable(_ type: ValueType?) -> Bool {
    switch type {
    case .bool, .int, .double, .date, .decimal128, .string, .point, nil: true
    case .geometry, .lineString, .polygon: true
    default: false
    }
  }

  /// Calls `body` with each range of rows whose keys are in one chunk.
  private func forEachChunk(_ keys: UnsafeBufferPointer<Int>, _ body: (Range<Int>) -> Void) {
    assert(keys.count == count && count <= Self.capacity, "the batch has another number of keys")
    var start = 0
    while start < count {
      let chunk = RowAddress(keys[start]).chunk
      var end = start + 1
      while end < count, RowAddress(keys[end]).chunk == chunk { end += 1 }
      body(start..<end)
      start = end
    }
  }

  private func markNulls(_ chunk: Chunk, keys: UnsafeBufferPointer<Int>, rows: Range<Int>) {
    for row in rows { nulls[row] = chunk.isRowNull(RowAddress(keys[row]).row) }
  }

  /// Copies the values of rows of one chunk.
  private func copy(
    _ chunk: Chunk, of type: ValueType, keys: UnsafeBufferPointer<Int>, rows: Range<Int>
  ) {
    switch type {
    case .bool, .int:
      for row in rows { integers[row] = chunk.rowInteger(RowAddress(keys[row]).row) }
    case .float:
      for row in rows { doubles[row] = Double(chunk.rowFloat(RowAddress(keys[row]).row)) }
    case .double, .date:
      let scale = chunk.scale
      for row in rows { doubles[row] = chunk.rowDouble(RowAddress(keys[row]).row, scale: scale) }
    case .decimal128:
      for row in rows {
        decimals[row] = Decimal128(storedBytes: chunk.rowBytes(RowAddress(keys[row]).row))
      }
    case .string, .geometry, .lineString, .polygon:
      for row in rows where !nulls[row] { texts[row] = chunk.rowBytes(RowAddress(keys[row]).row) }
    case .point:
      for row in rows where !nulls[row] {
        positions[row] = chunk.position(at: RowAddress(keys[row]).row)
      }
    default:
      for row in rows { others[row] = chunk.value(at: RowAddress(keys[row]).row, type: type) }
    }
  }
}
