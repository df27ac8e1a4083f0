import CairnGeometry
import CairnSystem

/// A location or a geometry of one side of a join.
enum SQLPlace {
  case location(SQLLocation, SQLColumn)
  /// SQL for a planar geometry, with the number of its coordinate system.
  case geometry(SQLFragment, srid: Int, SQLColumn)

  /// SQL for the planar geometry.
  var planar: SQLFragment {
    switch self {
    case .location(let location, _): location.point
    case .geometry(let expression, _, _): expression
    }
  }

  var srid: Int {
    switch self {
    case .location(let location, _): location.srid
    case .geometry(_, let srid, _): srid
    }
  }

  /// Returns nil if the column is in another coordinate system, or holds no places.
  init?(_ column: SQLColumn, compiler: SQLCompiler) {
    switch column.type {
    case .location(let storage):
      guard let location = SQLLocation(column, storage: storage, compiler: compiler) else {
        return nil
      }
      self = .location(location, column)
    case .geometry(.geometry(let srid)):
      guard srid == 0 || srid == 4326 else { return nil }
      self = .geometry(column.expression, srid: srid, column)
    case .geometry(.geography):
      self = .geometry("\(column.expression)::geometry", srid: 4326, column)
    default: return nil
    }
  }

  /// SQL for the place on the sphere, where the engine has such a type.
  func geodesic(_ dialect: SQLDialect) -> SQLFragment {
    guard dialect == .postgis else { return planar }
    switch column.type {
    case .location(.geography), .geometry(.geography): return column.expression
    default: return "\(planar)::geography"
    }
  }

  var column: SQLColumn {
    switch self {
    case .location(_, let column), .geometry(_, _, let column): column
    }
  }

  /// SQL for the box of the vertices.
  var box: (west: SQLFragment, south: SQLFragment, east: SQLFragment, north: SQLFragment) {
    switch self {
    case .location(let location, _):
      let (x, y) = (location.coordinates.longitude, location.coordinates.latitude)
      return (x, y, x, y)
    case .geometry(let expression, _, _):
      return (
        "ST_XMin(\(expression))", "ST_YMin(\(expression))", "ST_XMax(\(expression))",
        "ST_YMax(\(expression))"
      )
    }
  }

  var location: SQLLocation? { if case .location(let location, _) = self { location } else { nil } }

  /// The condition that edges on the sphere may leave the box of the vertices by more than 0.002
  /// degrees; nil for a location.
  var isWide: SQLFragment? {
    location == nil ? "(\(box.east) - \(box.west)) > 1" : nil
  }
}

/// Conditions on a location or geometry of each side of a join.
struct SQLPlacePair {
  let one: SQLPlace
  let other: SQLPlace
  let dialect: SQLDialect

  var names: String { "'\(one.column.property)' and '\(other.column.property)'" }

  /// The greatest distance in degrees at which engines may take one thing for another.
  private static let rounding = 1e-9

  // MARK: The plane

  /// A relation with planar edges.
  func holds(_ relation: SQLJoin.Relation) -> SQLCondition {
    switch (one.location, other.location) {
    // A location neither touches nor crosses another one, nor overlaps it.
    case (_?, _?) where relation == .touches || relation == .crosses || relation == .overlaps:
      SQLCondition(.false)
    case (let a?, let b?): SQLCondition(SQLCondition.all(touch() + [isEqual(a, b)]))
    case (_?, nil) where relation == .within || relation == .intersects:
      covers(other, point: one)
    case (nil, _?) where relation == .contains || relation == .intersects:
      covers(one, point: other)
    default:
      SQLCondition(
        possible: SQLCondition.all([isWithin(Self.rounding), isInBox(relation)]),
        certain: .false, undecided: ["\(names) are compared here"])
    }
  }

  private func isEqual(_ a: SQLLocation, _ b: SQLLocation) -> SQLFragment {
    let (one, other) = (a.coordinates, b.coordinates)
    return
      "(\(one.longitude) = \(other.longitude) AND \(one.latitude) = \(other.latitude))"
  }

  /// A condition of an index over geometries that touching boxes meet.
  private func touch() -> [SQLFragment] {
    guard dialect == .postgis, hasIndexes else { return [] }
    let (a, b) = planar
    return ["\(a) && \(b)"]
  }

  /// Whether both sides are columns of geometries.
  private var hasIndexes: Bool {
    [one, other].allSatisfy { place in
      switch place.column.type {
      case .location(.geometry), .geometry(.geometry): true
      default: false
      }
    }
  }

  /// The condition that a location is in an area or on its boundary, or on a line. Locations close to
  /// a boundary are decided here.
  private func covers(_ area: SQLPlace, point: SQLPlace) -> SQLCondition {
    let (first, second) = planar
    let isFirst = point.location != nil && one.location != nil
    let (point, area) = isFirst ? (first, second) : (second, first)
    let kinds: SQLFragment =
      dialect == .duckdb
      ? "CAST(ST_GeometryType(\(area)) AS VARCHAR) IN ('POLYGON', 'MULTIPOLYGON')"
      : "ST_GeometryType(\(area)) IN ('ST_Polygon', 'ST_MultiPolygon')"
    let isClose: SQLFragment =
      "ST_DWithin(\(point), ST_Boundary(\(area)), \(number: Self.rounding))"
    return SQLCondition(
      possible: isWithin(Self.rounding),
      certain: SQLCondition.all([
        "ST_Intersects(\(point), \(area))",
        "CASE WHEN \(kinds) THEN \(isClose.negated) ELSE FALSE END",
      ]),
      undecided: ["\(names) close to a boundary are compared here"])
  }

  /// The condition that the box of the inner side is in that of the outer one.
  private func isInBox(_ relation: SQLJoin.Relation) -> SQLFragment {
    let (inner, outer): (SQLPlace, SQLPlace)
    switch relation {
    case .within: (inner, outer) = (one, other)
    case .contains: (inner, outer) = (other, one)
    case .intersects, .touches, .crosses, .overlaps, .equals, .distance: return .true
    }
    let (a, b) = (inner.box, outer.box)
    let slack: SQLFragment = "\(number: Self.rounding)"
    return SQLCondition.all([
      "\(a.west) >= \(b.west) - \(slack)", "\(a.east) <= \(b.east) + \(slack)",
      "\(a.south) >= \(b.south) - \(slack)", "\(a.north) <= \(b.north) + \(slack)",
    ])
  }

  /// The condition that the two are at most so many degrees apart in the plane.
  func isNear(degrees: Double) -> SQLCondition {
    let slack = Self.rounding + degrees * 1e-12
    return SQLCondition(
      possible: isWithin(degrees + slack),
      certain: degrees > slack ? isWithin(degrees - slack) : .false,
      undecided: ["the distance of \(names) is measured here, if it is close to the greatest one"])
  }

  private func isWithin(_ degrees: Double) -> SQLFragment {
    let (a, b) = planar
    return "ST_DWithin(\(a), \(b), \(number: degrees))"
  }

  /// Both geometries in one coordinate system, as PostGIS requires.
  var planar: (SQLFragment, SQLFragment) {
    guard dialect == .postgis, one.srid != other.srid else { return (one.planar, other.planar) }
    let srid = max(one.srid, other.srid)
    func converted(_ place: SQLPlace) -> SQLFragment {
      place.srid == srid ? place.planar : "ST_SetSRID(\(place.planar), \(number: srid))"
    }
    return (converted(one), converted(other))
  }

  // MARK: The sphere

  /// A relation with geodesic edges.
  func meets() -> SQLCondition {
    if let a = one.location, let b = other.location {
      let (p, q) = (a.coordinates, b.coordinates)
      let isMeridian: SQLFragment =
        "(\(p.longitude) = \(q.longitude) OR abs(\(p.latitude)) = 90 OR (abs(\(p.longitude)) = 180 AND \(p.longitude) = -\(q.longitude)))"
      return SQLCondition(
        SQLCondition.all(boxes(0) + ["\(p.latitude) = \(q.latitude)", isMeridian]))
    }
    return SQLCondition(
      possible: possible(0), certain: .false, undecided: ["\(names) are compared here"])
  }

  /// The condition that the two are at most an angle apart on the sphere.
  func isNear(radians: Double) -> SQLCondition {
    guard let a = one.location, let b = other.location else {
      return SQLCondition(
        possible: possible(radians), certain: .false,
        undecided: ["the distance of \(names) is measured here"])
    }
    let slack = SQLLocation.slack(radians)
    let haversine = a.haversine(to: b)
    let isSet: SQLFragment = SQLCondition.all([a.isNotNull.possible, b.isNotNull.possible])
    guard radians < .pi else { return SQLCondition(isSet) }
    func isCloser(_ limit: Double) -> SQLFragment {
      SQLCondition.all(boxes(radians + slack) + ["\(haversine) <= \(value: .double(limit))"])
    }
    return SQLCondition(
      possible: radians + slack < .pi
        ? isCloser(SQLLocation.haversine(radians + slack) * (1 + 1e-14)) : isSet,
      certain: radians > slack
        ? isCloser(SQLLocation.haversine(radians - slack) * (1 - 1e-14)) : .false,
      undecided: ["\(names) within a millimetre of the distance are measured here"])
  }

  /// The condition that boxes come within an angle of each other, or that one is so wide that edges
  /// leave it.
  private func possible(_ radians: Double) -> SQLFragment {
    let isNear = SQLCondition.all(boxes(radians, isPlanar: false))
    let hasPoints = SQLCondition.all(
      [one, other].map { "\($0.box.west) IS NOT NULL" })
    if isNear == .true { return hasPoints }
    return SQLCondition.all([
      hasPoints, SQLCondition.any([isNear] + [one.isWide, other.isWide].compactMap { $0 }),
    ])
  }

  /// The condition that the box of one, grown by an angle, meets that of the other; none for an
  /// angle of nearly a quarter turn.
  ///
  /// - Parameter isPlanar: Whether edges do not leave the boxes.
  private func boxes(_ radians: Double, isPlanar: Bool = true) -> [SQLFragment] {
    let angle = radians + (isPlanar ? 0 : 0.004 * .pi / 180)
    guard angle < 1.5 else { return [] }
    let degrees = angle * 180 / .pi + 1e-6
    let (a, b) = (one.box, other.box)
    let south: SQLFragment = "\(a.south) - \(number: degrees)"
    let north: SQLFragment = "\(a.north) + \(number: degrees)"
    guard dialect == .postgis else {
      return ["\(b.north) >= \(south)", "\(b.south) <= \(north)"]
    }
    if case .location(.geography) = one.column.type, case .location(.geography) = other.column.type
    {
      let metres = angle * 6_371_015.2 + 0.01
      return [
        "ST_DWithin(\(one.column.expression), \(other.column.expression), \(number: metres), false)"
      ]
    }
    // The meridians meet at the poles, so that a box there goes around the earth.
    let latitude: SQLFragment = "greatest(abs(\(a.south)), abs(\(a.north)))"
    let sine: SQLFragment = "\(number: sin(angle))"
    let half: SQLFragment =
      "CASE WHEN \(latitude) < \(number: 90 - degrees) AND \(sine) < cos(radians(\(latitude))) * 0.999999 THEN degrees(asin(\(sine) / cos(radians(\(latitude))))) + 1e-6 ELSE 360 END"
    let geometry = other.planar
    return [
      SQLCondition.any(
        [0, 360, -360].map { shift -> SQLFragment in
          let offset: SQLFragment = shift == 0 ? "" : shift > 0 ? " + 360" : " - 360"
          return
            "\(geometry) && ST_MakeEnvelope(\(a.west)\(offset) - \(half), \(south), \(a.east)\(offset) + \(half), \(north), \(number: other.srid))"
        })
    ]
  }
}

extension SQLFragment.StringInterpolation {
  /// Appends a number of double precision as a literal.
  fileprivate mutating func appendInterpolation(number: Double) {
    appendInterpolation(literal: .double(number))
  }
}
