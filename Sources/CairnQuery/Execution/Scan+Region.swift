import CairnIndex
import CairnStorage

extension Scan {
  /// Streams the matches of the R-tree's runs, and the rows they do not speak for, chunk by chunk.
  ///
  /// nil: they have all been delivered. Else the first chunk that was not looked at, because the sink
  /// had enough or `pauseAfter` rows had come.
  func run(
    _ filter: WithinFilter, _ chunks: Range<Int>, into sink: Sink, _ workspace: Workspace,
    pauseAfter: Int
  ) -> Int? {
    let stream = RegionStream(self, filter.source, chunks, sink, workspace, pauseAfter)
    defer { stream.end() }
    for run in filter.source.runs {
      let range = run.chunks.clamped(to: chunks)
      if !range.isEmpty, !stream.take(run, range) { return stream.next }
    }
    return stream.finish() ? nil : stream.next
  }
}

/// Gathers the matches of one chunk at a time, then hands them on.
private final class RegionStream {
  private let scan: Scan
  private let sink: Sink
  private let workspace: Workspace
  private let source: SpatialSource
  private let chunks: Range<Int>
  private let extra: [Int]
  private var nextExtra: Int
  private var chunk = -1
  private var selection: Selection
  /// Rows after which to pause.
  private var rowsLeft: Int
  /// The chunk after the one that was handed on last.
  private(set) var next = 0

  init(
    _ scan: Scan, _ source: SpatialSource, _ chunks: Range<Int>, _ sink: Sink,
    _ workspace: Workspace, _ pauseAfter: Int
  ) {
    rowsLeft = pauseAfter
    self.scan = scan
    self.source = source
    self.sink = sink
    self.workspace = workspace
    self.chunks = chunks
    extra = source.extra
    nextExtra = extra.firstPlace(notBelow: chunks.lowerBound << ChunkShape.shift)
    selection = Selection(workspace.borrowBitmap())
    selection.upper = ChunkShape.words
    selection.clear()
  }

  /// Gives the bitmap back; the stream is of no use afterwards.
  func end() { workspace.returnBitmap() }

  /// Takes what the run has within a range of chunks; false when the sink had enough.
  func take(_ run: ClusteredRun, _ range: Range<Int>) -> Bool {
    let base = run.rows.lowerBound
    let rows = range.lowerBound << ChunkShape.shift..<range.upperBound << ChunkShape.shift
    let hits = rows.clamped(to: run.rows)
    var goOn = true
    let visit = { (match: RTree.Match) -> Bool in
      switch match {
      case .leaf(let leaf, let bits):
        goOn = self.add(base >> 6 + leaf, bits, run)
      case .range(let positions):
        goOn = self.add((positions.lowerBound + base)..<(positions.upperBound + base), run)
      }
      return goOn
    }
    if hits == run.rows {
      run.run.tree.search(source.region, until: visit)
    } else {
      run.run.tree.search(
        source.region, in: (hits.lowerBound - base)..<(hits.upperBound - base), until: visit)
    }
    return goOn && flush(run)
  }

  /// Hands on what is left of the rows that no run speaks for.
  func finish() -> Bool { deliverExtra(before: chunks.upperBound) }

  /// Adds one word's rows; `place` is the word's number in the table.
  @inline(__always)
  private func add(_ place: Int, _ bits: UInt64, _ run: ClusteredRun) -> Bool {
    let here = place >> 6
    if here != chunk {
      guard flush(run) else { return false }
      chunk = here
    }
    selection.add(place & 63, bits)
    return true
  }

  private func add(_ rows: Range<Int>, _ run: ClusteredRun) -> Bool {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let here = row >> ChunkShape.shift
      if here != chunk {
        guard flush(run) else { return false }
        chunk = here
      }
      let first = here << ChunkShape.shift
      let end = min(rows.upperBound, first + ChunkShape.rows)
      selection.add(row - first..<end - first)
      row = end
    }
    return true
  }

  /// Hands on the chunk gathered last.
  private func flush(_ run: ClusteredRun) -> Bool {
    guard chunk >= 0 else { return true }
    let done = chunk
    chunk = -1
    if let dead = run.dead(done) { selection.remove(dead) }
    if nextExtra < extra.count {
      guard deliverExtra(before: done) else { return false }
      selection.add(extra, &nextExtra, done)
    }
    rowsLeft -= selection.count
    next = done + 1
    let goOn = scan.deliver(done, &selection, into: sink, workspace)
    selection.clear()
    return goOn && rowsLeft > 0
  }

  /// Hands on chunks in which no run has matches.
  private func deliverExtra(before end: Int) -> Bool {
    guard nextExtra < extra.count, extra[nextExtra] >> ChunkShape.shift < end else { return true }
    var own = Selection(workspace.borrowBitmap())
    defer { workspace.returnBitmap() }
    own.upper = ChunkShape.words
    own.clear()
    while nextExtra < extra.count, extra[nextExtra] >> ChunkShape.shift < end {
      let here = extra[nextExtra] >> ChunkShape.shift
      own.add(extra, &nextExtra, here)
      guard scan.deliver(here, &own, into: sink, workspace) else { return false }
      own.clear()
    }
    return true
  }
}

extension Selection {
  /// Selects a range of rows, and widens the bounds to it.
  mutating func add(_ rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    words.setBits(rows)
    let first = rows.lowerBound >> 6
    let last = (rows.upperBound - 1) >> 6 + 1
    lower = lower >= upper ? first : min(lower, first)
    upper = max(upper, last)
  }
}
