import CairnStorage

/// How the candidate rows of a query are found.
enum Driver {
  /// Every chunk whose bounds do not exclude it.
  case chunks
  /// These rows, rising; they need not live. With the index that gave them.
  case keys([Int], KeySource)
  /// What the R-tree gives.
  case region(WithinFilter)
}

/// Where the rows of `Driver.keys` come from.
enum KeySource {
  /// No row can match.
  case nowhere
  case primaryKey(String)
  case valueIndex(String)
  /// A result that was worked out before.
  case result
}

/// A driver and the conditions that its candidates must still pass.
///
/// Delivers rows chunk by chunk, in the order of keys.
final class Scan: @unchecked Sendable {
  let table: Table
  let driver: Driver
  /// All must hold; cheapest first.
  let filters: [Filter]
  /// Some row of the table is dead.
  private let hasDead: Bool
  /// Liveness bitmaps of the chunks that `prepare` was told of, when `hasDead`.
  private var liveness: [Int: UnsafePointer<UInt64>?] = [:]

  init(_ table: Table, _ driver: Driver, _ filters: [Filter]) {
    self.table = table
    self.driver = driver
    self.filters = filters.sorted { $0.cost < $1.cost }
    hasDead = table.liveCount < table.endKey
  }

  /// Every chunk of the table.
  var allChunks: Range<Int> { 0..<table.chunkCount }

  /// Delivers the rows of a range of chunks; false when the sink had enough.
  func run(_ chunks: Range<Int>, into sink: Sink, _ workspace: Workspace) -> Bool {
    switch driver {
    case .chunks:
      for chunk in chunks where !visit(chunk, into: sink, workspace) { return false }
      return true
    case .keys(let keys, _): return run(keys, chunks, into: sink, workspace)
    case .region(let filter):
      return run(filter, chunks, into: sink, workspace, pauseAfter: .max) == nil
    }
  }

  /// Delivers the rows of one chunk under `Driver.chunks`; false when the sink had enough.
  func visit(_ chunk: Int, into sink: Sink, _ workspace: Workspace) -> Bool {
    guard sink.wants(chunk), let passed = passed(chunk) else {
      workspace.chunksSkipped += 1
      return true
    }
    return visit(chunk, passed, into: sink, workspace)
  }

  /// A bit for each filter that all rows of the chunk pass; nil: none can pass them all.
  func passed(_ chunk: Int) -> UInt64? {
    var passed: UInt64 = 0
    for (place, filter) in filters.enumerated() {
      switch filter.verdict(chunk) {
      case .none: return nil
      case .all: if place < 64 { passed |= 1 << UInt64(place) }
      case .some: break
      }
    }
    return passed
  }

  /// The same when bounds have been asked: a bit in `passed` for each filter that all rows pass.
  func visit(_ chunk: Int, _ passed: UInt64, into sink: Sink, _ workspace: Workspace) -> Bool {
    var selection = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    if let live = live(chunk) {
      selection.select(live, rows: table.rowCount(ofChunk: chunk))
    } else {
      selection.selectAll(table.rowCount(ofChunk: chunk))
    }
    workspace.chunksVisited += 1
    workspace.candidates += table.rowCount(ofChunk: chunk)
    for (place, filter) in filters.enumerated()
    where place >= 64 || passed >> UInt64(place) & 1 == 0 {
      filter.narrow(&selection, chunk, workspace)
      guard selection.trim() else { return true }
    }
    return sink.take(chunk, &selection, workspace)
  }

  /// Applies the conditions to candidates and delivers what is left; false when the sink had enough.
  func deliver(
    _ chunk: Int, _ selection: inout Selection, into sink: Sink, _ workspace: Workspace
  ) -> Bool {
    guard sink.wants(chunk) else { return true }
    workspace.chunksVisited += 1
    workspace.candidates += filters.isEmpty ? 0 : selection.count
    for filter in filters {
      guard selection.trim() else { return true }
      filter.narrow(&selection, chunk, workspace)
    }
    guard selection.trim() else { return true }
    return sink.take(chunk, &selection, workspace)
  }

  private func run(
    _ keys: [Int], _ chunks: Range<Int>, into sink: Sink, _ workspace: Workspace
  ) -> Bool {
    var next = keys.firstPlace(notBelow: chunks.lowerBound << ChunkShape.shift)
    var selection = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    selection.upper = ChunkShape.words
    selection.clear()
    while next < keys.count, keys[next] >> ChunkShape.shift < chunks.upperBound {
      let chunk = keys[next] >> ChunkShape.shift
      selection.add(keys, &next, chunk)
      if let live = live(chunk) { selection.intersect(live) }
      guard deliver(chunk, &selection, into: sink, workspace) else { return false }
      selection.clear()
    }
    return true
  }

  /// The rows of a chunk that live; nil: all.
  func live(_ chunk: Int) -> UnsafePointer<UInt64>? {
    guard hasDead else { return nil }
    return liveness[chunk] ?? table.liveness(ofChunk: chunk)
  }

  /// Resolves on the snapshot's own thread what other threads will read.
  func prepare(_ chunks: [Int]) {
    if hasDead {
      for chunk in chunks { liveness[chunk] = .some(table.liveness(ofChunk: chunk)) }
    }
    for filter in filters { filter.prepare(chunks) }
    if case .region(let filter) = driver { filter.prepare(chunks) }
  }
}

extension Selection {
  /// Selects the rows of one chunk among rising keys, from `next` on, and moves past them.
  mutating func add(_ keys: [Int], _ next: inout Int, _ chunk: Int) {
    while next < keys.count, keys[next] >> ChunkShape.shift == chunk {
      let row = keys[next] & (ChunkShape.rows - 1)
      add(row >> 6, 1 << UInt64(row & 63))
      next += 1
    }
  }

  /// Selects rows of one word, and widens the bounds to it.
  @inline(__always)
  mutating func add(_ word: Int, _ bits: UInt64) {
    words[word] |= bits
    if lower >= upper {
      lower = word
      upper = word + 1
    } else {
      lower = min(lower, word)
      upper = max(upper, word + 1)
    }
  }
}
