import CairnGeometry
import CairnValues

/// The shapes that are geometries: points, lines, and any geometry as WKT
/// or hexadecimal WKB.
extension Parser {
  /// The functions that make shapes.
  static let shapeNames = [
    "geoCircle", "geoBox", "geoPolygon", "geoMultiPolygon", "geoPoint", "geoMultiPoint", "geoLine",
    "geoMultiLine", "geometry",
  ]

  /// Whether `[planar]` may follow the name of a shape's function.
  static func takesEdges(_ name: String) -> Bool {
    let name = name.lowercased()
    return name != "geocircle" && name != "geobox"
      && shapeNames.contains { $0.lowercased() == name }
  }

  /// Reads a geometry by the lower-case name of its function; nil if the name is not a geometry's.
  mutating func readGeometry(_ name: String) throws(PredicateError) -> Shape? {
    // Without edges, these two are also constants, which `readTyped` reads.
    let isConstant = name == "geopoint" || name == "geometry"
    if isConstant, lexer.peek() != UInt8(ascii: "[") { return nil }
    switch name {
    case "geometry":
      try advance()
      let edges = try readEdges()
      return .geometry(try readWKTContent(), edges: edges)
    case "geopoint":
      return try geometry { parser throws(PredicateError) in Geometry(try parser.readOnePoint()) }
    case "geomultipoint":
      return try geometry { parser throws(PredicateError) in
        Geometry(points: try parser.readPoints())
      }
    case "geoline":
      return try geometry { parser throws(PredicateError) in Geometry(try parser.readLine()) }
    case "geomultiline":
      return try geometry { parser throws(PredicateError) in
        Geometry(lines: try parser.readLines())
      }
    default: return nil
    }
  }

  /// Reads the edges and the parentheses around the points of a geometry.
  private mutating func geometry(
    _ read: (inout Parser) throws(PredicateError) -> Geometry
  ) throws(PredicateError) -> Shape {
    try advance()
    let edges = try readEdges()
    try require(.open, context: "behind the name of the shape")
    let geometry = try read(&self)
    try require(.close, context: "behind the points")
    return .geometry(geometry, edges: edges)
  }

  /// Reads points, separated by commas.
  private mutating func readPoints() throws(PredicateError) -> [GeoPoint] {
    var points: [GeoPoint] = []
    repeat {
      points.append(try readPoint())
    } while try take(.comma)
    return points
  }

  private mutating func readLine() throws(PredicateError) -> GeoLineString {
    let position = token.range.lowerBound
    guard let line = GeoLineString(try readPoints()) else {
      throw error("A line has at least two points.", kind: .shape, at: position)
    }
    return line
  }

  /// Reads lines in braces, separated by commas.
  private mutating func readLines() throws(PredicateError) -> [GeoLineString] {
    var lines: [GeoLineString] = []
    repeat {
      try require(.openBrace, context: "before the points of a line")
      lines.append(try readLine())
      try require(.closeBrace, context: "behind the points of a line")
    } while try take(.comma)
    return lines
  }

  // MARK: WKT

  /// Reads `geometry('POINT (8 50)')`.
  mutating func readWKT() throws(PredicateError) -> Geometry {
    try advance()
    return try readWKTContent()
  }

  private mutating func readWKTContent() throws(PredicateError) -> Geometry {
    try require(.open, context: "behind geometry")
    let position = token.range.lowerBound
    let text: String
    if case .string(let content) = token.kind {
      text = content
      try advance()
    } else if token.isArgument, case .value(.string(let content)) = try readArgument() {
      text = content
    } else {
      throw error(
        "geometry takes WKT or hexadecimal WKB, as in geometry('LINESTRING (8 50, 9 51)').",
        at: position)
    }
    try require(.close, context: "behind the text of the geometry")
    do {
      return try Geometry(text: text)
    } catch {
      throw self.error(error.sentence, kind: .shape, at: position)
    }
  }
}

extension Shape {
  /// A location as a shape, with shortest paths as edges of the geometries that it is compared
  /// with.
  package static func point(_ position: Position) -> Shape {
    var builder = GeometryBuilder()
    builder.begin(.point)
    builder.add(
      longitude: position.longitude, latitude: position.latitude,
      altitude: position.altitude == 0 ? nil : position.altitude)
    builder.end()
    return .geometry(builder.geometry(), edges: .geodesic)
  }
}
