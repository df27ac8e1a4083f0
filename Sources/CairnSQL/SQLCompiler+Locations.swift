import CairnGeometry
import CairnQuery
import CairnSystem
import CairnValues

/// SQL for the longitude and the latitude of a location.
struct SQLCoordinates {
  let longitude: SQLFragment
  let latitude: SQLFragment
}

/// Conditions on locations.
extension SQLCompiler {
  /// SQL for the coordinates of a location, which are null if the location is null or empty; nil if
  /// the column is in another coordinate system.
  func coordinates(_ storage: SQLLocationStorage, of column: SQLColumn) -> SQLCoordinates? {
    switch storage {
    case .coordinates(let longitude, let latitude):
      return SQLCoordinates(longitude: longitude, latitude: latitude)
    case .geometry(let srid):
      guard srid == 0 || srid == 4326 else { return nil }
      return SQLCoordinates(
        longitude: "ST_X(\(column.expression))", latitude: "ST_Y(\(column.expression))")
    case .geography:
      return SQLCoordinates(
        longitude: "ST_X(\(column.expression)::geometry)",
        latitude: "ST_Y(\(column.expression)::geometry)")
    }
  }

  /// The condition that a column is null. An empty point is a null location.
  func isNull(_ column: SQLColumn) -> SQLFragment {
    switch column.type {
    case .location(.coordinates(let longitude, let latitude)):
      "(\(longitude) IS NULL OR \(latitude) IS NULL)"
    case .location(.geometry): "ST_X(\(column.expression)) IS NULL"
    case .location(.geography): "ST_X(\(column.expression)::geometry) IS NULL"
    default: "\(column.expression) IS NULL"
    }
  }

  /// `home == geoPoint([16, 48])`.
  func equal(
    _ column: SQLColumn, position: Position, operation: ComparisonOperator
  ) -> SQLCondition {
    guard case .location(let storage) = column.type,
      let coordinates = coordinates(storage, of: column)
    else { return .undecided(otherSystem(column)) }
    let isNear = within(
      [Bounds(position.longitude, position.latitude, position.longitude, position.latitude)],
      storage: storage, column: column, coordinates: coordinates)
    let isEqual =
      style == .idiomatic
      ? SQLCondition(isNear, difference: "the altitude of '\(column.property)' is not compared")
      : SQLCondition(
        possible: dialect == .bigquery ? .true : isNear, certain: .false,
        undecided: ["the altitude of '\(column.property)' is compared here"])
    return operation == .equal ? isEqual : isEqual.negated
  }

  func otherSystem(_ column: SQLColumn) -> String {
    "'\(column.property)' is in another coordinate system"
  }

  // MARK: Rectangles

  /// The condition that a location is in one of the rectangles, in a form that uses an index.
  func within(
    _ bounds: [Bounds], storage: SQLLocationStorage, column: SQLColumn,
    coordinates: SQLCoordinates
  ) -> SQLFragment {
    SQLCondition.any(
      bounds.map { bounds in
        SQLCondition.all(
          indexed(bounds, storage: storage, column: column) + ranges(bounds, of: coordinates))
      })
  }

  private func ranges(_ bounds: Bounds, of coordinates: SQLCoordinates) -> [SQLFragment] {
    [
      "\(coordinates.longitude) BETWEEN \(value: .double(bounds.west)) AND \(value: .double(bounds.east))",
      "\(coordinates.latitude) BETWEEN \(value: .double(bounds.south)) AND \(value: .double(bounds.north))",
    ]
  }

  /// A condition that an index over geometries answers and that every location in the rectangle
  /// meets; none for columns without such an index.
  private func indexed(
    _ bounds: Bounds, storage: SQLLocationStorage, column: SQLColumn
  ) -> [SQLFragment] {
    switch (storage, dialect) {
    case (.geometry(let srid), .postgis):
      return ["\(column.expression) && \(envelope(bounds, srid: srid))"]
    case (.geography, .postgis):
      guard let circle = bounds.circle else { return [] }
      return [
        near(
          column, longitude: circle.longitude, latitude: circle.latitude,
          radius: "\(value: .double(circle.radius))")
      ]
    case (.geometry, .duckdb):
      return ["ST_Intersects(\(column.expression), \(envelope(bounds, srid: 0)))"]
    default: return []
    }
  }

  /// The condition that a geography is near a point, which its index answers. PostGIS measures on a
  /// sphere of its own, with a radius of 6371008.8 m, by a little more than which the angle is
  /// multiplied.
  ///
  /// - Parameter radius: SQL for the angle in radians.
  func near(
    _ column: SQLColumn, longitude: Double, latitude: Double, radius: SQLFragment
  ) -> SQLFragment {
    let center = SQLValue.geography(
      wkb: SQLShapes.point(longitude: longitude, latitude: latitude))
    return
      "ST_DWithin(\(column.expression), \(value: center), \(radius) * 6371015.2 + 0.01, false)"
  }

  /// A rectangle as a planar geometry.
  func envelope(_ bounds: Bounds, srid: Int) -> SQLFragment {
    let corners = [bounds.west, bounds.south, bounds.east, bounds.north]
    let numbers = SQLFragment.joined(
      corners.map { "\(value: .double($0))" }, separator: ", ")
    return dialect == .postgis
      ? "ST_MakeEnvelope(\(numbers), \(number: srid))" : "ST_MakeEnvelope(\(numbers))"
  }
}
