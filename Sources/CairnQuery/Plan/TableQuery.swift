import CairnGeometry
import CairnValues

/// A query on one class: the source of its rows, a condition, and the steps applied to the matching
/// rows.
///
/// Building a query costs nothing. ``Execution`` binds it to a table, and nothing runs until a
/// result is requested.
package struct TableQuery: Sendable {
  /// The rows that a query reads.
  package enum Source: Sendable, Hashable {
    /// Every row of the class, in key order.
    case all
    /// These rows in this order, with repetitions: the contents of lists and inverse properties.
    /// Rows that are not live are skipped.
    case keys([Int])
  }

  /// An operation on the rows of the previous step.
  package enum Step: Sendable, Hashable {
    /// Sorts by keys, most significant first. The sort is stable.
    case sort([SortKey])
    /// Keeps only the first of the rows that are equal in all of these properties. Rows with a null
    /// link on the path are dropped.
    case distinct([PropertyPath])
    /// Skips rows, then takes at most a number of them; nil for all.
    case limit(offset: Int, count: Int?)
  }

  /// The class.
  package var table: String
  /// The source of the rows.
  package var source: Source
  /// The condition that rows must meet.
  package var predicate: Predicate
  /// The steps, applied in sequence after the predicate.
  package var steps: [Step]

  /// Creates a query with any steps.
  package init(
    table: String, source: Source = .all, predicate: Predicate = .true, steps: [Step]
  ) {
    self.table = table
    self.source = source
    self.predicate = predicate
    self.steps = steps
  }

  /// Creates a query in the plain form: predicate, sort, distinct, offset, limit.
  package init(
    table: String, source: Source = .all, predicate: Predicate = .true, sort: [SortKey] = [],
    distinct: [PropertyPath] = [], offset: Int = 0, limit: Int? = nil
  ) {
    self.init(table: table, source: source, predicate: predicate, steps: [])
    plain = PlainSteps(sort: sort, distinct: distinct, offset: offset, limit: limit)
  }
}

/// One key of an order.
package enum SortKey: Hashable, Sendable {
  /// By value: nulls before NaN before numbers, false before true, text by its UTF-8 bytes;
  /// reversed if not `ascending`. A row with a null link on the path comes last ascending, first
  /// descending.
  case property(PropertyPath, ascending: Bool)
  /// By the distance of a location or a geometry from a shape: on the sphere, where edges are the
  /// shortest paths between vertices, or with planar edges in the plane of longitude and latitude.
  /// Rows without a location or a vertex come last in both directions.
  case distance(
    PropertyPath, from: Shape, edges: GeoPolygon.Edges = .geodesic, ascending: Bool)
  /// By the relevance of texts of the object itself for a full-text search, with BM25. The scores of
  /// several texts add up. Rows that the search does not match have a score as well.
  case relevance([PropertyPath], search: String, ascending: Bool)

  /// By the property of that name.
  package static func property(_ name: String, ascending: Bool) -> SortKey {
    .property(PropertyPath(name), ascending: ascending)
  }

  /// By the distance of a location or a geometry from a point in degrees.
  package static func distance(
    _ path: PropertyPath, longitude: Double, latitude: Double, ascending: Bool
  ) -> SortKey {
    .distance(
      path, from: .point(Position(latitude: latitude, longitude: longitude)), ascending: ascending)
  }

  /// By the distance of the location or geometry of that name.
  package static func distance(
    _ name: String, longitude: Double, latitude: Double, ascending: Bool
  ) -> SortKey {
    .distance(
      PropertyPath(name), longitude: longitude, latitude: latitude, ascending: ascending)
  }
}

/// The plain form of a query's steps, which most queries have: sort, distinct and limit, each at
/// most once.
struct PlainSteps {
  var sort: [SortKey] = []
  var distinct: [PropertyPath] = []
  var offset = 0
  /// Nil for all rows.
  var limit: Int?

  /// The same steps as a list.
  var steps: [TableQuery.Step] {
    var steps: [TableQuery.Step] = []
    if !sort.isEmpty { steps.append(.sort(sort)) }
    if !distinct.isEmpty { steps.append(.distinct(distinct)) }
    if offset != 0 || limit != nil { steps.append(.limit(offset: offset, count: limit)) }
    return steps
  }

  /// Splits steps into the longest plain beginning and the rest.
  static func leading(_ steps: [TableQuery.Step]) -> (plain: PlainSteps, rest: [TableQuery.Step]) {
    var plain = PlainSteps()
    var rest = joined(steps)[...]
    if case .sort(let keys)? = rest.first {
      plain.sort = keys
      rest = rest.dropFirst()
    }
    if case .distinct(let paths)? = rest.first {
      plain.distinct = paths
      rest = rest.dropFirst()
    }
    if case .limit(let offset, let count)? = rest.first {
      plain.offset = offset
      plain.limit = count
      rest = rest.dropFirst()
    }
    return (plain, Array(rest))
  }

  /// The same steps with consecutive sorts and consecutive limits merged, and without steps that
  /// have no effect.
  static func joined(_ steps: [TableQuery.Step]) -> [TableQuery.Step] {
    var result: [TableQuery.Step] = []
    for step in steps {
      switch (step, result.last) {
      case (.sort(let keys), _) where keys.isEmpty: break
      case (.distinct(let paths), _) where paths.isEmpty: break
      case (.limit(0, nil), _): break
      case (.sort(let keys), .sort(let before)?):
        // Sorting is stable, so the later order leads and the earlier one breaks its ties.
        result[result.count - 1] = .sort(keys + before)
      case (.limit(let offset, let count), .limit(let first, let most)?):
        result[result.count - 1] = joined(first, most: most, at: offset, count: count)
      default: result.append(step)
      }
    }
    return result
  }

  private static func joined(
    _ first: Int, most: Int?, at offset: Int, count: Int?
  ) -> TableQuery.Step {
    let (sum, overflow) = first.addingReportingOverflow(offset)
    let left = most.map { max(0, $0 - offset) }
    return .limit(
      offset: overflow ? .max : sum, count: [left, count].compactMap { $0 }.min())
  }
}

/// Access to the plain beginning of a query. The steps behind it stay when a part is set.
extension TableQuery {
  var plain: PlainSteps {
    get { PlainSteps.leading(steps).plain }
    set { steps = newValue.steps + PlainSteps.leading(steps).rest }
  }

  /// The sort keys, most significant first. Rows that are equal in all of them keep the order of
  /// the source.
  package var sort: [SortKey] {
    get { plain.sort }
    set { plain.sort = newValue }
  }

  /// The properties of the distinct step. Of rows that are equal in all of them, only the first in
  /// the current order is kept.
  package var distinct: [PropertyPath] {
    get { plain.distinct }
    set { plain.distinct = newValue }
  }

  /// The number of rows to skip.
  package var offset: Int {
    get { plain.offset }
    set { plain.offset = newValue }
  }

  /// The greatest number of rows; nil for all.
  package var limit: Int? {
    get { plain.limit }
    set { plain.limit = newValue }
  }
}
