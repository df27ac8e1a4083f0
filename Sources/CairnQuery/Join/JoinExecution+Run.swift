import CairnGeometry
import CairnStorage
import CairnSystem

extension JoinExecution {
  /// Runs the join into sinks, one for each thread.
  ///
  /// - Parameter make: Creates a sink for candidates, of whom it gets the keys. It runs on the
  ///   snapshot's own thread.
  func run<S: JoinSink>(driver: JoinQuery.Side, make: ([Int]) -> S) throws -> [S] {
    guard left.count > 0, right.count > 0 else { return [] }
    for comparison in comparisons { comparison.prepare(left.table, right.table) }
    switch sides {
    case .places(let left, let right):
      let (driven, other) = driver == .left ? (left, right) : (right, left)
      return try run(driven, other, driver: driver, make: make)
    case .keys(let left, let right):
      let (driven, other) = driver == .left ? (left, right) : (right, left)
      return run(driven, other, driver: driver, make: make)
    }
  }

  private func run<S: JoinSink>(
    _ driven: KeyedSide, _ other: KeyedSide, driver: JoinQuery.Side, make: ([Int]) -> S
  ) -> [S] {
    driven.prepare()
    other.prepare()
    let table = KeyTable(other)
    return spread(driven.usedChunks, candidates: table.keys, driver: driver, make: make) { sink in
      KeyWalk(driven, table: table, isOnce: self.query.isOnce, sink: sink).run
    }
  }

  private func run<S: JoinSink>(
    _ driven: JoinSide, _ other: JoinSide, driver: JoinQuery.Side, make: ([Int]) -> S
  ) throws -> [S] {
    driven.prepare()
    other.prepare()
    let condition = condition(driver)
    let candidates = JoinCandidates(other, grow: condition.grow)
    let test = JoinTest(condition, driver: driven, candidates: candidates)
    try test.prepare()
    return spread(
      JoinPieces(driven).pieces, candidates: candidates.keys, driver: driver, make: make
    ) { sink in
      var walk = JoinWalk(
        driven, candidates: candidates, test: test, isOnce: self.query.isOnce, sink: sink)
      return { walk.run($0) }
    }
  }

  /// Spreads pieces of work over all cores, each with a sink of its own.
  ///
  /// - Parameter walk: Returns the work of one thread.
  private func spread<Piece, S: JoinSink>(
    _ pieces: [Piece], candidates: [Int], driver: JoinQuery.Side, make: ([Int]) -> S,
    walk: (any JoinSink) -> (Piece) -> Void
  ) -> [S] {
    let width = min(WorkerPool.shared.width, max(1, pieces.count))
    let sinks = (0..<width).map { _ in make(candidates) }
    let queue = WorkQueue(pieces.count)
    WorkerPool.shared.run(width) { part in
      let run = walk(self.comparing(sinks[part], candidates: candidates, driver: driver))
      while let range = queue.next() {
        for piece in pieces[range] { run(piece) }
      }
    }
    return sinks
  }

  private func comparing(
    _ sink: any JoinSink, candidates: [Int], driver: JoinQuery.Side
  ) -> any JoinSink {
    comparisons.isEmpty
      ? sink
      : ComparingSink(
        comparisons, candidates: candidates, isLeftDriver: driver == .left, inner: sink)
  }

  /// The condition of a driver's geometry against a candidate's.
  private func condition(_ driver: JoinQuery.Side) -> JoinTest.Condition {
    switch query.condition {
    case .relation(let relation, let edges):
      .relation(driver == .left ? relation : relation.inverse, edges: edges)
    case .distance(let distance, let edges): .distance(radians: distance.radians, edges: edges)
    case .nearest(_, let edges): .distance(radians: .infinity, edges: edges)
    case .equal: .distance(radians: .infinity, edges: .planar)
    }
  }
}

/// Hands out pieces of work to threads, a few at a time and in order.
private final class WorkQueue: Sendable {
  private let count: Int
  private let step: Int
  private let position = Mutex(0)

  init(_ count: Int) {
    self.count = count
    step = max(1, min(16, count / 64))
  }

  /// The next pieces; nil if none are left.
  func next() -> Range<Int>? {
    position.withLock { position in
      guard position < count else { return nil }
      let range = position..<min(count, position + step)
      position = range.upperBound
      return range
    }
  }
}

extension JoinTest.Condition {
  /// The rectangle that partners of a geometry in a box must meet.
  func grow(_ envelope: Envelope) -> Envelope {
    switch self {
    case .relation(_, .planar): envelope
    // On the sphere the antimeridian is not an edge, and all longitudes meet at the poles.
    case .relation(_, .geodesic): envelope.grown(by: 0)
    case .distance(let radians, let edges): envelope.grown(by: radians, edges: edges)
    }
  }
}
