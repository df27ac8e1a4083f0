import CairnStorage

/// The sizes from which work is split over all cores.
package struct ParallelismThresholds: Sendable {
  /// The number of chunks that one thread scans faster than others wake up.
  package var chunks: Int
  /// The number of R-tree rows after which the rest is split.
  package var rows: Int
  /// The number of chunks that a top-k query scans alone, because a few often suffice.
  package var bestChunks: Int

  /// Creates thresholds.
  package init(chunks: Int, rows: Int, bestChunks: Int) {
    self.chunks = chunks
    self.rows = rows
    self.bestChunks = bestChunks
  }

  /// The sizes from which waking other threads is worthwhile.
  package static let worthwhile = ParallelismThresholds(chunks: 32, rows: 1 << 18, bestChunks: 64)
}

/// Runs a scan on all cores if it is long enough, otherwise on the calling thread.
struct Parallel {
  let scan: Scan
  /// The scratch buffers of the calling thread.
  let scratch: ScratchBuffers
  let thresholds: ParallelismThresholds
  /// The chunks to scan.
  let chunks: Range<Int>

  init(_ scan: Scan, scratch: ScratchBuffers, thresholds: ParallelismThresholds, chunks: Range<Int>)
  {
    self.chunks = chunks
    self.scan = scan
    self.scratch = scratch
    self.thresholds = thresholds
  }

  /// Runs the scan into one sink for each part, in the order of keys. The sinks must accept all
  /// rows.
  func gather<S: Sink>(_ make: () -> S) -> [S] {
    switch scan.accessPath {
    case .chunks: return gatherChunks(make)
    case .spatial(.points(let filter)): return gatherRegion(filter, make: make)
    case .spatial(.boxes(let filter)): return gatherBoxes(filter, make: make)
    case .keys:
      let sink = make()
      _ = scan.run(chunks, into: sink, scratch: scratch)
      return [sink]
    }
  }

  // MARK: Chunks

  /// A chunk that its zone maps do not exclude, and the filters that all of its rows pass.
  private struct Candidate {
    var chunk: Int
    var passed: UInt64
  }

  private func gatherChunks<S: Sink>(_ make: () -> S) -> [S] {
    if chunks.count <= thresholds.chunks || WorkerPool.shared.width == 1 {
      let sink = make()
      _ = scan.run(chunks, into: sink, scratch: scratch)
      return [sink]
    }
    let candidates = candidates()
    // Zone maps are read and pointers are resolved here, because the snapshot belongs to this
    // thread.
    prepare(candidates.map(\.chunk), make: make)
    return parts(candidates.count, make: make) { range, sink, scratch in
      for candidate in candidates[range]
      where !scan.visit(candidate.chunk, passed: candidate.passed, into: sink, scratch: scratch) {
        return
      }
    }
  }

  private func candidates() -> [Candidate] {
    var candidates: [Candidate] = []
    for chunk in chunks {
      if let passed = scan.passed(chunk) {
        candidates.append(Candidate(chunk: chunk, passed: passed))
      } else {
        scratch.chunksSkipped += 1
      }
    }
    return candidates
  }

  func prepare<S: Sink>(_ chunks: [Int], make: () -> S) {
    scan.prepare(chunks)
    make().prepare(chunks)
  }

  // MARK: Regions

  private func gatherRegion<S: Sink>(_ filter: WithinFilter, make: () -> S) -> [S] {
    let sink = make()
    let pausesAt = WorkerPool.shared.width == 1 ? Int.max : thresholds.rows
    guard
      let rest = scan.run(
        filter, chunks: chunks, into: sink, scratch: scratch, pauseAfter: pausesAt)
    else {
      return [sink]
    }
    prepare(Array(rest..<chunks.upperBound), make: make)
    return [sink]
      + parts(chunks.upperBound - rest, make: make) { range, sink, scratch in
        _ = scan.run(
          filter, chunks: (rest + range.lowerBound)..<(rest + range.upperBound), into: sink,
          scratch: scratch,
          pauseAfter: .max)
      }
  }

  // MARK: Boxes

  /// The number of rows that are delivered in the time of testing one geometry.
  private static let rowsPerTest = 1024

  private func gatherBoxes<S: Sink>(_ filter: GeometryFilter, make: () -> S) -> [S] {
    let words = filter.source.words(in: chunks)
    let work = words.reduce(0) {
      $0 + $1.sure.nonzeroBitCount + $1.candidates.nonzeroBitCount * Self.rowsPerTest
    }
    guard work > thresholds.rows, WorkerPool.shared.width > 1 else {
      let sink = make()
      _ = scan.run(filter, words: words, into: sink, scratch: scratch)
      return [sink]
    }
    prepare(words.map(\.chunk).sortedUnique(), make: make)
    return parts(words.count, make: make) { range, sink, scratch in
      let part = words[
        (words.startIndex + range.lowerBound)..<(words.startIndex + range.upperBound)]
      _ = scan.run(filter, words: part, into: sink, scratch: scratch)
    }
  }

  // MARK: Parts

  /// Splits `count` pieces of work into runs of equal length.
  func parts<S: Sink>(
    _ count: Int, make: () -> S, work: (Range<Int>, S, ScratchBuffers) -> Void
  ) -> [S] {
    let number = max(1, min(count, WorkerPool.shared.width * 4))
    let sinks = (0..<number).map { _ in make() }
    let scratches = (0..<number).map { _ in ScratchBuffers(deadline: scratch.deadline) }
    WorkerPool.shared.run(number) { part in
      work(count * part / number..<count * (part + 1) / number, sinks[part], scratches[part])
    }
    for other in scratches { scratch.add(other) }
    return sinks
  }
}

extension Parallel {
  /// Runs a scan of chunks into heaps. Chunks that can contain the first rows come first, and
  /// chunks that cannot beat a heap's threshold are skipped.
  func gatherBestFirst(_ order: RowOrder, make: () -> TopSink) -> [TopSink] {
    var queue = ChunkQueue(chunks, sort: order.first)
    let sink = make()
    var visits = 0
    while visits < thresholds.bestChunks {
      guard let chunk = queue.pop(), sink.canTake(chunk.sortKey) else { return [sink] }
      _ = scan.visit(chunk.chunk, into: sink, scratch: scratch)
      visits += 1
    }
    let rest = queue.sorted().filter { sink.canTake($0.sortKey) }
    let best = rest.map(\.chunk)
    let passed = best.map(scan.passed)
    prepare(best, make: make)
    let width = WorkerPool.shared.width
    return [sink]
      + parts(width, make: make) { range, other, scratch in
        other.outerThreshold = sink.threshold
        for part in range {
          for index in stride(from: part, to: rest.count, by: width) {
            guard other.canTake(rest[index].sortKey) else { break }
            guard let passed = passed[index] else { continue }
            _ = scan.visit(best[index], passed: passed, into: other, scratch: scratch)
          }
        }
      }
  }
}

/// A queue of chunks, ordered by the best sort key that their rows can have.
struct ChunkQueue {
  struct Entry {
    var sortKey: UInt64
    var chunk: Int
  }

  private var heap: [Entry]

  init(_ chunks: Range<Int>, sort: SortColumn) {
    heap = chunks.map { Entry(sortKey: sort.bestSortKey($0), chunk: $0) }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
  }

  /// Removes and returns the best chunk.
  mutating func pop() -> Entry? {
    guard let best = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      siftDown(0)
    }
    return best
  }

  /// The remaining chunks, best first.
  func sorted() -> [Entry] { heap.sorted(by: ChunkQueue.isBetter) }

  private static func isBetter(_ a: Entry, and b: Entry) -> Bool {
    a.sortKey != b.sortKey ? a.sortKey < b.sortKey : a.chunk < b.chunk
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var best = index
      for child in 2 * index + 1...2 * index + 2
      where child < heap.count && ChunkQueue.isBetter(heap[child], and: heap[best]) {
        best = child
      }
      if best == index { return }
      heap.swapAt(index, best)
      index = best
    }
  }
}
