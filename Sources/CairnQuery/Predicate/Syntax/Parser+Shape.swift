import CairnGeometry
import CairnValues

extension Parser {
  /// Reads a shape by the name of its function; nil if the name is not a shape's.
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
      return try readGeometry(name.lowercased())
    }
  }

  /// Reads the `([longitude, latitude])` or `(longitude, latitude)` of a `geoPoint`.
  mutating func readPosition() throws(PredicateError) -> Position {
    try require(.open, context: "behind geoPoint")
    let point = try readOnePoint()
    try require(.close, context: "behind the point")
    return Position(
      latitude: point.latitude, longitude: point.longitude, altitude: point.altitude)
  }

  private mutating func readBox() throws(PredicateError) -> GeoBox {
    try require(.open, context: "behind geoBox")
    let bottomLeft = try readPoint()
    try require(.comma, context: "between the corners: south-west, then north-east")
    let topRight = try readPoint()
    try require(.close, context: "behind the corners")
    return GeoBox(bottomLeft: bottomLeft, topRight: topRight)
  }

  // MARK: Circles

  private mutating func readCircle() throws(PredicateError) -> GeoCircle {
    try require(.open, context: "behind geoCircle")
    let center = try readPoint()
    try require(.comma, context: "between the centre and the radius")
    let radius = try readLength(.radius)
    try require(.close, context: "behind the radius")
    return GeoCircle(center: center, radius: radius)
  }

  /// A length in the text: the radius of a circle, or the length that a distance is compared with.
  enum Length: String {
    case radius
    case distance
  }

  /// Reads a length with its unit, or an angle in radians.
  mutating func readLength(_ length: Length) throws(PredicateError) -> Distance {
    let position = token.range.lowerBound
    let digits = String(decoding: lexer.text[token.range], as: UTF8.self)
    var unit = ""
    if case .number(_, let letters) = token.kind { unit = letters.lowercased() }
    let number = try readNumber("a \(length.rawValue)", hasUnit: true)
    if unit.isEmpty, case .name(let letters, nil) = token.kind {
      unit = letters.lowercased()
      try advance()
    }
    guard number >= 0 else {
      let subject = length == .radius ? "The radius of a circle" : "A distance"
      throw error("\(subject) must be a non-negative number.", kind: .shape, at: position)
    }
    if unit.isEmpty && number > .pi {
      throw error(
        "A \(length.rawValue) without a unit is in radians, at most pi; "
          + "a length has its unit, as in \(digits)km.",
        kind: .shape, at: position)
    }
    let known = unit.isEmpty ? DistanceUnit.radians : DistanceUnit(unit)
    guard let distance = known?.distance(number) else {
      throw unitError(unit, of: length.rawValue, at: position)
    }
    guard distance.radians.isFinite else {
      throw error("The \(length.rawValue) is too large.", kind: .shape, at: position)
    }
    return distance
  }

  /// Reads a number with a unit of length as a number of metres; nil for another token.
  mutating func readMetres() throws(PredicateError) -> Value? {
    guard case .number(_, let unit) = token.kind, !unit.isEmpty else { return nil }
    let position = token.range.lowerBound
    guard let known = DistanceUnit(unit) else {
      throw unitError(unit, of: "length", at: position)
    }
    let count = try readNumber("a length", hasUnit: true)
    return .double(count * known.meters)
  }

  private func unitError(_ unit: String, of length: String, at position: Int) -> PredicateError {
    let names = DistanceUnit.names
    let nearest =
      DistanceUnit.meant(by: unit)?.rawValue ?? NearestName.of(unit, among: names)
    let hint = nearest.map { " Did you mean '\($0)'?" } ?? ""
    let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    return error(
      "'\(unit)' is not a unit of a \(length); there are \(list).\(hint)", at: position)
  }

  // MARK: Polygons

  private mutating func readPolygon(several: Bool) throws(PredicateError) -> GeoPolygon {
    let position = token.range.lowerBound
    try advance()
    let edges = try readEdges()
    try require(.open, context: "behind the name of the shape")
    let polygons = several ? try readPolygons() : [try readRings()]
    try require(.close, context: "behind the rings")
    do {
      return try GeoPolygon(polygons: polygons, edges: edges)
    } catch {
      throw self.error(error.sentence, kind: .shape, at: position)
    }
  }

  /// Reads `[planar]` or `[geodesic]`. Without either, edges are geodesic.
  mutating func readEdges() throws(PredicateError) -> GeoPolygon.Edges {
    guard try take(.openBracket) else { return .geodesic }
    guard case .name(let name, _) = token.kind,
      let edges = ["planar": GeoPolygon.Edges.planar, "geodesic": .geodesic][name.lowercased()]
    else { throw expected("planar or geodesic") }
    try advance()
    try require(.closeBracket, context: "behind the kind of edges")
    return edges
  }

  private mutating func readPolygons() throws(PredicateError) -> [[[GeoPoint]]] {
    var polygons: [[[GeoPoint]]] = []
    repeat {
      try require(.openBrace, context: "before the rings of a polygon")
      polygons.append(try readRings())
      try require(.closeBrace, context: "behind the rings of a polygon")
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
    try require(.openBrace, context: "before the points of a ring")
    var points: [GeoPoint] = []
    repeat {
      points.append(try readPoint())
    } while try take(.comma)
    try require(.closeBrace, context: "behind the points of a ring")
    return points
  }

  // MARK: Points

  /// Reads `[longitude, latitude]` with an optional altitude, or an argument that is a point.
  mutating func readPoint() throws(PredicateError) -> GeoPoint {
    let start = token.range.lowerBound
    if token.isArgument {
      guard case .value(.point(let position)) = try readArgument() else {
        throw error("The argument here must be a point.", kind: .argument, at: start)
      }
      return try point(
        position.longitude, latitude: position.latitude, altitude: position.altitude, at: start)
    }
    try require(.openBracket, context: "before a longitude and a latitude")
    let point = try readCoordinates(at: start)
    try require(.closeBracket, context: "behind the coordinates")
    return point
  }

  /// Reads a point with or without brackets around its coordinates.
  mutating func readOnePoint() throws(PredicateError) -> GeoPoint {
    if case .number = token.kind { return try readCoordinates(at: token.range.lowerBound) }
    return try readPoint()
  }

  private mutating func readCoordinates(at start: Int) throws(PredicateError) -> GeoPoint {
    let longitude = try readNumber("a longitude")
    try require(.comma, context: "between longitude and latitude")
    let latitude = try readNumber("a latitude")
    let altitude = try take(.comma) ? try readNumber("an altitude") : 0
    return try point(longitude, latitude: latitude, altitude: altitude, at: start)
  }

  private func point(
    _ longitude: Double, latitude: Double, altitude: Double, at position: Int
  ) throws(PredicateError) -> GeoPoint {
    if let point = GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude) {
      return point
    }
    let message =
      altitude < 0
      ? "An altitude must not be negative; this one is \(altitude)."
      : "Longitude/latitude is out of bounds: longitude \(longitude), latitude \(latitude); "
        + "longitude comes first."
    throw error(message, kind: .shape, at: position)
  }

  /// Reads a number or a numeric argument.
  ///
  /// - Parameter hasUnit: Whether the number may have a unit, which the caller has read beforehand.
  private mutating func readNumber(
    _ what: String, hasUnit: Bool = false
  ) throws(PredicateError) -> Double {
    let position = token.range.lowerBound
    if case .number(let value, let unit) = token.kind, unit.isEmpty || hasUnit {
      try advance()
      return value.doubleValue ?? .nan
    }
    guard token.isArgument else { throw expected(what) }
    guard case .value(let value) = try readArgument(), let number = value.doubleValue else {
      throw error("The argument here must be a number.", kind: .argument, at: position)
    }
    return number
  }
}
