import CairnValues

/// The rows of one column batch along the Hilbert curve, spilled column by column.
struct SortedRun: Sendable {
  let rowCount: Int
  /// The size of the columns in bytes.
  let byteCount: Int
  /// The Hilbert keys, in order.
  let keys: SpilledArray
  /// Every `KeySearch.windowSize`-th key, in memory.
  let samples: [UInt64]
  let columns: [SpilledColumn]
  /// The source ordinal of each row; only kept if a primary key may repeat.
  let ordinals: SpilledArray?

  /// The key of rows whose location is null, which come last.
  static let nullKey = UInt64.max

  /// Sorts the batch and spills it.
  ///
  /// - Parameters:
  ///   - flags: A flag for each row; nil for the whole batch.
  ///   - isFlagged: Whether the run has the rows with or without the flag.
  init(
    _ section: ColumnBatch, number: Int, location: Int?, keepsOrdinals: Bool, into spill: SpillFile,
    rows flags: [Bool]? = nil, isFlagged: Bool = false
  ) throws(StoreError) {
    let keys = Self.hilbertKeys(section, location: location)
    var order = keys.withUnsafeBufferPointer { RadixSort.order($0) }
    if let flags { order.removeAll { flags[Int($0)] != isFlagged } }
    rowCount = order.count
    byteCount = section.byteCount * order.count / max(1, section.rowCount)
    let sorted = order.map { keys[Int($0)] }
    samples = stride(from: 0, to: sorted.count, by: KeySearch.windowSize).map { sorted[$0] }
    self.keys = try SpilledArray(sorted, into: spill)
    var columns: [SpilledColumn] = []
    for column in section.allColumns {
      columns.append(try SpilledColumn(column, order: order, into: spill))
    }
    self.columns = columns
    ordinals =
      keepsOrdinals
      ? try SpilledArray(order.map { UInt64(number) << 32 | UInt64($0) }, into: spill) : nil
  }

  private static func hilbertKeys(_ section: ColumnBatch, location: Int?) -> [UInt64] {
    guard let location else { return [UInt64](repeating: 0, count: section.rowCount) }
    let points = section.allColumns[location]
    var keys = points.hilbertKeys()
    // A point in the very last cell of the curve must not be sorted among the nulls.
    for row in keys.indices where keys[row] == nullKey { keys[row] = nullKey - 1 }
    for row in 0..<points.nulls.count where points.isNull(row) { keys[row] = nullKey }
    return keys
  }
}

/// An array of 64-bit numbers in a spill file.
struct SpilledArray: Sendable {
  let offset: Int
  let count: Int

  init(offset: Int, count: Int) {
    self.offset = offset
    self.count = count
  }

  init(_ values: [UInt64], into spill: SpillFile) throws(StoreError) {
    count = values.count
    offset = try spill.append(values)
  }

  /// Returns the number at a position.
  func value(at position: Int, _ spill: SpillFile) throws(StoreError) -> UInt64 {
    try values(at: position..<position + 1, spill)[0]
  }

  /// Returns the numbers at a range of positions.
  func values(at positions: Range<Int>, _ spill: SpillFile) throws(StoreError) -> [UInt64] {
    var values = [UInt64](repeating: 0, count: positions.count)
    let result: Result<Void, StoreError> = values.withUnsafeMutableBytes { bytes in
      do throws(StoreError) {
        return .success(try spill.read(bytes, at: offset + positions.lowerBound * 8))
      } catch { return .failure(error) }
    }
    try result.get()
    return values
  }
}

/// One column of a sorted run: offsets in the spill file of fixed-width rows (two arrays for
/// points), or of ends and bytes; and of nulls.
struct SpilledColumn: Sendable {
  let rows: Int
  let heap: Int
  /// A byte for each row; nil if the column has no nulls.
  let nulls: Int?

  init(_ column: ColumnBuilder, order: [UInt32], into spill: SpillFile) throws(StoreError) {
    let rows = column.rows
    switch column.layout {
    case .integers, .doubles:
      self.rows = try spill.appendPermuted(rows, order: order, as: UInt64.self)
      heap = 0
    case .floats:
      self.rows = try spill.appendPermuted(rows, order: order, as: UInt32.self)
      heap = 0
    case .points:
      self.rows = try spill.appendPermuted(rows, order: order, as: UInt64.self)
      heap = try spill.appendPermuted(column.heap, order: order, as: UInt64.self)
    case .fixed(let width):
      self.rows = try spill.appendPermuted(rows, order: order, width: width)
      heap = 0
    case .bytes:
      (self.rows, heap) = try spill.appendTexts(column, order: order)
    }
    if column.nulls.count > 0 {
      column.nulls.pad(to: column.count)
      nulls = try spill.appendPermuted(column.nulls, order: order, as: UInt8.self)
    } else {
      nulls = nil
    }
  }
}

extension SpillFile {
  /// Appends an array of numbers and returns its offset.
  func append(_ values: [UInt64]) throws(StoreError) -> Int {
    let result: Result<Int, StoreError> = values.withUnsafeBytes { bytes in
      do throws(StoreError) { return .success(try append(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  fileprivate func appendPermuted<T: BitwiseCopyable>(
    _ rows: GrowingBytes, order: [UInt32], as type: T.Type
  ) throws(StoreError) -> Int {
    let count = rows.count / MemoryLayout<T>.stride
    let source = rows.base.assumingMemoryBound(to: T.self)
    let sorted = UnsafeMutablePointer<T>.allocate(capacity: order.count)
    defer { sorted.deallocate() }
    for index in 0..<order.count {
      let row = order[index]
      assert(row < count, "the order has a row that does not exist")
      sorted[index] = source[Int(row)]
    }
    return try append(
      UnsafeRawBufferPointer(start: sorted, count: order.count * MemoryLayout<T>.stride))
  }

  fileprivate func appendPermuted(
    _ rows: GrowingBytes, order: [UInt32], width: Int
  ) throws(StoreError) -> Int {
    let sorted = UnsafeMutableRawPointer.allocate(byteCount: order.count * width, alignment: 16)
    defer { sorted.deallocate() }
    for index in 0..<order.count {
      let row = order[index]
      assert((Int(row) + 1) * width <= rows.count, "the order has a row that does not exist")
      (sorted + index * width).copyMemory(from: rows.base + Int(row) * width, byteCount: width)
    }
    return try append(UnsafeRawBufferPointer(start: sorted, count: order.count * width))
  }

  fileprivate func appendTexts(
    _ column: ColumnBuilder, order: [UInt32]
  ) throws(StoreError) -> (rows: Int, heap: Int) {
    let ends = column.rows.base.assumingMemoryBound(to: UInt32.self)
    let sortedEnds = UnsafeMutablePointer<UInt32>.allocate(capacity: order.count)
    let sorted = UnsafeMutableRawPointer.allocate(byteCount: column.heap.count, alignment: 16)
    defer {
      sortedEnds.deallocate()
      sorted.deallocate()
    }
    var offset = 0
    for index in 0..<order.count {
      let row = order[index]
      assert((Int(row) + 1) * 4 <= column.rows.count, "the order has a row that does not exist")
      let start = row == 0 ? 0 : Int(ends[Int(row) - 1])
      let length = Int(ends[Int(row)]) - start
      assert(length >= 0 && start + length <= column.heap.count, "a text lies outside of the heap")
      assert(offset + length <= column.heap.count, "the order has a row twice")
      (sorted + offset).copyMemory(from: column.heap.base + start, byteCount: length)
      offset += length
      sortedEnds[index] = UInt32(offset)
    }
    return (
      try append(UnsafeRawBufferPointer(start: sortedEnds, count: order.count * 4)),
      try append(UnsafeRawBufferPointer(start: sorted, count: offset))
    )
  }
}

/// Searches a sorted run for keys: first the samples in memory, then one window of the spill file.
/// The window is kept, because the searches of one bisection mostly end in the same window.
final class KeySearch {
  private let run: SortedRun
  private let spill: SpillFile
  private var window: [UInt64] = []
  private var windowNumber = -1

  /// The number of keys in a window; the first of each is a sample.
  static let windowSize = 1024

  init(_ run: SortedRun, spill: SpillFile) {
    self.run = run
    self.spill = spill
  }

  /// Returns the number of rows with a smaller key, or also an equal one if `orEqual`.
  func rowsBelow(_ key: UInt64, orEqual: Bool) throws(StoreError) -> Int {
    let windows = Self.countBelow(key, orEqual: orEqual, in: run.samples)
    guard windows > 0 else { return 0 }
    try load(windows - 1)
    return (windows - 1) * Self.windowSize
      + Self.countBelow(key, orEqual: orEqual, in: window)
  }

  private func load(_ number: Int) throws(StoreError) {
    guard number != windowNumber else { return }
    let start = number * Self.windowSize
    window = try run.keys.values(at: start..<min(run.rowCount, start + Self.windowSize), spill)
    windowNumber = number
  }

  private static func countBelow(_ key: UInt64, orEqual: Bool, in keys: [UInt64]) -> Int {
    partitionPoint(keys.count) { keys[$0] < key || (orEqual && keys[$0] == key) }
  }
}
