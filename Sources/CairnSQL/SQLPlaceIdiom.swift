import CairnGeometry
import CairnSystem

/// Relations and distances of a location or a geometry in the functions that people use in an engine.
///
/// Where an engine has no such function, or would misread a shape, the members return nil.
struct SQLPlaceIdiom {
  private let place: SQLPlace
  private let compiler: SQLCompiler

  /// Returns nil if the column is in another coordinate system than longitude and latitude.
  init?(_ column: SQLColumn, compiler: SQLCompiler) {
    guard let place = SQLPlace(column, compiler: compiler) else { return nil }
    self.place = place
    self.compiler = compiler
  }

  private var dialect: SQLDialect { compiler.dialect }
  private var name: String { "'\(place.column.property)'" }

  // MARK: Relations

  /// A relation to a shape.
  func condition(_ relation: SpatialRelation, shape: Shape) -> SQLCondition? {
    if case .circle(let circle) = shape { return condition(relation, circle: circle) }
    if case .box(let box) = shape, dialect == .bigquery { return condition(relation, box: box) }
    let isGeodesic = !shape.isPlanar && dialect == .postgis
    guard isRepresented(shape), let other = literal(shape, isGeodesic: isGeodesic) else {
      return nil
    }
    let one = isGeodesic ? place.geodesic(dialect) : place.planar
    let isInside = place.location != nil && relation == .within
    guard let holds = dialect.holds(isInside ? .intersects : relation, one, other) else {
      return nil
    }
    return SQLCondition(holds, difference: difference(of: shape))
  }

  private func condition(_ relation: SpatialRelation, circle: GeoCircle) -> SQLCondition? {
    let isNear = isNear(.circle(circle), distance: 0)
    switch relation {
    case .intersects: return isNear
    case .within: return place.location == nil ? nil : isNear
    case .disjoint: return isNear.map { .all([SQLCondition(isSet), $0.negated]) }
    case .contains, .touches, .crosses, .overlaps, .equals: return nil
    }
  }

  /// BigQuery compares geographies with boxes along parallels.
  private func condition(_ relation: SpatialRelation, box: GeoBox) -> SQLCondition? {
    guard relation == .intersects || (relation == .within && place.location != nil) else {
      return nil
    }
    let corners = [
      box.bottomLeft.longitude, min(box.bottomLeft.latitude, box.topRight.latitude),
      box.topRight.longitude, max(box.bottomLeft.latitude, box.topRight.latitude),
    ]
    let numbers = corners.map { "\($0)" }.joined(separator: ", ")
    return SQLCondition(
      "ST_INTERSECTSBOX(\(place.planar), \(SQLFragment(sql: numbers)))",
      difference: difference(of: .box(box)))
  }

  /// The condition that the column is not null.
  private var isSet: SQLFragment { "\(place.column.expression) IS NOT NULL" }

  private func difference(of shape: Shape) -> String {
    switch (shape.isPlanar, dialect.hasOnlyGeographies) {
    case (true, true) where !shape.isBox || dialect != .bigquery:
      "\(name) is compared along geodesic edges by \(dialect), not planar ones"
    case (false, false) where dialect != .postgis:
      "\(name) is compared along planar edges by \(dialect), not geodesic ones"
    default: "\(name) close to the boundary of a shape is rounded by \(dialect)"
    }
  }

  /// The greatest width in degrees of a shape with geodesic edges that is compared along planar ones,
  /// which leave them by up to 12 km there.
  private static let greatestWidth = 10.0

  /// Whether the engine reads the shape nearly as Cairn does: a planar edge leaves a long geodesic one,
  /// and does not cross the antimeridian, and areas on the sphere are smaller than a hemisphere.
  private func isRepresented(_ shape: Shape) -> Bool {
    let bounds = Bounds.rectangles(around: Region(shape).bounds)
    if dialect.hasOnlyGeographies || (dialect == .postgis && !shape.isPlanar) {
      return bounds.map { $0.east - $0.west }.reduce(0, +) < 170
    }
    return shape.isPlanar
      || bounds.count == 1 && bounds[0].east - bounds[0].west <= Self.greatestWidth
  }

  /// SQL for a shape; nil for a circle and for a shape with altitudes.
  private func literal(_ shape: Shape, isGeodesic: Bool) -> SQLFragment? {
    let text: String
    switch shape {
    case .circle: return nil
    case .box(let box): text = WKTBox.text(of: Bounds.rectangles(of: box))
    case .polygon(let polygon): text = Geometry(polygon).wkt
    case .geometry(let geometry, _): text = geometry.wkt
    }
    guard !text.contains(" Z") else { return nil }
    return dialect.shape(text, isGeodesic: isGeodesic, srid: place.srid)
  }

  // MARK: Distances

  /// The condition that the place is at most a distance from a shape.
  ///
  /// - Parameter distance: The distance in radians.
  func isNear(_ shape: Shape, distance: Double) -> SQLCondition? {
    let center = shape.center
    let radians = distance + (center?.radius ?? 0)
    guard radians > 0, radians < 3 else { return nil }
    let isMeasured = dialect == .postgis || dialect.hasOnlyGeographies
    if !isMeasured {
      guard let center, let location = place.location else { return nil }
      return isNear(location, center.0, radians: radians)
    }
    let point = center.map { dialect.point($0.0, isGeodesic: true) }
    guard let other = point ?? (isRepresented(shape) ? literal(shape, isGeodesic: true) : nil)
    else {
      return nil
    }
    let isNear: SQLFragment =
      "ST_DWithin(\(place.geodesic(dialect)), \(other), \(metres: radians))"
    let box = center.flatMap { self.box(around: $0.0, radians: radians) } ?? SQLFragment.true
    return SQLCondition(SQLCondition.all([box, isNear]), difference: measures)
  }

  private var measures: String {
    "distances of \(name) are those of \(dialect), up to 0.7 % from those of Cairn's sphere"
  }

  /// The condition that a location is near a point, by the haversine where an engine has no function
  /// of its own, or one whose order of coordinates depends on a setting.
  private func isNear(_ location: SQLLocation, _ center: GeoPoint, radians: Double) -> SQLCondition
  {
    let bounds = Bounds.rectangles(
      longitude: center.longitude, latitude: center.latitude, radius: radians * 1.01)
    let distance = distance(from: center, of: location)
    let isNear: SQLFragment = "\(distance) <= \(metres: radians)"
    return SQLCondition(
      SQLCondition.all([location.within(bounds), isNear]),
      difference: dialect == .databricks
        ? measures : "\(name) within a millimetre of a circle is rounded by \(dialect)")
  }

  /// SQL for the distance of a location from a point in metres.
  private func distance(from point: GeoPoint, of location: SQLLocation) -> SQLFragment {
    dialect == .databricks
      ? "ST_DistanceSphere(\(location.point), \(dialect.point(point, isGeodesic: false)))"
      : "2 * \(digits: Sphere.radius) * asin(sqrt(\(location.haversine(to: point))))"
  }

  /// The condition that an index over locations in the plane answers; nil without one.
  private func box(around center: GeoPoint, radians: Double) -> SQLFragment? {
    guard dialect == .postgis, case .location(.geometry(let srid)) = place.column.type else {
      return nil
    }
    let bounds = Bounds.rectangles(
      longitude: center.longitude, latitude: center.latitude, radius: radians * 1.01)
    return SQLCondition.any(
      bounds.map { "\(place.planar) && \(compiler.envelope($0, srid: srid))" })
  }

  /// The distance of a location from a point, by which rows are sorted; nil for other geometries.
  func order(from point: GeoPoint) -> (key: SQLFragment, difference: String)? {
    guard let location = place.location else { return nil }
    switch dialect {
    case .postgis:
      return (
        "\(place.geodesic(dialect)) <-> \(dialect.point(point, isGeodesic: true))", measures
      )
    case .bigquery, .snowflake:
      return ("ST_Distance(\(place.planar), \(dialect.point(point, isGeodesic: true)))", measures)
    case .duckdb, .sedona, .databricks:
      return (
        distance(from: point, of: location),
        dialect == .databricks
          ? measures : "distances within a millimetre of each other are rounded by \(dialect)"
      )
    }
  }
}

/// The well-known text of rectangles.
enum WKTBox {
  static func text(of rectangles: [Bounds]) -> String {
    let polygons = rectangles.filter { $0.west < $0.east || rectangles.count == 1 }.map { box in
      let corners = [
        (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north),
        (box.west, box.south),
      ]
      return "((" + corners.map { "\($0.0) \($0.1)" }.joined(separator: ", ") + "))"
    }
    return polygons.count == 1
      ? "POLYGON\(polygons[0])" : "MULTIPOLYGON(\(polygons.joined(separator: ", ")))"
  }
}

extension Shape {
  fileprivate var isBox: Bool { if case .box = self { true } else { false } }
}

extension SQLDialect {
  /// SQL for a shape in well-known text.
  func shape(_ text: String, isGeodesic: Bool, srid: Int) -> SQLFragment {
    let text: SQLFragment = "\(value: .text(text))"
    switch self {
    case .postgis:
      return isGeodesic
        ? "ST_GeogFromText(\(text))" : "ST_GeomFromText(\(text), \(number: srid))"
    case .duckdb: return "ST_GeomFromText(\(text))"
    case .sedona:
      return srid == 0
        ? "ST_GeomFromWKT(\(text))" : "ST_GeomFromWKT(\(text), \(number: srid))"
    case .bigquery: return "ST_GEOGFROMTEXT(\(text))"
    case .snowflake: return "TO_GEOGRAPHY(\(text))"
    case .databricks: return "ST_GeomFromText(\(text), 4326)"
    }
  }

  /// SQL for a point.
  func point(_ point: GeoPoint, isGeodesic: Bool) -> SQLFragment {
    shape("POINT(\(point.longitude) \(point.latitude))", isGeodesic: isGeodesic, srid: 4326)
  }

  /// SQL for a relation of two geometries; nil if the engine has no such function.
  func holds(
    _ relation: SpatialRelation, _ one: SQLFragment, _ other: SQLFragment
  ) -> SQLFragment? {
    switch relation {
    case .intersects: return "ST_Intersects(\(one), \(other))"
    case .within: return "ST_Covers(\(other), \(one))"
    case .contains: return "ST_Covers(\(one), \(other))"
    case .disjoint: return "NOT ST_Intersects(\(one), \(other))"
    case .touches: return self == .snowflake ? nil : "ST_Touches(\(one), \(other))"
    case .equals: return self == .snowflake ? nil : "ST_Equals(\(one), \(other))"
    case .crosses, .overlaps:
      guard !hasOnlyGeographies, self != .databricks else { return nil }
      return relation == .crosses
        ? "ST_Crosses(\(one), \(other))" : "ST_Overlaps(\(one), \(other))"
    }
  }
}

extension SQLFragment.StringInterpolation {
  /// Appends an angle as metres along Cairn's sphere, to a micrometre.
  mutating func appendInterpolation(metres radians: Double) {
    appendInterpolation(digits: (radians * Sphere.radius * 1e6).rounded() / 1e6)
  }

  /// Appends a finite number in digits.
  mutating func appendInterpolation(digits number: Double) {
    appendLiteral("\(number)")
  }
}
