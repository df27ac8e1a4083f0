import CairnGeometry
import CairnIndex
import CairnValues

/// Merges sorted runs into chunks, block by block. A block is a range of the final order, located
/// in every run by its rank, so that blocks are independent of each other.
struct RunMerge: Sendable {
  let runs: [SortedRun]
  let columns: [BulkColumn]
  /// The column that determines the order.
  let location: Int?
  let spill: SpillFile
  /// The columns with a full-text index.
  let fullText: [Int]
  /// The rules by which values of the columns lie outside of their chunks.
  private let rules: [LargeValueRule?]
  let rowCount: Int

  /// The number of rows in a block: 1 to 32 chunks, so that long rows take no more memory than
  /// short ones.
  let blockRows: Int

  /// The number of blocks that may be encoded before they are written: fewer if a single chunk is
  /// large.
  let blocksAhead: Int

  /// The usual target size in bytes of a block; several blocks are in memory at once.
  static let usualBlockBytes = 16 << 20
  private static let maxChunks = 32

  init(
    _ runs: [SortedRun], columns: [BulkColumn], location: Int?, spill: SpillFile,
    fullText: [Int] = [], format: UInt32 = Store.formatVersion,
    blockBytes: Int = usualBlockBytes
  ) {
    self.runs = runs
    self.columns = columns
    self.location = location
    self.spill = spill
    self.fullText = fullText
    rules = columns.map { $0.largeValueRule(format: format) }
    rowCount = runs.reduce(0) { $0 + $1.rowCount }
    let bytes = runs.reduce(0) { $0 + $1.byteCount }
    let chunkBytes = max(1, bytes / max(1, rowCount)) * ChunkShape.rows
    let chunks = max(1, min(Self.maxChunks, blockBytes / chunkBytes))
    blockRows = chunks * ChunkShape.rows
    let size = chunks * chunkBytes
    blocksAhead = size <= blockBytes ? 4 : max(1, 2 * blockBytes / size)
  }

  var blockCount: Int { (rowCount + blockRows - 1) / blockRows }

  /// Returns the start of each block in each run, and the end of the last block.
  func cuts() throws(StoreError) -> [[Int]] {
    var cuts = [[Int](repeating: 0, count: runs.count)]
    let searches = runs.map { KeySearch($0, spill: spill) }
    for block in 1..<max(blockCount, 1) {
      cuts.append(try cut(rank: block * blockRows, searches))
    }
    cuts.append(runs.map(\.rowCount))
    return cuts
  }

  /// Returns the first `rank` rows of the final order, as a number of rows for each run.
  private func cut(rank: Int, _ searches: [KeySearch]) throws(StoreError) -> [Int] {
    var low: UInt64 = 0
    var high = UInt64.max
    while low < high {
      let middle = low + (high - low) / 2
      if try rowsBelow(middle, orEqual: true, searches: searches).reduce(0, +) >= rank {
        high = middle
      } else {
        low = middle + 1
      }
    }
    var positions = try rowsBelow(low, orEqual: false, searches: searches)
    let through = try rowsBelow(low, orEqual: true, searches: searches)
    var missing = rank - positions.reduce(0, +)
    for run in runs.indices {
      let take = min(missing, through[run] - positions[run])
      positions[run] += take
      missing -= take
    }
    return positions
  }

  private func rowsBelow(
    _ key: UInt64, orEqual: Bool, searches: [KeySearch]
  ) throws(StoreError) -> [Int] {
    var counts: [Int] = []
    for search in searches { counts.append(try search.rowsBelow(key, orEqual: orEqual)) }
    return counts
  }

  /// Reads, sorts and encodes one block.
  func block(_ number: Int, cuts: [[Int]]) throws(StoreError) -> EncodedBlock {
    let slices = runs.indices.map { cuts[number][$0]..<cuts[number + 1][$0] }
    let rows = slices.reduce(0) { $0 + $1.count }
    let keys = try gather(slices, width: 8, rows: rows) { $0.keys.offset }
    defer { keys.deallocate() }
    let order = RadixSort.order(
      UnsafeBufferPointer(rebasing: UnsafeBufferPointer(keys.bindMemory(to: UInt64.self))[..<rows]))
    var block = EncodedBlock(firstRow: number * blockRows, rowCount: rows)
    for index in columns.indices {
      try encode(index, slices: slices, order: order, into: &block)
    }
    for column in fullText { try block.addTexts(of: column, spill) }
    if runs.first?.ordinals != nil {
      let ordinals = try gather(slices, width: 8, rows: rows) { $0.ordinals?.offset ?? 0 }
      defer { ordinals.deallocate() }
      let source = ordinals.bindMemory(to: UInt64.self)
      block.ordinals = order.map { source[Int($0)] }
    }
    return block
  }

  /// Concatenates the slices of one array of every run. The buffer may be longer; the caller
  /// deallocates it.
  private func gather(
    _ slices: [Range<Int>], width: Int, rows: Int, at offset: (SortedRun) -> Int
  ) throws(StoreError) -> UnsafeMutableRawBufferPointer {
    assert(slices.reduce(0) { $0 + $1.count } == rows, "the slices have other rows")
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(rows * width, 16), alignment: 16)
    var end = 0
    for (run, slice) in zip(runs, slices) where !slice.isEmpty {
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + slice.count * width])
      try spill.read(part, at: offset(run) + slice.lowerBound * width)
      end += slice.count * width
    }
    return bytes
  }

  private func encode(
    _ index: Int, slices: [Range<Int>], order: [UInt32], into block: inout EncodedBlock
  ) throws(StoreError) {
    let layout = columns[index].layout
    let rows = order.count
    let nulls = try nulls(index, slices: slices, rows: rows)
    defer { nulls?.deallocate() }
    let source = try source(index, layout: layout, slices: slices, rows: rows)
    defer { source.deallocate() }
    let buffer = ChunkBuffer(layout: layout)
    for start in stride(from: 0, to: rows, by: ChunkShape.rows) {
      let end = min(rows, start + ChunkShape.rows)
      buffer.removeAll()
      buffer.count = end - start
      let large = try source.fill(buffer, order: order[start..<end], spill, rules[index])
      if let nulls {
        for row in start..<end where nulls[Int(order[row])] != 0 {
          buffer.setNull(true, at: row - start)
        }
      }
      let chunk = EncodedBlock.EncodedChunk(
        buffer, large, column: index, index: start / ChunkShape.rows)
      block.append(chunk, hasLeaves: index == location)
    }
  }

  /// Returns a byte for each row of a block, which is 1 for a null; nil without nulls. The caller
  /// deallocates them.
  private func nulls(
    _ index: Int, slices: [Range<Int>], rows: Int
  ) throws(StoreError) -> UnsafeMutableRawBufferPointer? {
    guard runs.contains(where: { $0.columns[index].nulls != nil }) else { return nil }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(rows, 16), alignment: 16)
    var end = 0
    for (run, slice) in zip(runs, slices) where !slice.isEmpty {
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + slice.count])
      if let offset = run.columns[index].nulls {
        try spill.read(part, at: offset + slice.lowerBound)
      } else {
        part.initializeMemory(as: UInt8.self, repeating: 0)
      }
      end += slice.count
    }
    return bytes
  }

  private func source(
    _ index: Int, layout: ChunkLayout, slices: [Range<Int>], rows: Int
  ) throws(StoreError) -> MergeSource {
    /// The caller deallocates the rows.
    func fixed(_ width: Int) throws(StoreError) -> UnsafeMutableRawBufferPointer {
      try gather(slices, width: width, rows: rows) { $0.columns[index].rows }
    }
    switch layout {
    case .integers, .doubles: return .fixed(try fixed(8), width: 8)
    case .floats: return .fixed(try fixed(4), width: 4)
    case .fixed(let width): return .fixed(try fixed(width), width: width)
    case .points:
      return .points(
        try fixed(8), try gather(slices, width: 8, rows: rows) { $0.columns[index].heap })
    case .bytes: return try texts(index, slices: slices, rows: rows)
    }
  }

  /// Returns the texts of every slice and where each is; the caller deallocates their heap. Texts that
  /// get keys of their own remain in the spill file, so that a chunk of them does not take their size in
  /// memory.
  private func texts(
    _ index: Int, slices: [Range<Int>], rows: Int
  ) throws(StoreError) -> MergeSource {
    let ends = try gather(slices, width: 4, rows: rows) { $0.columns[index].rows }
    defer { ends.deallocate() }
    var places: [TextPlace] = []
    places.reserveCapacity(rows)
    let local = ends.bindMemory(to: UInt32.self)
    /// The parts of the spill file with texts that are read.
    var parts: [Range<Int>] = []
    var heapSize = 0
    for (run, slice) in zip(runs, slices) where !slice.isEmpty {
      let heap = run.columns[index].heap
      var previous = try start(of: slice.lowerBound, run.columns[index])
      for _ in 0..<slice.count {
        let end = local[places.count]
        let (offset, size) = (heap + Int(previous), Int(end - previous))
        previous = end
        if rules[index] != nil, !LargeValueGroup.holds(size) {
          places.append(TextPlace(offset: offset, size: size, isSpilled: true))
          continue
        }
        places.append(TextPlace(offset: heapSize, size: size, isSpilled: false))
        heapSize += size
        if let last = parts.last, last.upperBound == offset {
          parts[parts.count - 1] = last.lowerBound..<offset + size
        } else if size > 0 {
          parts.append(offset..<offset + size)
        }
      }
    }
    assert(places.count == rows, "the slices have other rows")
    guard heapSize <= Int(UInt32.max) else {
      throw StoreError(
        .full,
        message:
          "'\(columns[index].name)' holds \(heapSize) bytes in \(rows) neighbouring records; "
          + "the maximum is \(UInt32.max); a compacted store holds more"
      )
    }
    let heap = UnsafeMutableRawBufferPointer.allocate(byteCount: max(heapSize, 16), alignment: 16)
    var filled = 0
    for part in parts {
      try spill.read(
        UnsafeMutableRawBufferPointer(rebasing: heap[filled..<filled + part.count]),
        at: part.lowerBound)
      filled += part.count
    }
    assert(filled == heapSize, "the texts have another size than the heap")
    return .texts(places, heap)
  }

  /// Returns the start of a row's text in its run's heap.
  private func start(of row: Int, _ column: SpilledColumn) throws(StoreError) -> UInt32 {
    guard row > 0 else { return 0 }
    var end: UInt32 = 0
    let result: Result<Void, StoreError> = withUnsafeMutableBytes(of: &end) { bytes in
      do throws(StoreError) {
        return .success(try spill.read(bytes, at: column.rows + (row - 1) * 4))
      } catch { return .failure(error) }
    }
    try result.get()
    return end
  }
}

/// One column of a block before it is sorted.
enum MergeSource {
  case fixed(UnsafeMutableRawBufferPointer, width: Int)
  case points(UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
  case texts([TextPlace], UnsafeMutableRawBufferPointer)

  /// Copies the rows into the buffer in the given order.
  ///
  /// - Returns: The large values, to which rows refer, in the order of the rows.
  func fill(
    _ buffer: ChunkBuffer, order: ArraySlice<UInt32>, _ spill: SpillFile, _ rule: LargeValueRule?
  ) throws(StoreError) -> [LargeRow] {
    assert(order.count == buffer.count, "each row has a source")
    var large: [LargeRow] = []
    switch self {
    case .fixed(let rows, 8):
      Self.permute(rows.bindMemory(to: UInt64.self), target: buffer.rows, order: order)
    case .fixed(let rows, 4):
      Self.permute(rows.bindMemory(to: UInt32.self), target: buffer.rows, order: order)
    case .fixed(let rows, let width):
      for (row, source) in order.enumerated() {
        buffer.setFixed(
          UnsafeRawBufferPointer(rebasing: rows[Int(source) * width..<Int(source) * width + width]),
          at: row)
      }
    case .points(let longitudes, let latitudes):
      Self.permute(longitudes.bindMemory(to: UInt64.self), target: buffer.longitudes, order: order)
      Self.permute(latitudes.bindMemory(to: UInt64.self), target: buffer.latitudes, order: order)
    case .texts(let places, let heap):
      for (row, source) in order.enumerated() {
        let place = places[Int(source)]
        let spilled =
          place.isSpilled ? SpilledValue(offset: place.offset, size: place.size) : nil
        let read = try spilled?.read(from: spill)
        withExtendedLifetime(read) {
          let bytes = read?.bytes ?? place.bytes(in: heap)
          guard let reference = rule?.reference(to: bytes) else {
            return buffer.setBytes(bytes, at: row)
          }
          buffer.memory.setReference(reference, at: row)
          large.append(LargeRow(row: row, value: LargeValue(spilled, bytes)))
        }
      }
    }
    return large
  }

  private static func permute<T: BitwiseCopyable>(
    _ source: UnsafeMutableBufferPointer<T>, target: UnsafeMutableRawPointer,
    order: ArraySlice<UInt32>
  ) {
    assert(order.count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    let rows = target.assumingMemoryBound(to: T.self)
    order.withUnsafeBufferPointer { order in
      for row in 0..<order.count { rows[row] = source[Int(order[row])] }
    }
  }

  func deallocate() {
    switch self {
    case .fixed(let rows, _): rows.deallocate()
    case .points(let longitudes, let latitudes):
      longitudes.deallocate()
      latitudes.deallocate()
    case .texts(_, let heap): heap.deallocate()
    }
  }
}

/// The place of a text: in the heap of a block, or in the spill file.
struct TextPlace {
  let offset: Int
  let size: Int
  let isSpilled: Bool

  /// Returns a text in the heap of a block, valid like the heap.
  func bytes(in heap: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
    assert(!isSpilled && offset + size <= heap.count, "a text lies outside of the heap")
    return UnsafeRawBufferPointer(rebasing: heap[offset..<offset + size])
  }
}
