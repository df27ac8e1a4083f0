extension Parallel {
  /// Runs a scan of chunks into heaps: the chunks that can hold the first rows come first, and those
  /// that cannot beat what a heap holds are left out.
  func gatherBestFirst(_ order: RowOrder, _ make: () -> TopSink) -> [TopSink] {
    var queue = ChunkQueue(chunks, order.first)
    let sink = make()
    var visits = 0
    while visits < sharing.bestChunks {
      guard let chunk = queue.pop(), sink.canTake(chunk.rank) else { return [sink] }
      _ = scan.visit(chunk.chunk, into: sink, workspace)
      visits += 1
    }
    let rest = queue.sorted().filter { sink.canTake($0.rank) }
    let best = rest.map(\.chunk)
    let passed = best.map(scan.passed)
    prepare(best, make)
    let width = WorkerPool.shared.width
    return [sink]
      + parts(width, make) { range, other, workspace in
        other.outerBar = sink.bar
        for part in range {
          for place in stride(from: part, to: rest.count, by: width) {
            guard other.canTake(rest[place].rank) else { break }
            guard let passed = passed[place] else { continue }
            _ = scan.visit(best[place], passed, into: other, workspace)
          }
        }
      }
  }
}
