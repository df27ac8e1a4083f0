import CairnGeometry
import CairnValues

extension Parser {
  /// A shape by the name of its function; nil where the name is none of theirs.
  mutating func readShape(_ name: String) throws(PredicateError) -> Shape? {
    switch name.lowercased() {
    case "geocircle":
      try advance()
      return .circle(try readCircle())
    case "geobox":
      try advance()
      return .box(try readBox())
    case "geopolygon", "geomultipolygon":
      return .polygon(try readPolygon(several: name.lowercased() == "geomultipolygon"))
    default:
      return nil
    }
  }

  /// `([longitude, latitude])` of a `geoPoint`.
  mutating func readPosition() throws(PredicateError) -> Position {
    try require(.open, "behind geoPoint")
    let point = try readPoint()
    try require(.close, "behind the point")
    return Position(
      latitude: point.latitude, longitude: point.longitude, altitude: point.altitude)
  }

  private mutating func readBox() throws(PredicateError) -> GeoBox {
    try require(.open, "behind geoBox")
    let bottomLeft = try readPoint()
    try require(.comma, "between the corners: south-west, then north-east")
    let topRight = try readPoint()
    try require(.close, "behind the corners")
    return GeoBox(bottomLeft: bottomLeft, topRight: topRight)
  }

  // MARK: Circles

  private mutating func readCircle() throws(PredicateError) -> GeoCircle {
    try require(.open, "behind geoCircle")
    let center = try readPoint()
    try require(.comma, "between the centre and the radius")
    let radius = try readRadius()
    try require(.close, "behind the radius")
    return GeoCircle(center: center, radius: radius)
  }

  /// A length with its unit, or an angle in radians.
  private mutating func readRadius() throws(PredicateError) -> Distance {
    let place = token.range.lowerBound
    let digits = String(decoding: lexer.text[token.range], as: UTF8.self)
    var unit = ""
    if case .number(_, let letters) = token.kind { unit = letters.lowercased() }
    let number = try readNumber("a radius")
    if unit.isEmpty, case .name(let letters, _) = token.kind {
      unit = letters.lowercased()
      try advance()
    }
    guard number >= 0 else {
      throw error("The radius of a circle must be a non-negative number.", kind: .shape, at: place)
    }
    if unit.isEmpty && number > .pi {
      throw error(
        "A radius without a unit is in radians, at most pi; a length has its unit, as in \(digits)km.",
        kind: .shape, at: place)
    }
    let known = unit.isEmpty ? DistanceUnit.radians : DistanceUnit(unit)
    guard let distance = known?.distance(number) else { throw unitError(unit, at: place) }
    guard distance.radians.isFinite else {
      throw error("The radius is beyond every number.", kind: .shape, at: place)
    }
    return distance
  }

  private func unitError(_ unit: String, at place: Int) -> PredicateError {
    let names = DistanceUnit.names
    let nearest =
      DistanceUnit.meant(by: unit)?.rawValue ?? NearestName.of(unit, among: names)
    let hint = nearest.map { " Did you mean '\($0)'?" } ?? ""
    let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    return error("'\(unit)' is no unit of a radius; there are \(list).\(hint)", at: place)
  }

  // MARK: Polygons

  private mutating func readPolygon(several: Bool) throws(PredicateError) -> GeoPolygon {
    let place = token.range.lowerBound
    try advance()
    let edges = try readEdges()
    try require(.open, "behind the name of the shape")
    let polygons = several ? try readPolygons() : [try readRings()]
    try require(.close, "behind the rings")
    do {
      return try GeoPolygon(polygons: polygons, edges: edges)
    } catch {
      throw self.error(error.message, kind: .shape, at: place)
    }
  }

  /// `[planar]` or `[geodesic]`, the latter when nothing is said.
  private mutating func readEdges() throws(PredicateError) -> GeoPolygon.Edges {
    guard try take(.openBracket) else { return .geodesic }
    guard case .name(let name, _) = token.kind,
      let edges = ["planar": GeoPolygon.Edges.planar, "geodesic": .geodesic][name.lowercased()]
    else { throw expected("planar or geodesic") }
    try advance()
    try require(.closeBracket, "behind the kind of edges")
    return edges
  }

  private mutating func readPolygons() throws(PredicateError) -> [[[GeoPoint]]] {
    var polygons: [[[GeoPoint]]] = []
    repeat {
      try require(.openBrace, "before the rings of a polygon")
      polygons.append(try readRings())
      try require(.closeBrace, "behind the rings of a polygon")
    } while try take(.comma)
    return polygons
  }

  private mutating func readRings() throws(PredicateError) -> [[GeoPoint]] {
    var rings: [[GeoPoint]] = []
    repeat {
      rings.append(try readRing())
    } while try take(.comma)
    return rings
  }

  private mutating func readRing() throws(PredicateError) -> [GeoPoint] {
    try require(.openBrace, "before the points of a ring")
    var points: [GeoPoint] = []
    repeat {
      points.append(try readPoint())
    } while try take(.comma)
    try require(.closeBrace, "behind the points of a ring")
    return points
  }

  // MARK: Points

  /// `[longitude, latitude]`, with an altitude if it likes, or an argument that is a point.
  private mutating func readPoint() throws(PredicateError) -> GeoPoint {
    let place = token.range.lowerBound
    if token.kind == .nextArgument || token.kind.isArgument {
      guard case .value(.point(let position)) = try readArgument() else {
        throw error("Here the argument has to be a point.", kind: .argument, at: place)
      }
      return try point(position.longitude, position.latitude, position.altitude, at: place)
    }
    try require(.openBracket, "before a longitude and a latitude")
    let longitude = try readNumber("a longitude")
    try require(.comma, "between longitude and latitude")
    let latitude = try readNumber("a latitude")
    let altitude = try take(.comma) ? try readNumber("an altitude") : 0
    try require(.closeBracket, "behind the coordinates")
    return try point(longitude, latitude, altitude, at: place)
  }

  private func point(
    _ longitude: Double, _ latitude: Double, _ altitude: Double, at place: Int
  ) throws(PredicateError) -> GeoPoint {
    if let point = GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude) {
      return point
    }
    let message =
      altitude < 0
      ? "An altitude is not negative; this one is \(altitude)."
      : "Longitude/latitude is out of bounds: longitude \(longitude), latitude \(latitude); "
        + "longitude comes first."
    throw error(message, kind: .shape, at: place)
  }

  /// A number or a numeric argument. Of a radius, the unit is the caller's to look at beforehand.
  private mutating func readNumber(_ what: String) throws(PredicateError) -> Double {
    let place = token.range.lowerBound
    if case .number(let value, let unit) = token.kind, unit.isEmpty || what == "a radius" {
      try advance()
      return Parser.double(value) ?? .nan
    }
    guard token.kind == .nextArgument || token.kind.isArgument else { throw expected(what) }
    guard case .value(let value) = try readArgument(), let number = Parser.double(value) else {
      throw error("Here the argument has to be a number.", kind: .argument, at: place)
    }
    return number
  }

  private static func double(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): number.doubleValue
    default: nil
    }
  }
}

extension Token.Kind {
  fileprivate var isArgument: Bool {
    if case .argument = self { true } else { false }
  }
}
