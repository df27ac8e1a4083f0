import CairnStorage
import CairnSystem

/// The rows of a class that meet a condition, evaluated on demand and then cached.
///
/// A few rows of a chunk are tested one by one. When that has cost about as much as the whole chunk
/// would, the chunk is evaluated at once. `complete` evaluates all of them, after which any thread
/// may read the set.
final class SemiJoinSet {
  let table: Table
  let filter: Filter
  let live: LiveRows
  private let planner: ScanPlanner
  /// The result for rows that are not live.
  let deletedMatch: Bool
  /// The results: a bit for every row. They are valid for evaluated chunks and rows only.
  private let hits: UnsafeMutablePointer<UInt64>
  private let states: UnsafeMutablePointer<State>
  private let chunkCount: Int
  /// The evaluated rows of chunks that were not evaluated as a whole.
  private var evaluatedRows: UnsafeMutablePointer<UInt64>?
  /// The approximate cost in nanoseconds of the single rows tested in each chunk.
  private var spent: [Float] = []
  private var requested: [Int] = []
  private var remainingChunks: Int
  private var didTryIndex = false

  private enum State: UInt8 {
    case unknown, rows, whole
  }

  init(_ table: Table, filter: Filter, deletedMatch: Bool, planner: @escaping ScanPlanner) {
    self.planner = planner
    self.table = table
    self.filter = filter
    self.deletedMatch = deletedMatch
    live = LiveRows(table)
    chunkCount = table.chunkCount
    remainingChunks = chunkCount
    hits = .allocate(capacity: max(1, chunkCount * ChunkShape.words))
    states = .allocate(capacity: max(1, chunkCount))
    states.initialize(repeating: .unknown, count: chunkCount)
  }

  deinit {
    hits.deallocate()
    states.deallocate()
    evaluatedRows?.deallocate()
  }

  /// Whether every row has been evaluated.
  var isComplete: Bool { remainingChunks == 0 }

  /// Whether an evaluated row meets the condition.
  @inline(__always)
  func holds(_ key: Int) -> Bool {
    guard UInt(bitPattern: key) < UInt(bitPattern: live.end) else { return deletedMatch }
    return hits[key >> 6] >> UInt64(key & 63) & 1 != 0
  }

  /// Whether a row meets the condition. Call this on the snapshot's own thread unless the set is
  /// complete.
  func contains(_ key: Int, scratch: ScratchBuffers) -> Bool {
    if !isComplete {
      request(key)
      evaluateRequested(scratch)
    }
    return holds(key)
  }

  /// Marks a row for evaluation.
  @inline(__always)
  func request(_ key: Int) {
    guard UInt(bitPattern: key) < UInt(bitPattern: live.end),
      states[RowAddress(key).chunk] != .whole
    else { return }
    requested.append(key)
  }

  /// Evaluates the marked rows.
  func evaluateRequested(_ scratch: ScratchBuffers) {
    guard !requested.isEmpty else { return }
    assert(!SharedWork.isRunning, "the set is complete before threads share it")
    if !didTryIndex {
      didTryIndex = true
      if fillFromIndex(atMost: 2000, scratch) { return requested.removeAll(keepingCapacity: true) }
    }
    if requested.count > 1 { requested.sort() }
    var next = 0
    while next < requested.count {
      let chunk = RowAddress(requested[next]).chunk
      let end = requested.firstIndex(notBelow: RowAddress.firstKey(ofChunk: chunk + 1))
      evaluateRequested(chunk, positions: next..<end, scratch: scratch)
      next = end
    }
    requested.removeAll(keepingCapacity: true)
  }

  private func evaluateRequested(_ chunk: Int, positions: Range<Int>, scratch: ScratchBuffers) {
    let whole = Float(300 + Double(ChunkShape.rows) * filter.cost)
    let rows = Float(200 + Double(positions.count) * 2 * max(2, filter.cost))
    if spent.isEmpty { spent = Array(repeating: 0, count: chunkCount) }
    spent[chunk] += rows
    if spent[chunk] > whole {
      evaluate(chunk, zoneMapResult: filter.zoneMapResult(chunk), scratch: scratch)
    } else {
      evaluate(requested[positions], of: chunk, scratch: scratch)
    }
  }

  /// Evaluates some rows of a chunk.
  private func evaluate(_ keys: ArraySlice<Int>, of chunk: Int, scratch: ScratchBuffers) {
    assert(chunk >= 0 && chunk < chunkCount, "the chunk does not exist")
    assert(
      keys.allSatisfy { RowAddress($0).chunk == chunk }, "a row belongs to another chunk")
    let first = chunk * ChunkShape.words
    let evaluatedRows = evaluatedBitmap()
    if states[chunk] == .unknown {
      (evaluatedRows + first).update(repeating: 0, count: ChunkShape.words)
      (hits + first).update(repeating: 0, count: ChunkShape.words)
      states[chunk] = .rows
    }
    var rows = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    rows.upper = ChunkShape.words
    rows.clear()
    for key in keys where evaluatedRows[key >> 6] >> UInt64(key & 63) & 1 == 0 {
      let bit: UInt64 = 1 << UInt64(key & 63)
      evaluatedRows[key >> 6] |= bit
      if live.holds(key) {
        rows.add(key >> 6 - first, bits: bit)
      } else if deletedMatch {
        hits[key >> 6] |= bit
      }
    }
    guard rows.trim() else { return }
    filter.refine(&rows, chunk: chunk, scratch: scratch)
    for word in rows.wordRange { hits[first + word] |= rows.words[word] }
  }

  /// The bitmap of the evaluated rows. Valid while the set exists.
  private func evaluatedBitmap() -> UnsafeMutablePointer<UInt64> {
    if let evaluatedRows { return evaluatedRows }
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: chunkCount * ChunkShape.words)
    evaluatedRows = made
    return made
  }

  /// Evaluates a chunk with that zone-map result.
  private func evaluate(_ chunk: Int, zoneMapResult: ZoneMapResult, scratch: ScratchBuffers) {
    fill(chunk, zoneMapResult: zoneMapResult, scratch: scratch)
    markWhole(chunk)
  }

  private func markWhole(_ chunk: Int) {
    if states[chunk] != .whole { remainingChunks -= 1 }
    states[chunk] = .whole
  }

  private func fill(_ chunk: Int, zoneMapResult: ZoneMapResult, scratch: ScratchBuffers) {
    assert(chunk >= 0 && chunk < chunkCount, "the chunk does not exist")
    var rows = Selection(hits + chunk * ChunkShape.words)
    let count = min(ChunkShape.rows, live.end - RowAddress.firstKey(ofChunk: chunk))
    (rows.words + count >> 6).update(repeating: 0, count: ChunkShape.words - count >> 6)
    let liveBits = live.bits(chunk)
    if let liveBits { rows.select(liveBits, rows: count) } else { rows.selectAll(count) }
    switch zoneMapResult {
    case .all: break
    case .none: rows.clear()
    case .some: filter.refine(&rows, chunk: chunk, scratch: scratch)
    }
    if deletedMatch, let liveBits { addDeleted(chunk, liveBits: liveBits) }
  }

  private func addDeleted(_ chunk: Int, liveBits: UnsafePointer<UInt64>) {
    let first = chunk * ChunkShape.words
    for word in 0..<ChunkShape.words { hits[first + word] |= ~liveBits[word] }
  }

  // MARK: All rows

  /// Evaluates every row on all cores. Call this on the snapshot's own thread.
  func complete(_ scratch: ScratchBuffers) {
    guard !isComplete else { return }
    assert(!SharedWork.isRunning, "the set is complete before threads share it")
    if fillFromIndex(atMost: .max, scratch) { return }
    live.prepare()
    let open = (0..<chunkCount).filter { states[$0] != .whole }
    let zoneMapResults = open.map(filter.zoneMapResult)
    filter.prepare(zip(open, zoneMapResults).filter { $0.1 == .some }.map(\.0))
    let parts = open.count < 8 ? 1 : min(open.count, WorkerPool.shared.width * 4)
    WorkerPool.shared.run(parts) { part in
      let own = ScratchBuffers(deadline: scratch.deadline)
      for position in open.count * part / parts..<open.count * (part + 1) / parts {
        if own.isStopped { return }
        fill(open[position], zoneMapResult: zoneMapResults[position], scratch: own)
      }
    }
    for chunk in open { markWhole(chunk) }
  }

  /// Evaluates every row through an index with few enough candidates. Returns false if there is
  /// none.
  private func fillFromIndex(atMost most: Int, _ scratch: ScratchBuffers) -> Bool {
    let scan = planner(table, filter.conjuncts)
    switch scan.accessPath {
    case .chunks: return false
    case .keys(let keys, _): if keys.count > most { return false }
    case .spatial(let access): if access.estimate > most { return false }
    }
    hits.update(repeating: 0, count: chunkCount * ChunkShape.words)
    let sink = BitSink(hits, chunkCount: chunkCount)
    _ = scan.run(scan.allChunks, into: sink, scratch: scratch)
    for chunk in 0..<chunkCount {
      if deletedMatch, let liveBits = live.bits(chunk) { addDeleted(chunk, liveBits: liveBits) }
      markWhole(chunk)
    }
    return true
  }
}

/// A sink that sets the bits of rows in a bitmap of the whole table.
private final class BitSink: Sink {
  private let bits: UnsafeMutablePointer<UInt64>
  private let chunkCount: Int

  init(_ bits: UnsafeMutablePointer<UInt64>, chunkCount: Int) {
    self.bits = bits
    self.chunkCount = chunkCount
  }

  func prepare(_ chunks: [Int]) {}

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    assert(chunk >= 0 && chunk < chunkCount, "the chunk does not exist")
    let first = bits + chunk * ChunkShape.words
    for word in selection.wordRange {
      first[word] |= selection.words[word]
    }
    return true
  }
}

extension SemiJoinSet {
  /// Evaluates the objects behind the links of these rows.
  func evaluateRequested(
    linksOf rows: Selection, _ chunk: Chunk, isMap: Bool, scratch: ScratchBuffers
  ) {
    if isComplete { return }
    rows.forEachRow { row -> Void in
      let links = chunk.links(row, isMap: isMap)
      for position in 0..<links.count where !links.isNull(position) {
        request(Int(links.int(position)))
      }
    }
    evaluateRequested(scratch)
  }
}
