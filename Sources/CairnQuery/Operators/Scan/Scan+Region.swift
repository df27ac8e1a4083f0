import CairnGeometry
import CairnIndex
import CairnStorage

extension Scan {
  /// Streams the matches of the R-tree's runs, and the rows that they do not cover, chunk by chunk.
  ///
  /// Returns nil if all were delivered. Otherwise, returns the first chunk that was not visited,
  /// because the sink had enough or `pauseAfter` rows were delivered.
  func run(
    _ filter: WithinFilter, chunks: Range<Int>, into sink: any Sink, scratch: ScratchBuffers,
    pauseAfter: Int
  ) -> Int? {
    let stream = RegionStream(
      self, source: filter.source, chunks: chunks, sink: sink, scratch: scratch,
      pauseAfter: pauseAfter)
    defer { stream.end() }
    for run in filter.source.runs {
      let range = run.chunks.clamped(to: chunks)
      if !range.isEmpty, !stream.take(run, range: range) { return stream.next }
    }
    return stream.finish() ? nil : stream.next
  }
}

/// Gathers the matches of one chunk at a time and delivers them.
private final class RegionStream {
  private let scan: Scan
  private let sink: any Sink
  private let scratch: ScratchBuffers
  private let source: SpatialSource<PointEntry, Region>
  private let chunks: Range<Int>
  private let extra: [Int]
  private var nextExtra: Int
  private var chunk = -1
  private var selection: Selection
  /// The number of rows until the pause.
  private var rowsLeft: Int
  /// The chunk after the one that was delivered last.
  private(set) var next = 0

  init(
    _ scan: Scan, source: SpatialSource<PointEntry, Region>, chunks: Range<Int>, sink: any Sink,
    scratch: ScratchBuffers, pauseAfter: Int
  ) {
    rowsLeft = pauseAfter
    self.scan = scan
    self.source = source
    self.sink = sink
    self.scratch = scratch
    self.chunks = chunks
    extra = source.extra.sure
    nextExtra = extra.firstIndex(notBelow: RowAddress.firstKey(ofChunk: chunks.lowerBound))
    selection = Selection(scratch.borrowBitmap())
    selection.upper = ChunkShape.words
    selection.clear()
  }

  /// Returns the bitmap. The stream cannot be used afterwards.
  func end() { scratch.returnBitmap() }

  /// Delivers the run's matches in a range of chunks. Returns false if the sink had enough.
  func take(_ run: BaseRunReader<PointEntry>, range: Range<Int>) -> Bool {
    let base = run.rows.lowerBound
    let rows =
      RowAddress.firstKey(
        ofChunk: range.lowerBound)..<RowAddress.firstKey(ofChunk: range.upperBound)
    let hits = rows.clamped(to: run.rows)
    var wantsMore = true
    let visit = { (match: TreeMatch) -> Bool in
      switch match {
      case .leaf(let leaf, let found):
        wantsMore = self.add(base >> 6 + leaf, bits: found.sure, run: run)
      case .range(let positions):
        wantsMore = self.add(
          (positions.lowerBound + base)..<(positions.upperBound + base), run: run)
      }
      return wantsMore
    }
    run.run.tree.search(
      source.condition, in: (hits.lowerBound - base)..<(hits.upperBound - base), until: visit)
    return wantsMore && flush(run)
  }

  /// Delivers the remaining rows that no run covers.
  func finish() -> Bool { deliverExtra(before: chunks.upperBound) }

  /// Adds the rows of one word.
  ///
  /// - Parameter index: The index of the word in the table.
  @inline(__always)
  private func add(_ index: Int, bits: UInt64, run: BaseRunReader<PointEntry>) -> Bool {
    let here = index >> 6
    if here != chunk {
      guard flush(run) else { return false }
      chunk = here
    }
    selection.add(index & 63, bits: bits)
    return true
  }

  private func add(_ rows: Range<Int>, run: BaseRunReader<PointEntry>) -> Bool {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let here = RowAddress(row).chunk
      if here != chunk {
        guard flush(run) else { return false }
        chunk = here
      }
      let first = RowAddress.firstKey(ofChunk: here)
      let end = min(rows.upperBound, first + ChunkShape.rows)
      selection.add(row - first..<end - first)
      row = end
    }
    return true
  }

  /// Delivers the chunk gathered last.
  private func flush(_ run: BaseRunReader<PointEntry>) -> Bool {
    guard chunk >= 0 else { return true }
    let done = chunk
    chunk = -1
    if let uncovered = run.uncovered(done) { selection.remove(uncovered) }
    if nextExtra < extra.count {
      guard deliverExtra(before: done) else { return false }
      selection.add(extra, next: &nextExtra, chunk: done, end: scan.table.endKey)
    }
    rowsLeft -= selection.count
    next = done + 1
    let wantsMore = scan.deliver(done, selection: &selection, into: sink, scratch: scratch)
    selection.clear()
    return wantsMore && rowsLeft > 0
  }

  /// Delivers chunks in which no run has matches.
  private func deliverExtra(before chunk: Int) -> Bool {
    // A damaged index may have rows that do not exist.
    let end = min(RowAddress.firstKey(ofChunk: chunk), scan.table.endKey)
    guard nextExtra < extra.count, extra[nextExtra] < end else { return true }
    var own = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    own.upper = ChunkShape.words
    own.clear()
    while nextExtra < extra.count, extra[nextExtra] < end {
      let here = RowAddress(extra[nextExtra]).chunk
      own.add(extra, next: &nextExtra, chunk: here, end: end)
      guard scan.deliver(here, selection: &own, into: sink, scratch: scratch) else { return false }
      own.clear()
    }
    return true
  }
}

extension Selection {
  /// Selects a range of rows and widens the bounds to it.
  mutating func add(_ rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    words.setBits(rows)
    let first = rows.lowerBound >> 6
    let last = (rows.upperBound - 1) >> 6 + 1
    lower = lower >= upper ? first : min(lower, first)
    upper = max(upper, last)
  }
}
