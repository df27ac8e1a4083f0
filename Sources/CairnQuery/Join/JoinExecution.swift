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
  let left: JoinRows
  let right: JoinRows
  let comparisons: [JoinComparison]
  let sides: Sides

  /// Both classes, as the condition compares their rows.
  enum Sides {
    /// By their locations or geometries.
    case places(left: JoinSide, right: JoinSide)
    /// By equal values.
    case keys(left: KeyedSide, right: KeyedSide)
  }

  /// Binds the join.
  ///
  /// - Throws: `QueryError` if a property does not exist or cannot be compared;
  ///   ``PredicateError`` if a condition does not fit its class.
  package init(_ query: JoinQuery, left: Table, right: Table) throws {
    self.query = query
    sides = try Sides(query, left: left, right: right)
    switch sides {
    case .places(let left, let right): (self.left, self.right) = (left, right)
    case .keys(let left, let right): (self.left, self.right) = (left, right)
    }
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
          + "side: they intersect, touch, cross, overlap or are equal, lie within a distance, or "
          + "have equal values of a property")
    }
  }

  /// Whether both sides are the same property of a class, and the condition is the same from either.
  private var isSymmetric: Bool {
    guard left.table.schema.id == right.table.schema.id, query.left.path == query.right.path,
      !query.isOuter
    else { return false }
    return switch query.condition {
    case .equal(let equalities): equalities.allSatisfy { $0.left == $0.right }
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
      keys = side == driver ? Array(0..<self.side(side).table.endKey) : candidates
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
    if case .nearest(let count, let edges) = query.condition,
      case .places(let left, let right) = sides
    {
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
      candidates = found
      return PairSink()
    }
    let pairs = sorted(sinks.flatMap(\.pairs), candidates: candidates, driver: driver)
    guard case .distance(_, let edges) = query.condition, case .places(let left, let right) = sides
    else { return pairs }
    return pairs.map { pair in
      JoinPair(
        left: pair.left, right: pair.right,
        radians: pair.right.map {
          left.place(of: pair.left).distance(to: right.place(of: $0), edges: edges)
        } ?? .nan)
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
    let longer = left.count >= right.count ? JoinQuery.Side.left : .right
    if query.isOnce { return .left }
    guard case .places(let left, let right) = sides else { return longer }
    return switch query.condition {
    case .nearest: .left
    case _ where left.holdsPoints != right.holdsPoints: left.holdsPoints ? .left : .right
    case .relation(.within, _): .left
    case .relation(.contains, _): .right
    case .relation, .distance, .equal: longer
    }
  }

  /// The rows of one side.
  func side(_ side: JoinQuery.Side) -> JoinRows { side == .left ? left : right }
}
