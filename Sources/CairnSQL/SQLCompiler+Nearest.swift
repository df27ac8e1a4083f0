import CairnGeometry
import CairnQuery
import CairnValues

/// The rows nearest to a point.
extension SQLCompiler {
  /// A location column and the point from which distances are measured.
  struct Nearest {
    let location: SQLLocation
    let column: SQLColumn
    let point: GeoPoint
  }

  /// Returns the location and the point of a sort by distance from a point, nearest first; nil for
  /// any other sort.
  func nearest(_ sort: [SortKey]) throws(SQLError) -> Nearest? {
    // BigQuery rounds coordinates, so it bounds no distance.
    guard style == .idiomatic || dialect != .bigquery,
      case .distance(let path, .geometry(let geometry, _), .geodesic, true)? = sort.first,
      let point = geometry.point, let column = try column(path),
      case .location(let storage) = column.type,
      let location = SQLLocation(column, storage: storage, compiler: self)
    else { return nil }
    return Nearest(location: location, column: column, point: point)
  }

  /// The distance from a point by which an engine sorts rows, nearest first, with the difference from
  /// Cairn's order; nil for any other sort, and between two bounds.
  func distanceOrder(
    _ key: SortKey
  ) throws(SQLError) -> (key: SQLFragment, difference: String)? {
    guard style == .idiomatic, let nearest = try nearest([key]) else { return nil }
    return SQLPlaceIdiom(nearest.column, compiler: self)?.order(from: nearest.point)
  }

  /// A statement that finds how far away the last of the nearest rows may be: the first of two
  /// statements that find them through an index.
  ///
  /// Any rows that surely meet the condition bound the distance of the last one. PostGIS takes those
  /// that come first in the order of its index.
  ///
  /// - Parameter reach: The haversine of the angle within which rows are looked for; nil for all rows.
  ///   In the order of an index, each partition would return many rows.
  /// - Returns: A statement with one value: an upper bound of the haversine of the angle between the
  ///   point and the last row, or null if fewer rows have a location. Nil if the first key of the
  ///   sort is not the distance from a point, nearest first, or no rows are wanted.
  package func nearestBound(
    _ condition: SQLCondition, sort: [SortKey], count: Int, within reach: Double? = nil
  ) throws(SQLError) -> SQLFragment? {
    guard count > 0, let nearest = try nearest(sort) else { return nil }
    return bound(nearest, condition: condition, count: count, within: reach)
  }

  /// A statement that returns the nearest rows and those that rounding could confuse with them: the
  /// second of two statements. Both must see the same state of the table.
  ///
  /// Its circle is constant, so that the engine can use an index, and skip partitions. Rows of the
  /// same location are in the order of the table's key.
  ///
  /// - Parameters:
  ///   - columns: The properties that the statement returns; nil for all columns.
  ///   - haversine: The value of ``nearestBound(_:sort:count:)``; nil if it is null. Then all rows
  ///     are possible, because those without a location follow the others.
  /// - Returns: Nil if the first key of the sort is not the distance from a point, nearest first.
  package func nearestRows(
    _ condition: SQLCondition, columns: [String]? = nil, sort: [SortKey], haversine: Double?
  ) throws(SQLError) -> SQLSelect? {
    guard let nearest = try nearest(sort) else { return nil }
    let isNear =
      haversine.map { nearest.location.isNear(nearest.point, haversine: $0) } ?? .true
    let list = try self.columns(columns)
    let filter = self.filter(SQLCondition.all([condition.possible, isNear]))
    var fragment: SQLFragment = "SELECT \(list) FROM \(table.qualifiedName)\(filter)"
    var keys: [SQLFragment] = []
    for name in table.key { keys += sortKeys(try column(named: name), ascending: true) ?? [] }
    if !keys.isEmpty { fragment.append(" ORDER BY \(SQLFragment.joined(keys, separator: ", "))") }
    return superset(fragment, condition: condition)
  }

  /// Both statements in one. If fewer rows have a location, its second part returns all rows. An `OR`
  /// of the two would keep the engine from using an index.
  func nearest(
    _ nearest: Nearest, condition: SQLCondition, columns: SQLFragment, count: Int
  ) -> SQLSelect {
    let rows: SQLFragment = "SELECT \(columns) FROM \(table.qualifiedName)"
    guard count > 0 else {
      return superset("\(rows)\(filter(.false))", condition: .constant(false))
    }
    let haversine = nearest.location.haversine(to: nearest.point)
    let isNear = SQLCondition.all(
      [condition.possible] + boxes(nearest) + ["\(haversine) <= \(Self.limit)"])
    let isShort: SQLFragment = "(SELECT \(Self.limit) IS NULL FROM cairn_nearest)"
    return superset(
      "WITH cairn_nearest AS (\(bound(nearest, condition: condition, count: count))) \(rows), cairn_nearest WHERE \(isNear) UNION ALL \(rows) WHERE \(SQLCondition.all([isShort, condition.possible]))",
      condition: condition)
  }

  /// The bound in a statement. The names are unlikely to be those of a table and of its columns.
  private static let limit: SQLFragment = "cairn_nearest.cairn_haversine"

  private func superset(_ fragment: SQLFragment, condition: SQLCondition) -> SQLSelect {
    SQLSelect(
      fragment: fragment, condition: condition,
      undecided: condition.undecided + ["the nearest rows are sorted and counted here"],
      isExact: false, isSorted: false)
  }

  /// Two programs may differ by 1e-11 in the angle, and by 1e-11 of the haversine where the angle is
  /// nearly half a turn; the bound is greater by more than both.
  private func bound(
    _ nearest: Nearest, condition: SQLCondition, count: Int, within reach: Double? = nil
  ) -> SQLFragment {
    let haversine = nearest.location.haversine(to: nearest.point)
    let isNear = reach.map { nearest.location.isNear(nearest.point, haversine: $0) } ?? .true
    let sample = SQLCondition.all([condition.certain, isNull(nearest.column).negated, isNear])
    let order = reach == nil ? indexOrder(nearest) ?? haversine : haversine
    let candidates: SQLFragment =
      "SELECT \(haversine) AS cairn_haversine FROM \(table.qualifiedName) WHERE \(sample) ORDER BY \(order) LIMIT \(number: count)"
    let greatest: SQLFragment = "max(cairn_haversine)"
    return
      "SELECT CASE WHEN count(*) = \(number: count) THEN \(greatest) * (1 + 1e-11) + sqrt(\(greatest)) * 1e-10 + 1e-20 END AS cairn_haversine FROM (\(candidates)) AS candidates"
  }

  /// The order by which an index of PostGIS finds rows near a point; nil without such an index. Its
  /// order is that of the plane, or of a sphere about a point nearby, so it only proposes rows.
  private func indexOrder(_ nearest: Nearest) -> SQLFragment? {
    guard dialect == .postgis, case .location(let storage) = nearest.column.type else { return nil }
    let origin: SQLValue
    switch storage {
    case .geometry(let srid):
      origin = .geometry(
        wkb: SQLShapes.point(longitude: nearest.point.longitude, latitude: nearest.point.latitude),
        srid: srid)
    case .geography:
      let place = GeographyOrigin.near(nearest.point)
      origin = .geography(
        wkb: SQLShapes.point(longitude: place.longitude, latitude: place.latitude))
    case .coordinates: return nil
    }
    return "\(nearest.column.expression) <-> \(value: origin)"
  }

  /// Boxes with everything within the distance, for an index: one about the point, and two that
  /// reach over the antimeridian.
  private func boxes(_ nearest: Nearest) -> [SQLFragment] {
    guard dialect == .postgis else { return [] }
    let srid: Int
    switch nearest.column.type {
    case .location(.geometry(let number)): srid = number
    case .location(.geography): return [isNear(nearest)]
    default: return []
    }
    let (longitude, latitude) = (nearest.point.longitude, nearest.point.latitude)
    let cosine = Bounds.cosine(degrees: latitude)
    let sine: SQLFragment =
      "(2 * sqrt(least(\(Self.limit), 1)) * sqrt(1 - least(\(Self.limit), 1)))"
    let south: SQLFragment = "(2 * degrees(asin(sqrt(least(\(Self.limit), 1)))) + 1e-6)"
    let isSmall: SQLFragment =
      "\(Self.limit) < 0.5 AND \(sine) < \(value: .double(cosine)) * 0.999999"
    let east: SQLFragment =
      "CASE WHEN \(isSmall) THEN degrees(asin(\(sine) / \(value: .double(cosine)))) + 1e-6 ELSE 360 END"
    let boxes = [0.0, 360, -360].map { shift -> SQLFragment in
      let center: SQLFragment = "\(value: .double(longitude + shift))"
      let middle: SQLFragment = "\(value: .double(latitude))"
      return
        "\(nearest.column.expression) && ST_MakeEnvelope(\(center) - \(east), \(middle) - \(south), \(center) + \(east), \(middle) + \(south), \(number: srid))"
    }
    return [SQLCondition.any(boxes)]
  }

  /// The condition that a geography is within the bound, which its index answers.
  private func isNear(_ nearest: Nearest) -> SQLFragment {
    near(
      nearest.column, longitude: nearest.point.longitude, latitude: nearest.point.latitude,
      radius: "2 * asin(sqrt(least(\(Self.limit), 1)))")
  }
}
