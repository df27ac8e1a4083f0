import CairnGeometry
import CairnStorage
import CairnSystem
import CairnValues

/// A join of two tables, and its results. Nothing runs until a result is requested.
///
/// Confined to the thread of the tables' snapshot; the work inside uses all cores.
package final class JoinExecution {
  /// The join.
  package let query: JoinQuery
  let left: JoinSide
  let right: JoinSide
  private let comparisons: [JoinComparison]

  /// Binds the join.
  ///
  /// - Throws: `QueryError` if a property does not exist or is neither a location nor a geometry;
  ///   ``PredicateError`` if a condition does not fit its class.
  package init(_ query: JoinQuery, left: Table, right: Table) throws {
    self.query = query
    self.left = try JoinSide(query.left, table: left, isOuter: query.isOuter)
    self.right = try JoinSide(query.right, table: right)
    comparisons = try query.comparisons.map { try JoinComparison($0, left: left, right: right) }
    if case .relation(.disjoint, _) = query.condition {
      throw QueryError(
        .invalidArgument,
        message: "a join pairs objects that meet; 'disjoint' would pair nearly all of them")
    }
    if case .relation(let relation, .geodesic) = query.condition, relation.isPlanar {
      throw QueryError(
        .invalidArgument,
        message: "'\(relation.name)' compares in the plane of longitude and latitude, not with "
          + "geodesic edges")
    }
    if case .nearest(let count, _) = query.condition, count < 1 {
      throw QueryError(.invalidArgument, message: "a join pairs each object with 1 nearest or more")
    }
    guard !query.isOnce || isSymmetric else {
      throw QueryError(
        .invalidArgument,
        message: "each two objects are in one pair only if the condition is the same from either "
          + "side: they intersect, touch, cross, overlap or are equal, or lie within a distance")
    }
  }

  /// Whether both sides are the same property of a class, and the condition is the same from either.
  private var isSymmetric: Bool {
    guard left.table.schema.id == right.table.schema.id,
      left.path == right.path, !query.isOuter
    else { return false }
    return switch query.condition {
    case .relation(let relation, _): relation.isSymmetric
    case .distance: true
    case .nearest: false
    }
  }

  /// The number of pairs, with the left objects without a partner if the join is outer.
  package func count() throws -> Int {
    if case .nearest = query.condition { return try pairs().count }
    if query.isOuter { return try counts(ofEach: .left).reduce(0) { $0 + max(1, $1.count) } }
    let sinks: [PairCountSink] = try run(driver: usualDriver) { _ in PairCountSink() }
    return sinks.reduce(0) { $0 + $1.total }
  }

  /// The number of partners of each object of one side that has any, in order of the keys; in an
  /// outer join, of each left object.
  package func counts(ofEach side: JoinQuery.Side) throws -> [(key: Int, count: Int)] {
    let counts = try partnerCounts(ofEach: side)
    guard query.isOuter, side == .left else { return counts }
    var next = 0
    return left.allKeys.map { key in
      guard next < counts.count, counts[next].key == key else { return (key, 0) }
      next += 1
      return counts[next - 1]
    }
  }

  private func partnerCounts(ofEach side: JoinQuery.Side) throws -> [(key: Int, count: Int)] {
    if case .nearest = query.condition {
      var counts: [Int: Int] = [:]
      for pair in try pairs() {
        guard let right = pair.right else { continue }
        counts[side == .left ? pair.left : right, default: 0] += 1
      }
      return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    let driver = usualDriver
    var keys: [Int] = []
    let sinks: [CountsSink] = try run(driver: driver) { candidates in
      keys = side == driver ? Array(0..<self.side(side).table.endKey) : candidates.keys
      return CountsSink(ofDriver: side == driver, count: keys.count)
    }
    for sink in sinks.dropFirst() { sinks[0].merge(sink) }
    guard let counts = sinks.first?.counts else { return [] }
    let found = zip(keys, counts).filter { $0.1 > 0 }.map { (key: $0.0, count: $0.1) }
    return side == driver ? found : found.sorted { $0.key < $1.key }
  }

  /// Every pair, in order of the left key, then by distance where the join is of the nearest, then of
  /// the right key.
  package func pairs() throws -> [JoinPair] {
    let found: [JoinPair]
    if case .nearest(let count, let edges) = query.condition {
      let all = try NearestJoin(left, right: right, count: count, edges: edges).pairs()
      found = comparisons.isEmpty ? all : all.filter(holdsComparisons)
    } else {
      found = try matchingPairs()
    }
    return query.isOuter ? withUnmatched(found) : found
  }

  private func holdsComparisons(_ pair: JoinPair) -> Bool {
    pair.right.map { right in comparisons.allSatisfy { $0.holds(pair.left, right) } } ?? false
  }

  private func matchingPairs() throws -> [JoinPair] {
    let driver = usualDriver
    var candidates: [Int] = []
    let sinks: [PairSink] = try run(driver: driver) { found in
      candidates = found.keys
      return PairSink()
    }
    let pairs = sorted(sinks.flatMap(\.pairs), candidates: candidates, driver: driver)
    guard case .distance(_, let edges) = query.condition else { return pairs }
    return pairs.map { pair in
      JoinPair(
        left: pair.left, right: pair.right,
        radians: pair.right.map { distance(pair.left, $0, edges: edges) } ?? .nan)
    }
  }

  /// The pairs in order of the left key, then of the right key.
  private func sorted(
    _ pairs: [PairSink.Pair], candidates: [Int], driver: JoinQuery.Side
  ) -> [JoinPair] {
    let drivers = pairs.map { UInt64($0.key) }
    let others = pairs.map { UInt64(candidates[$0.candidate]) }
    let (lefts, rights) = driver == .left ? (drivers, others) : (others, drivers)
    return RadixSort.order(lefts, then: rights).map { place in
      JoinPair(left: Int(lefts[Int(place)]), right: Int(rights[Int(place)]), radians: .nan)
    }
  }

  /// The distance between a left and a right row in radians.
  private func distance(_ leftKey: Int, _ rightKey: Int, edges: GeoPolygon.Edges) -> Double {
    left.place(of: leftKey).distance(to: right.place(of: rightKey), edges: edges)
  }

  /// The pairs and the left rows without one, in order of the left key.
  private func withUnmatched(_ pairs: [JoinPair]) -> [JoinPair] {
    var result: [JoinPair] = []
    var next = 0
    for key in left.allKeys {
      let first = next
      while next < pairs.count, pairs[next].left == key { next += 1 }
      if first == next {
        result.append(JoinPair(left: key, right: nil, radians: .nan))
      } else {
        result += pairs[first..<next]
      }
    }
    return result
  }

  /// The side whose rows are visited: the one that holds points, the inner one of a containment, or
  /// the longer one.
  var usualDriver: JoinQuery.Side {
    switch query.condition {
    case .nearest: .left
    case _ where query.isOnce: .left
    case _ where left.holdsPoints != right.holdsPoints: left.holdsPoints ? .left : .right
    case .relation(.within, _): .left
    case .relation(.contains, _): .right
    case .relation, .distance: left.count >= right.count ? .left : .right
    }
  }
}

extension JoinExecution {
  /// A property of one side, by its name or by its path through links.
  package struct Property: Hashable, Sendable {
    /// The side.
    package let side: JoinQuery.Side
    /// The name, with dots along links.
    package let name: String

    /// Names a property.
    package init(_ side: JoinQuery.Side, name: String) {
      self.side = side
      self.name = name
    }
  }

  /// Groups the pairs by properties of either side and sorts the groups. Each has the number of its
  /// pairs and the summaries of other properties, in which an object counts once for each pair.
  /// Left objects without a partner are in no group.
  ///
  /// - Parameter figures: The figures of the summaries in addition to the usual ones.
  package func groups(
    by properties: [Property], summarising others: [Property] = [],
    figures: SummaryFigures = SummaryFigures()
  ) throws -> [Group] {
    guard !properties.isEmpty else {
      throw QueryError(.invalidArgument, message: "groups need at least one property to group by")
    }
    let keys = try properties.map { ($0.side, try valuePath($0)) }
    let summarised = try others.map { ($0.side, try valuePath($0)) }
    let driver = usualDriver
    func make(_ candidates: [Int]) -> JoinGroupSink {
      JoinGroupSink(
        keys.map { ($0.1.groupColumn(), isDriver: $0.0 == driver) },
        totals: summarised.map { ($0.1.groupTotals(figures), isDriver: $0.0 == driver) },
        candidates: candidates)
    }
    if case .nearest = query.condition { return try nearestGroups(make) }
    let sinks: [JoinGroupSink] = try run(driver: driver) { candidates in
      let sink = make(candidates.keys)
      sink.prepare(
        driver: self.side(driver).usedChunks, candidates: self.side(driver.other).usedChunks)
      return sink
    }
    for sink in sinks.dropFirst() { sinks[0].merge(sink) }
    return sinks.first?.groups() ?? []
  }

  private func nearestGroups(_ make: ([Int]) -> JoinGroupSink) throws -> [Group] {
    let pairs = try pairs()
    let sink = make(pairs.map { $0.right ?? 0 })
    let oneRow = OneRow()
    for (index, pair) in pairs.enumerated() where pair.right != nil {
      oneRow.select(pair.left) {
        sink.take(index, chunk: RowAddress(pair.left).chunk, rows: $0)
      }
    }
    return sink.groups()
  }

  private func valuePath(_ property: Property) throws -> ValuePath {
    let table = side(property.side).table
    return try PathBinder(table: table).valuePaths([property.name])[0]
  }

  private func side(_ side: JoinQuery.Side) -> JoinSide { side == .left ? left : right }
}

extension JoinExecution {
  /// Runs the join into sinks, one for each thread.
  ///
  /// - Parameter make: Creates a sink. It runs on the snapshot's own thread.
  func run<S: JoinSink>(
    driver: JoinQuery.Side, make: (JoinCandidates) -> S
  ) throws -> [S] {
    let (driven, other) = (side(driver), side(driver.other))
    guard driven.count > 0, other.count > 0 else { return [] }
    driven.prepare()
    other.prepare()
    for comparison in comparisons { comparison.prepare(left.table, right.table) }
    let condition = condition(driver)
    let candidates = JoinCandidates(other, grow: condition.grow)
    let test = JoinTest(condition, driver: driven, candidates: candidates)
    try test.prepare()
    let pieces = JoinPieces(driven).pieces
    let width = min(WorkerPool.shared.width, max(1, pieces.count))
    let sinks = (0..<width).map { _ in make(candidates) }
    let queue = WorkQueue(pieces.count)
    WorkerPool.shared.run(width) { part in
      var walk = JoinWalk(
        driven, candidates: candidates, test: test, isOnce: self.query.isOnce,
        sink: self.comparing(sinks[part], candidates: candidates.keys, driver: driver))
      while let range = queue.next() {
        for piece in pieces[range] { walk.run(piece) }
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
    }
  }
}

/// Hands out pieces of work to threads, a few at a time and in order.
private final class WorkQueue: @unchecked Sendable {
  // Sendable: `lock` guards `position`, the only variable.
  private let lock = Lock()
  private let count: Int
  private let step: Int
  private var position = 0

  init(_ count: Int) {
    self.count = count
    step = max(1, min(16, count / 64))
  }

  /// The next pieces; nil if none are left.
  func next() -> Range<Int>? {
    lock.withLock {
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
