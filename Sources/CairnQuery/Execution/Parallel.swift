import CairnStorage

/// From which size on work is shared out over all cores.
package struct Sharing: Sendable {
  /// Chunks of a scan that one thread works through sooner than others wake up.
  package var chunks: Int
  /// Rows from the R-tree after which the rest is shared out.
  package var rows: Int
  /// Chunks that a top-k looks into alone: a few often settle it.
  package var bestChunks: Int

  package init(chunks: Int, rows: Int, bestChunks: Int) {
    self.chunks = chunks
    self.rows = rows
    self.bestChunks = bestChunks
  }

  /// Where other threads are worth waking.
  package static let worthwhile = Sharing(chunks: 32, rows: 1 << 18, bestChunks: 64)
}

/// Runs a scan over all cores where it is long enough, on the calling thread where it is not.
struct Parallel {
  let scan: Scan
  /// The calling thread's.
  let workspace: Workspace
  let sharing: Sharing
  /// The chunks to go through.
  let chunks: Range<Int>

  init(_ scan: Scan, _ workspace: Workspace, _ sharing: Sharing, _ chunks: Range<Int>) {
    self.chunks = chunks
    self.scan = scan
    self.workspace = workspace
    self.sharing = sharing
  }

  /// One sink a part, in the order of keys. Sinks must take all that comes.
  func gather<S: Sink>(_ make: () -> S) -> [S] {
    switch scan.driver {
    case .chunks: return gatherChunks(make)
    case .region(let filter): return gatherRegion(filter, make)
    case .keys:
      let sink = make()
      _ = scan.run(chunks, into: sink, workspace)
      return [sink]
    }
  }

  // MARK: Chunks

  /// A chunk that bounds do not exclude, and the filters that all of its rows pass.
  private struct Candidate {
    var chunk: Int
    var passed: UInt64
  }

  private func gatherChunks<S: Sink>(_ make: () -> S) -> [S] {
    if chunks.count <= sharing.chunks || WorkerPool.shared.width == 1 {
      let sink = make()
      _ = scan.run(chunks, into: sink, workspace)
      return [sink]
    }
    let candidates = candidates()
    // Bounds are asked here and pointers resolved here: the snapshot belongs to this thread.
    prepare(candidates.map(\.chunk), make)
    return parts(candidates.count, make) { range, sink, workspace in
      for candidate in candidates[range]
      where !scan.visit(candidate.chunk, candidate.passed, into: sink, workspace) {
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
        workspace.chunksSkipped += 1
      }
    }
    return candidates
  }

  func prepare<S: Sink>(_ chunks: [Int], _ make: () -> S) {
    scan.prepare(chunks)
    make().prepare(chunks)
  }

  // MARK: Regions

  private func gatherRegion<S: Sink>(_ filter: WithinFilter, _ make: () -> S) -> [S] {
    let sink = make()
    let pausesAt = WorkerPool.shared.width == 1 ? Int.max : sharing.rows
    guard let rest = scan.run(filter, chunks, into: sink, workspace, pauseAfter: pausesAt) else {
      return [sink]
    }
    prepare(Array(rest..<chunks.upperBound), make)
    return [sink]
      + parts(chunks.upperBound - rest, make) { range, sink, workspace in
        _ = scan.run(
          filter, (rest + range.lowerBound)..<(rest + range.upperBound), into: sink, workspace,
          pauseAfter: .max)
      }
  }

  // MARK: Parts

  /// Shares out `count` pieces of work in runs of equal length.
  func parts<S: Sink>(
    _ count: Int, _ make: () -> S, _ work: (Range<Int>, S, Workspace) -> Void
  ) -> [S] {
    let number = max(1, min(count, WorkerPool.shared.width * 4))
    let sinks = (0..<number).map { _ in make() }
    let workspaces = (0..<number).map { _ in Workspace() }
    WorkerPool.shared.run(number) { part in
      work(count * part / number..<count * (part + 1) / number, sinks[part], workspaces[part])
    }
    for other in workspaces { workspace.add(other) }
    return sinks
  }
}
