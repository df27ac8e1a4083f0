import CairnGeometry
import CairnQuery
import CairnSystem
import CairnValues

/// Spatial relations and distances.
extension SQLCompiler {
  func spatial(
    _ path: PropertyPath, _ condition: SpatialCondition, shape: Shape
  ) throws(SQLError) -> SQLCondition {
    let column = try column(path)
    guard let column else { return .undecided(behind(path)) }
    switch condition {
    case .relation(let relation): return self.relation(column, relation, shape: shape)
    case .distance(let comparison, let distance):
      // Distances always have geodesic edges.
      guard let shape = shape.withGeodesicEdges else {
        return .undecided("the distance of '\(path)' is measured here")
      }
      return self.distance(column, comparison, shape: shape, distance: distance)
    }
  }

  private func relation(
    _ column: SQLColumn, _ relation: SpatialRelation, shape: Shape
  ) -> SQLCondition {
    let bounds = boundedRelation(column, relation, shape: shape)
    guard style == .idiomatic, !bounds.isExact else { return bounds }
    return SQLPlaceIdiom(column, compiler: self)?.condition(relation, shape: shape) ?? bounds
  }

  private func boundedRelation(
    _ column: SQLColumn, _ relation: SpatialRelation, shape: Shape
  ) -> SQLCondition {
    if dialect == .bigquery { return .undecided(rounded(column)) }
    switch column.type {
    case .location(let storage):
      guard let location = SQLLocation(column, storage: storage, compiler: self) else {
        return .undecided(otherSystem(column))
      }
      return location.condition(relation, shape: shape)
    case .geometry(let storage):
      return relation == .disjoint
        ? .all([
          hasPoints(column),
          meets(column, storage: storage, shape: shape).negated,
        ])
        : meets(column, storage: storage, shape: shape)
    default: return .undecided("'\(column.property)' is more than the value of a column")
    }
  }

  private func distance(
    _ column: SQLColumn, _ comparison: ComparisonOperator, shape: Shape, distance: Distance
  ) -> SQLCondition {
    let bounds = isNear(column, shape: shape, distance: distance)
    let isNear =
      style == .idiomatic && !bounds.isExact
      ? SQLPlaceIdiom(column, compiler: self)?.isNear(shape, distance: distance.radians) ?? bounds
      : bounds
    guard comparison == .greater || comparison == .greaterOrEqual else { return isNear }
    return .all([hasPoints(column), isNear.negated])
  }

  /// The condition that a column is within a distance of a shape, between two bounds.
  private func isNear(_ column: SQLColumn, shape: Shape, distance: Distance) -> SQLCondition {
    if dialect == .bigquery { return .undecided(rounded(column)) }
    switch column.type {
    case .location(let storage):
      guard let location = SQLLocation(column, storage: storage, compiler: self) else {
        return .undecided(otherSystem(column))
      }
      return location.isNear(shape, distance: distance)
    case .geometry(let storage):
      return meets(column, storage: storage, shape: shape, distance: distance.radians)
    default: return .undecided("'\(column.property)' is more than the value of a column")
    }
  }

  private func rounded(_ column: SQLColumn) -> String {
    "'\(column.property)' is compared with a shape here, because \(dialect) rounds coordinates"
  }

  /// The condition that a location or a geometry is neither null nor empty.
  private func hasPoints(_ column: SQLColumn) -> SQLCondition {
    let canBeEmpty = dialect == .postgis || dialect == .duckdb || dialect == .sedona
    if case .geometry(.geometry) = column.type, canBeEmpty {
      return SQLCondition("NOT ST_IsEmpty(\(column.expression))")
    }
    return SQLCondition(isNull(column).negated)
  }

  /// The condition that the box of a geometry comes within a distance of a shape's bounds.
  ///
  /// Edges on the sphere leave the box of their vertices. For a geometry less than one degree wide
  /// they do so by less than 0.002 degrees; wider ones are always possible.
  ///
  /// - Parameter distance: The distance in radians; nil for relations, which may have planar edges.
  private func meets(
    _ column: SQLColumn, storage: SQLGeometryStorage, shape: Shape, distance: Double? = nil
  ) -> SQLCondition {
    let reason = "'\(column.property)' is compared with a shape here"
    guard case .geometry(let srid) = storage, srid == 0 || srid == 4326 else {
      return .undecided(reason)
    }
    let isPlanar = shape.isPlanar && distance == nil
    let envelope = Region(shape).bounds
    let bounds = Bounds.rectangles(around: envelope).flatMap { bounds in
      isPlanar ? [bounds] : bounds.grown(by: (distance ?? 0) + 0.002 * .pi / 180)
    }
    let boxes = bounds.map { bounds -> SQLFragment in
      switch dialect {
      case .postgis:
        SQLCondition.all(
          ["\(column.expression) && \(self.envelope(bounds, srid: srid))"]
            + (table.hasPartitions ? [box(of: column.expression, meets: bounds)] : []))
      default: box(of: column.expression, meets: bounds)
      }
    }
    let isWide: SQLFragment =
      "(ST_XMax(\(column.expression)) - ST_XMin(\(column.expression))) > 1"
    return SQLCondition(
      possible: SQLCondition.any(isPlanar ? boxes : boxes + [isWide]), certain: .false,
      undecided: [reason])
  }

  private func box(of geometry: SQLFragment, meets bounds: Bounds) -> SQLFragment {
    SQLCondition.all([
      "ST_XMin(\(geometry)) <= \(value: .double(bounds.east))",
      "ST_XMax(\(geometry)) >= \(value: .double(bounds.west))",
      "ST_YMin(\(geometry)) <= \(value: .double(bounds.north))",
      "ST_YMax(\(geometry)) >= \(value: .double(bounds.south))",
    ])
  }
}

extension Shape {
  /// Whether the shape and the stored geometry are compared in the plane.
  var isPlanar: Bool {
    switch self {
    case .box: true
    case .circle: false
    case .polygon(let polygon): polygon.edges == .planar
    case .geometry(_, let edges): edges == .planar
    }
  }

  /// The shape with geodesic edges; nil if it has none.
  var withGeodesicEdges: Shape? {
    switch self {
    case .box, .circle: self
    case .polygon(let polygon):
      (try? GeoPolygon(polygons: polygon.polygons, edges: .geodesic)).map { .polygon($0) }
    case .geometry(let geometry, _): .geometry(geometry, edges: .geodesic)
    }
  }
}

/// Conditions on one column of locations.
struct SQLLocation {
  private let column: SQLColumn
  private let storage: SQLLocationStorage
  let coordinates: SQLCoordinates
  private let compiler: SQLCompiler

  /// Returns nil if the column is in another coordinate system than longitude and latitude.
  init?(_ column: SQLColumn, storage: SQLLocationStorage, compiler: SQLCompiler) {
    guard let coordinates = compiler.coordinates(storage, of: column) else { return nil }
    self.column = column
    self.storage = storage
    self.coordinates = coordinates
    self.compiler = compiler
  }

  var isNotNull: SQLCondition { SQLCondition(compiler.isNull(column).negated) }

  func condition(_ relation: SpatialRelation, shape: Shape) -> SQLCondition {
    let isIn = isIn(shape)
    switch relation {
    case .within, .intersects: return isIn
    case .disjoint: return .all([isNotNull, isIn.negated])
    // A single location is inside or outside.
    case .crosses, .overlaps: return SQLCondition(.false)
    case .contains, .touches, .equals:
      return SQLCondition(
        possible: isIn.possible, certain: .false,
        undecided: isIn.undecided + ["\(relation.rawValue) of '\(column.property)' is decided here"]
      )
    }
  }

  /// The condition that the location is in a shape or on its boundary.
  private func isIn(_ shape: Shape) -> SQLCondition {
    switch shape {
    case .box(let box): return SQLCondition(within(Bounds.rectangles(of: box)))
    case .circle(let circle): return isIn(circle)
    case _ where compiler.dialect.hasOnlyGeographies: break
    case .polygon(let polygon) where polygon.edges == .planar:
      return isIn(polygon.polygons, bounds: Region(shape).bounds)
    case .geometry(let geometry, .planar):
      if let polygon = geometry.polygon(edges: .planar) {
        return isIn(polygon.polygons, bounds: Region(shape).bounds)
      }
    default: break
    }
    return isInBounds(of: shape)
  }

  /// The condition that the location is in the bounds of a shape, which the engine cannot decide.
  private func isInBounds(of shape: Shape) -> SQLCondition {
    SQLCondition(
      possible: within(Bounds.rectangles(around: Region(shape).bounds)), certain: .false,
      undecided: ["'\(column.property)' is compared with a \(shape.name) here"])
  }

  func within(_ bounds: [Bounds]) -> SQLFragment {
    compiler.within(bounds, storage: storage, column: column, coordinates: coordinates)
  }

  // MARK: Circles

  /// The greatest difference, in radians, between angles that two programs compute for the same
  /// points: far more than rounding, far less than a millimetre.
  static func slack(_ radius: Double) -> Double { 1e-11 + radius * 1e-12 }

  /// The condition that the location is in a circle. Engines compute the haversine themselves, so
  /// that nothing depends on the radius of their sphere.
  private func isIn(_ circle: GeoCircle) -> SQLCondition {
    let radius = circle.radiusInRadians
    let slack = Self.slack(radius)
    guard radius < .pi else { return isNotNull }
    let center = circle.center
    let bounds = Bounds.rectangles(
      longitude: center.longitude, latitude: center.latitude, radius: radius + slack)
    let isInBounds = within(bounds)
    let haversine = haversine(to: center)
    func isCloser(_ limit: Double) -> SQLFragment {
      SQLCondition.all([isInBounds, "\(haversine) <= \(value: .double(limit))"])
    }
    let outer = radius + slack < .pi ? isCloser(Self.haversine(radius + slack) * (1 + 1e-14)) : nil
    return SQLCondition(
      possible: outer ?? isNotNull.possible,
      certain: radius > slack ? isCloser(Self.haversine(radius - slack) * (1 - 1e-14)) : .false,
      undecided: ["'\(column.property)' within a millimetre of a circle is decided here"])
  }

  /// The condition that the location is near a point, in a form that an index answers.
  ///
  /// - Parameter limit: The greatest haversine of the angle between the two.
  func isNear(_ point: GeoPoint, haversine limit: Double) -> SQLFragment {
    let radius = 2 * asin(max(0, min(limit, 1)).squareRoot())
    // The inverse sine is inaccurate near half a turn.
    guard radius < 3 else { return isNotNull.possible }
    let bounds = Bounds.rectangles(
      longitude: point.longitude, latitude: point.latitude, radius: radius + 1e-10)
    return SQLCondition.all(
      [within(bounds), "\(haversine(to: point)) <= \(value: .double(limit))"])
  }

  static func haversine(_ angle: Double) -> Double {
    let half = sin(angle / 2)
    return half * half
  }

  /// SQL for the haversine of the angle between the location and a point.
  func haversine(to point: GeoPoint) -> SQLFragment {
    let north = halfSine(
      coordinates.latitude, minus: "\(value: .double(point.latitude))")
    let east = halfSine(
      coordinates.longitude, minus: "\(value: .double(point.longitude))")
    let cosine = SQLValue.double(cos(point.latitude * .pi / 180))
    return
      "(power(\(north), 2) + cos(radians(\(coordinates.latitude))) * \(value: cosine) * power(\(east), 2))"
  }

  /// SQL for the haversine of the angle between the location and another one.
  func haversine(to other: SQLLocation) -> SQLFragment {
    let north = halfSine(coordinates.latitude, minus: other.coordinates.latitude)
    let east = halfSine(coordinates.longitude, minus: other.coordinates.longitude)
    return
      "(power(\(north), 2) + cos(radians(\(coordinates.latitude))) * cos(radians(\(other.coordinates.latitude))) * power(\(east), 2))"
  }

  /// The sine of half a difference in degrees. PostgreSQL rejects a square that is too small for a
  /// double, so a difference far below any rounding is added.
  private func halfSine(_ coordinate: SQLFragment, minus other: SQLFragment) -> SQLFragment {
    let difference: SQLFragment = "(\(coordinate) - \(other))"
    return compiler.dialect == .postgis
      ? "sin(radians(\(difference) + 1e-40::float8) / 2)" : "sin(radians(\(difference)) / 2)"
  }

  /// The condition that the location is within a distance of a shape.
  func isNear(_ shape: Shape, distance: Distance) -> SQLCondition {
    if let (center, radius) = shape.center {
      guard let reach = Distance.radians(radius + distance.radians), reach.radians < .pi,
        distance.radians > Self.slack(reach.radians)
      else {
        return SQLCondition(
          possible: isNotNull.possible, certain: .false, undecided: [reason(measuring: shape)])
      }
      return isIn(GeoCircle(center: center, radius: reach))
    }
    let bounds = Bounds.rectangles(around: Region(shape).bounds)
      .flatMap { $0.grown(by: distance.radians) }
    return SQLCondition(
      possible: within(bounds), certain: .false,
      undecided: [reason(measuring: shape)])
  }

  private func reason(measuring shape: Shape) -> String {
    "the distance of '\(column.property)' from a \(shape.name) is measured here"
  }

  // MARK: Areas

  /// The condition that the location is in areas with planar edges. Engines round where a location
  /// is close to a boundary, so those within 1e-9 degrees of it are decided here.
  private func isIn(_ polygons: [[[GeoPoint]]], bounds: Envelope) -> SQLCondition {
    let (point, srid) = (self.point, self.srid)
    let area = SQLValue.geometry(wkb: SQLShapes.multiPolygon(polygons), srid: srid)
    let boundary = SQLValue.geometry(wkb: SQLShapes.boundary(polygons), srid: srid)
    let isInBounds = within(Bounds.rectangles(around: bounds))
    let isIn: SQLFragment = "ST_Intersects(\(point), \(value: area))"
    let isClose: SQLFragment =
      compiler.dialect == .postgis
      ? "ST_Intersects(\(value: boundary), ST_Expand(\(point), 1e-9))"
      : "ST_DWithin(\(point), \(value: boundary), 1e-9)"
    return SQLCondition(
      possible: SQLCondition.all([isInBounds, SQLCondition.any([isIn, isClose])]),
      certain: SQLCondition.all([isInBounds, isIn, isClose.negated]),
      undecided: ["'\(column.property)' close to the boundary of a polygon is decided here"])
  }

  /// The location as a planar geometry.
  var point: SQLFragment {
    switch storage {
    case .geometry: column.expression
    case .geography: "\(column.expression)::geometry"
    case .coordinates(let longitude, let latitude):
      switch compiler.dialect {
      case .postgis, .snowflake: "ST_MakePoint(\(longitude), \(latitude))"
      case .duckdb, .sedona: "ST_Point(\(longitude), \(latitude))"
      case .databricks: "ST_Point(\(longitude), \(latitude), 4326)"
      case .bigquery: "ST_GEOGPOINT(\(longitude), \(latitude))"
      }
    }
  }

  /// The number of the coordinate system of `point`.
  var srid: Int {
    switch storage {
    case .geometry(let srid): srid
    case .geography: 4326
    case .coordinates: 0
    }
  }
}

extension Shape {
  /// The centre and the radius in radians of a circle or a point; nil for any other shape.
  var center: (GeoPoint, radius: Double)? {
    switch self {
    case .circle(let circle): (circle.center, circle.radiusInRadians)
    case .geometry(let geometry, _): geometry.point.map { ($0, 0) }
    case .box, .polygon: nil
    }
  }

  /// The kind of shape for messages.
  fileprivate var name: String {
    switch self {
    case .box: "box"
    case .circle: "circle"
    case .polygon(let polygon): polygon.edges == .planar ? "polygon" : "geodesic polygon"
    case .geometry: "geometry"
    }
  }
}
