import CairnGeometry
import CairnQuery
import CairnStorage

extension RealmCollection where Element: ObjectBase {
  /// Returns the pairs of these objects and others that meet a condition.
  ///
  ///     for pair in cities.joined(to: countries, on: .within(\.location, \.area)) {
  ///       print(pair.left.name, pair.right.name)
  ///     }
  ///
  /// Filters, limits and distinct steps of either collection apply before the join. Its order does
  /// not: pairs are in the order in which the left objects were added, then the right ones, or the
  /// nearest ones first. An object takes part once, however often a list holds it.
  ///
  /// - Parameters:
  ///   - other: the right objects, of the same realm.
  ///   - condition: the condition that pairs meet.
  public func joined<Right: RealmCollection>(
    to other: Right, on condition: JoinCondition<Element, Right.Element>
  ) -> Join<Element, Right.Element> where Right.Element: ObjectBase {
    Join(stored, right: other.stored, condition: condition) {
      $0.map { Right.Element._object(at: $0) }
    }
  }

  /// Returns the pairs of these objects and others that meet a condition, and each of these
  /// objects that is in no pair, with nil on its right.
  ///
  ///     for pair in cities.outerJoined(to: countries, on: .within(\.location, \.area)) {
  ///       print(pair.left.name, pair.right?.name ?? "at sea")
  ///     }
  ///
  /// - Parameters:
  ///   - other: the right objects, of the same realm.
  ///   - condition: the condition that pairs meet.
  public func outerJoined<Right: RealmCollection>(
    to other: Right, on condition: JoinCondition<Element, Right.Element>
  ) -> Join<Element, Right.Element?> where Right.Element: ObjectBase {
    Join(stored, right: other.stored, condition: condition, isOuter: true) {
      .some($0.map { Right.Element._object(at: $0) })
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the pairs of these objects that meet a condition, each two objects once, with
  /// the one that was added first on the left. No object is in a pair with itself.
  ///
  ///     for pair in parcels.pairs(on: .intersects(\.area, \.area)) {
  ///       print(pair.left.number, pair.right.number)
  ///     }
  ///
  /// This takes less than half the time of a join of the objects to themselves.
  ///
  /// - Parameter condition: `.distance`, `.intersects`, `.touches`, `.crosses`, `.overlaps`, `.equals` or
  ///   `.equalValues` of one property on both sides; any other is a programming error.
  public func pairs(on condition: JoinCondition<Element, Element>) -> Join<Element, Element> {
    Join(stored, right: stored, condition: condition, isOnce: true) {
      $0.map { Element._object(at: $0) }
    }
  }
}

/// A pair of objects in a join.
public struct JoinedPair<Left, Right> {
  /// The left object.
  public let left: Left
  /// The right object; nil for a left object of an outer join that is in no pair.
  public let right: Right
  /// The distance on the sphere, or with planar edges in the plane, 0 where the two have a point in common; nil unless the condition
  /// measures it.
  public let distance: Distance?
}

/// The pairs of objects of two collections that meet a condition.
///
/// A join is lazy and live: each loop, and each call, runs it on the present snapshot of its realm,
/// by the R-trees or a hash table, on all cores. ``count``, ``count(ofEach:)`` and ``aggregate(by:)`` make no pairs.
/// Like results, a join belongs to the thread of its realm; collections of a frozen realm make one
/// for any thread.
///
///     let join = cities.joined(to: countries, on: .within(\.location, \.area))
///     print(join.count)
///     for (country, cities) in join.count(ofEach: .right) { print(country.name, cities) }
///     for group in join.aggregate(of: \.left.population, by: \.right.name) {
///       print(group.key, group.sum ?? 0)
///     }
public struct Join<Left: ObjectBase & RealmCollectionValue, Right>: Sequence {
  let left: ResultCache
  let right: ResultCache
  private let query: (_ left: TableQuery, _ right: TableQuery) -> JoinQuery
  private let properties: [JoinQuery.Equality]
  /// Returns the right object of a row; nil if a required row is missing.
  private let object: (Row?) -> Right?

  init<Other: ObjectBase>(
    _ left: Results<Left>, right: Results<Other>, condition: JoinCondition<Left, Other>,
    isOuter: Bool = false, isOnce: Bool = false, object: @escaping (Row?) -> Right?
  ) {
    guard left.session === right.session else {
      programmingError("A join needs two collections of the same realm.")
    }
    self.left = left.found
    self.right = right.found
    properties = condition.properties
    self.object = object
    query = {
      JoinQuery(
        left: condition.input($0, .left), right: condition.input($1, .right),
        on: condition.condition, isOuter: isOuter, isOnce: isOnce)
    }
    orFatal { _ = try execution() }
  }

  /// The join on the tables of the present snapshot.
  private func execution() throws -> JoinExecution {
    try left.track(reading: properties.map(\.left))
    try right.track(reading: properties.map(\.right))
    return try JoinExecution(
      query(left.presentQuery, right.presentQuery),
      left: left.handle.table, right: right.handle.table)
  }

  /// Runs the join.
  func run<Result>(_ body: (JoinExecution) throws -> Result) -> Result {
    orFatal { try body(execution()) }
  }

  /// The number of pairs; in an outer join, with the left objects that are in none.
  public var count: Int { run { try $0.count() } }

  /// Whether the join has no pairs.
  public var isEmpty: Bool { count == 0 }

  /// Returns an iterator over the pairs of the present snapshot, which are all found before the
  /// first one is returned.
  public func makeIterator() -> AnyIterator<JoinedPair<Left, Right>> {
    var pairs = run { try $0.pairs() }.makeIterator()
    let (left, right, object) = (left.handle, right.handle, object)
    // The pairs of a left object follow one another.
    var last: (key: Int, object: Left)?
    func leftObject(_ key: Int) -> Left {
      if let last, last.key == key { return last.object }
      let object = Left._object(at: Row(handle: left, key: key))
      last = (key, object)
      return object
    }
    return AnyIterator {
      while let pair = pairs.next() {
        let row = pair.right.map { Row(handle: right, key: $0) }
        guard let other = object(row) else { continue }
        return JoinedPair(
          left: leftObject(pair.left), right: other, distance: Distance.radians(pair.radians))
      }
      return nil
    }
  }

  /// Returns each object of one side that has partners on the other, with the number of them, in the
  /// order in which the objects were added. Makes no pairs.
  ///
  ///     for (country, cities) in join.count(ofEach: .right) { print(country.name, cities) }
  ///
  /// In an outer join, `.left` returns every left object, also those without partners.
  ///
  /// - Parameter side: `.left` or `.right`.
  public func count<Object>(
    ofEach side: JoinedSide<Left, Right, Object>
  ) -> [(object: Object, count: Int)] {
    let counts = run { try $0.counts(ofEach: side.side) }
    let handle = side.side == .left ? left.handle : right.handle
    return counts.compactMap { key, count in
      let row = Row(handle: handle, key: key)
      let found: Any? = side.side == .left ? Left._object(at: row) : object(row)
      return (found as? Object).map { ($0, count) }
    }
  }

  /// Runs the join and describes the execution: the condition, the side whose rows are visited, how
  /// the rows of either side are found, the number of pairs, and the time.
  public func explain() -> String { run { try $0.explain() } }
}

/// A side of a join: `.left` or `.right`.
public struct JoinedSide<Left, Right, Object> {
  let side: JoinQuery.Side
}

extension JoinedSide where Object == Left {
  /// The collection that was joined.
  public static var left: JoinedSide { JoinedSide(side: .left) }
}

extension JoinedSide where Object == Right {
  /// The collection that it was joined to.
  public static var right: JoinedSide { JoinedSide(side: .right) }
}
