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
    guard case .distance(let path, .geometry(let geometry, _), .geodesic, true)? = sort.first,
      let point = geometry.point, let column = try column(path),
      case .location(let storage) = column.type,
      let location = SQLLocation(column, storage: storage, compiler: self)
    else { return nil }
    return Nearest(location: location, column: column, point: point)
  }

  /// A statement that returns the nearest rows and those that rounding could confuse with them.
  ///
  /// Any rows that surely meet the condition bound the distance of the last one. PostGIS takes those
  /// nearest in the plane, because its index finds them; then a box with the bound finds the rest.
  /// If fewer rows have a location, all rows are possible.
  func nearest(
    _ nearest: Nearest, condition: SQLCondition, columns: SQLFragment, count: Int
  ) -> SQLSelect {
    let haversine = nearest.location.haversine(to: nearest.point)
    let hasLocation = isNull(nearest.column).negated
    let sample = SQLCondition.all([condition.certain, hasLocation])
    let candidates: SQLFragment =
      "SELECT \(haversine) AS haversine FROM \(table.qualifiedName) WHERE \(sample) ORDER BY \(planarOrder(nearest) ?? haversine) LIMIT \(number: count)"
    let limit: SQLFragment =
      "SELECT CASE WHEN count(*) = \(number: count) THEN max(haversine) * (1 + 1e-11) + 1e-22 END AS haversine FROM (\(candidates)) AS candidates"
    let isNear: SQLFragment =
      "(nearest.haversine IS NULL OR \(SQLCondition.all(boxes(nearest) + ["\(haversine) <= nearest.haversine"])))"
    let filter = SQLCondition.all([condition.possible, isNear])
    return SQLSelect(
      fragment:
        "WITH nearest AS (\(limit)) SELECT \(columns) FROM \(table.qualifiedName), nearest WHERE \(filter)",
      condition: condition,
      undecided: condition.undecided + ["the nearest rows are sorted and counted here"],
      isExact: false, isSorted: false)
  }

  /// The order by which an index of PostGIS finds rows near a point.
  private func planarOrder(_ nearest: Nearest) -> SQLFragment? {
    guard dialect == .postgis, case .location(.geometry(let srid)) = nearest.column.type else {
      return nil
    }
    let point = SQLValue.geometry(
      wkb: SQLShapes.point(longitude: nearest.point.longitude, latitude: nearest.point.latitude),
      srid: srid)
    return "\(nearest.column.expression) <-> \(value: point)"
  }

  /// Boxes with everything within the distance, for an index: one about the point, and two that
  /// reach over the antimeridian.
  private func boxes(_ nearest: Nearest) -> [SQLFragment] {
    guard dialect == .postgis, case .location(.geometry(let srid)) = nearest.column.type else {
      return []
    }
    let (longitude, latitude) = (nearest.point.longitude, nearest.point.latitude)
    let cosine = Bounds.cosine(degrees: latitude)
    let sine: SQLFragment =
      "(2 * sqrt(least(nearest.haversine, 1)) * sqrt(1 - least(nearest.haversine, 1)))"
    let south: SQLFragment = "(2 * degrees(asin(sqrt(least(nearest.haversine, 1)))) + 1e-6)"
    let isSmall: SQLFragment =
      "nearest.haversine < 0.5 AND \(sine) < \(value: .double(cosine)) * 0.999999"
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
}
