import CairnStorage

/// The rows of a class that a condition holds for, worked out as far as they are asked for and then remembered.
///
/// A few rows of a chunk are asked one by one; when that has cost about as much as the whole chunk would, the
/// chunk is worked out at once. `complete` works out all of them, after which any thread may ask.
final class KeySet: @unchecked Sendable {
  let table: Table
  let filter: Filter
  let live: LiveRows
  /// What is said of rows that do not live.
  let deadMatch: Bool
  /// A bit for every row, of chunks and rows that are known.
  private let hits: UnsafeMutablePointer<UInt64>
  private let states: UnsafeMutablePointer<State>
  private let chunkCount: Int
  /// For chunks of which single rows are known: a bit for those.
  private var known: UnsafeMutablePointer<UInt64>?
  /// Nanoseconds, roughly, that single rows of each chunk have cost.
  private var spent: [Float] = []
  private var needed: [Int] = []
  private var unknownChunks: Int
  private var wasPlanned = false

  private enum State: UInt8 {
    case unknown, rows, whole
  }

  init(_ table: Table, _ filter: Filter, deadMatch: Bool) {
    self.table = table
    self.filter = filter
    self.deadMatch = deadMatch
    live = LiveRows(table)
    chunkCount = table.chunkCount
    unknownChunks = chunkCount
    hits = .allocate(capacity: max(1, chunkCount * ChunkShape.words))
    states = .allocate(capacity: max(1, chunkCount))
    states.initialize(repeating: .unknown, count: chunkCount)
  }

  deinit {
    hits.deallocate()
    states.deallocate()
    known?.deallocate()
  }

  /// Whether every row is known.
  var isComplete: Bool { unknownChunks == 0 }

  /// Whether the condition holds for a row that is known.
  @inline(__always)
  func holds(_ key: Int) -> Bool {
    guard UInt(bitPattern: key) < UInt(bitPattern: live.end) else { return deadMatch }
    return hits[key >> 6] >> UInt64(key & 63) & 1 != 0
  }

  /// Whether the condition holds for a row; on the snapshot's own thread unless the set is complete.
  func contains(_ key: Int, _ workspace: Workspace) -> Bool {
    if !isComplete {
      need(key)
      settle(workspace)
    }
    return holds(key)
  }

  /// Notes a row that will be asked for.
  @inline(__always)
  func need(_ key: Int) {
    guard UInt(bitPattern: key) < UInt(bitPattern: live.end),
      states[key >> ChunkShape.shift] != .whole
    else { return }
    needed.append(key)
  }

  /// Works out the rows that were noted.
  func settle(_ workspace: Workspace) {
    guard !needed.isEmpty else { return }
    if !wasPlanned {
      wasPlanned = true
      if fillFromIndex(atMost: 2000, workspace) { return needed.removeAll(keepingCapacity: true) }
    }
    if needed.count > 1 { needed.sort() }
    var next = 0
    while next < needed.count {
      let chunk = needed[next] >> ChunkShape.shift
      let end = needed.firstPlace(notBelow: (chunk + 1) << ChunkShape.shift)
      settle(chunk, next..<end, workspace)
      next = end
    }
    needed.removeAll(keepingCapacity: true)
  }

  private func settle(_ chunk: Int, _ places: Range<Int>, _ workspace: Workspace) {
    let whole = Float(300 + Double(ChunkShape.rows) * filter.cost)
    let rows = Float(200 + Double(places.count) * 2 * max(2, filter.cost))
    if spent.isEmpty { spent = Array(repeating: 0, count: chunkCount) }
    spent[chunk] += rows
    if spent[chunk] > whole {
      workOut(chunk, filter.verdict(chunk), workspace)
    } else {
      workOut(needed[places], of: chunk, workspace)
    }
  }

  /// Works out some rows of a chunk.
  private func workOut(_ keys: ArraySlice<Int>, of chunk: Int, _ workspace: Workspace) {
    let first = chunk * ChunkShape.words
    let known = knownRows()
    if states[chunk] == .unknown {
      (known + first).update(repeating: 0, count: ChunkShape.words)
      (hits + first).update(repeating: 0, count: ChunkShape.words)
      states[chunk] = .rows
    }
    var rows = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    rows.upper = ChunkShape.words
    rows.clear()
    for key in keys where known[key >> 6] >> UInt64(key & 63) & 1 == 0 {
      let bit: UInt64 = 1 << UInt64(key & 63)
      known[key >> 6] |= bit
      if live.holds(key) {
        rows.add(key >> 6 - first, bit)
      } else if deadMatch {
        hits[key >> 6] |= bit
      }
    }
    guard rows.trim() else { return }
    filter.narrow(&rows, chunk, workspace)
    for word in rows.lower..<max(rows.lower, rows.upper) { hits[first + word] |= rows.words[word] }
  }

  private func knownRows() -> UnsafeMutablePointer<UInt64> {
    if let known { return known }
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: chunkCount * ChunkShape.words)
    known = made
    return made
  }

  /// Works out a chunk whose bounds said that.
  private func workOut(_ chunk: Int, _ verdict: Verdict, _ workspace: Workspace) {
    fill(chunk, verdict, workspace)
    markWhole(chunk)
  }

  private func markWhole(_ chunk: Int) {
    if states[chunk] != .whole { unknownChunks -= 1 }
    states[chunk] = .whole
  }

  private func fill(_ chunk: Int, _ verdict: Verdict, _ workspace: Workspace) {
    var rows = Selection(hits + chunk * ChunkShape.words)
    let count = min(ChunkShape.rows, live.end - chunk << ChunkShape.shift)
    (rows.words + count >> 6).update(repeating: 0, count: ChunkShape.words - count >> 6)
    let alive = live.bits(chunk)
    if let alive { rows.select(alive, rows: count) } else { rows.selectAll(count) }
    switch verdict {
    case .all: break
    case .none: rows.clear()
    case .some: filter.narrow(&rows, chunk, workspace)
    }
    if deadMatch, let alive { addDead(chunk, alive) }
  }

  private func addDead(_ chunk: Int, _ alive: UnsafePointer<UInt64>) {
    let first = chunk * ChunkShape.words
    for word in 0..<ChunkShape.words { hits[first + word] |= ~alive[word] }
  }

  // MARK: All of them

  /// Works out every row, on all cores; on the snapshot's own thread.
  func complete(_ workspace: Workspace) {
    guard !isComplete else { return }
    if fillFromIndex(atMost: .max, workspace) { return }
    live.prepare()
    let open = (0..<chunkCount).filter { states[$0] != .whole }
    let verdicts = open.map(filter.verdict)
    filter.prepare(zip(open, verdicts).filter { $0.1 == .some }.map(\.0))
    let parts = open.count < 8 ? 1 : min(open.count, WorkerPool.shared.width * 4)
    WorkerPool.shared.run(parts) { part in
      let own = Workspace()
      for place in open.count * part / parts..<open.count * (part + 1) / parts {
        fill(open[place], verdicts[place], own)
      }
    }
    for chunk in open { markWhole(chunk) }
  }

  /// Works out every row through an index that gives few enough of them; false when there is none.
  private func fillFromIndex(atMost most: Int, _ workspace: Workspace) -> Bool {
    let scan = Planner(table: table).scan((filter as? AllFilter)?.parts ?? [filter])
    switch scan.driver {
    case .chunks: return false
    case .keys(let keys, _): if keys.count > most { return false }
    case .region(let filter): if filter.source.estimate > most { return false }
    }
    hits.update(repeating: 0, count: chunkCount * ChunkShape.words)
    let sink = BitSink(hits)
    _ = scan.run(scan.allChunks, into: sink, workspace)
    for chunk in 0..<chunkCount {
      if deadMatch, let alive = live.bits(chunk) { addDead(chunk, alive) }
      markWhole(chunk)
    }
    return true
  }
}

/// Sets the bits of rows in a bitmap of the whole table.
private final class BitSink: Sink, @unchecked Sendable {
  private let bits: UnsafeMutablePointer<UInt64>

  init(_ bits: UnsafeMutablePointer<UInt64>) { self.bits = bits }

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    let first = bits + chunk * ChunkShape.words
    for word in selection.lower..<max(selection.lower, selection.upper) {
      first[word] |= selection.words[word]
    }
    return true
  }
}
