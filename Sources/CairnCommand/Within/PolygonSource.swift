import CairnFormats
import CairnGeometry

/// What `--within` names: a file, standard input, or a polygon spelled out.
struct PolygonSource {
  private let name: String
  private let edges: GeoPolygon.Edges
  private let allowances: PolygonDraft.Allowances

  /// The polygons, checked; what was changed about them is said on standard error.
  ///
  /// - Throws: `noInput` where the file is not there, `badData` where it holds no valid polygon.
  static func read(
    _ argument: String, edges: GeoPolygon.Edges, allowing allowances: PolygonDraft.Allowances = []
  ) throws -> GeoPolygon {
    let (name, written) = try source(argument)
    if allowances.contains(.wrapping), written.system != .wgs84 {
      throw Failure(
        .usage, "--wrap-longitude is for degrees of WGS 84, and \(name) is in another system")
    }
    let polygons = try written.inDegrees(name)
    return try PolygonSource(name: name, edges: edges, allowances: allowances).polygon(of: polygons)
  }

  // MARK: From text to drafts

  private static func source(_ argument: String) throws -> (name: String, WrittenPolygons) {
    if WKTPolygons.isWKT(argument) { return ("--within", try WKTPolygons.read(argument)) }
    if argument.trimmingSpaces().hasPrefix("{") {
      return ("--within", try geoJSON(Array(argument.utf8), name: "--within"))
    }
    if argument.contains("("), !System.exists(argument) { throw neither(argument) }
    if NumberText.list(argument)?.count == 4, !System.exists(argument) {
      throw Failure(.usage, "--within takes a polygon; four numbers are a box: --bbox \(argument)")
    }
    let name = argument == "-" ? "standard input" : argument
    let bytes = try FileBytes.read(argument)
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
    if WKTPolygons.isWKT(text) {
      return (name, try WKTPolygons.read(String(decoding: bytes, as: UTF8.self)))
    }
    return (name, try geoJSON(bytes, name: name))
  }

  /// Fails where the text is no JSON object from its first character on.
  private static func checkBeginning(_ cursor: JSONCursor, _ name: String) throws {
    var cursor = cursor
    let first = cursor.peek()
    guard first != UInt8(ascii: "{") else { return }
    throw Failure(
      .badData,
      "\(name): \(first == nil ? "it is empty" : "neither GeoJSON nor the WKT of a polygon")")
  }

  private static func neither(_ argument: String) -> Failure {
    let word = String(argument.trimmingSpaces().prefix { $0.isLetter }).uppercased()
    let hint = Hint.text(word, among: ["POLYGON", "MULTIPOLYGON"])
    return Failure(
      .badData,
      "--within: this is neither a file nor the WKT of a polygon, as in POLYGON ((27 -31, 30 -31, 30 -28, 27 -31))\(hint)"
    )
  }

  private static func geoJSON(_ bytes: [UInt8], name: String) throws -> WrittenPolygons {
    let cursor = JSONCursor(bytes)
    try checkBeginning(cursor, name)
    do {
      return try GeoJSONPolygons.read(cursor)
    } catch let error as JSONCursor.SyntaxError {
      let (line, column) = cursor.place(of: error.offset)
      throw Failure(.badData, "\(name), line \(line), column \(column): \(error.message)")
    }
  }

  // MARK: From drafts to a polygon

  private func polygon(of written: [WrittenPolygon]) throws -> GeoPolygon {
    var written = written
    var polygons: [[[GeoPoint]]] = []
    // Which of `written` each of `polygons` comes from.
    var owners: [Int] = []
    for index in written.indices {
      let made = try made(&written, index)
      polygons += made
      owners += Array(repeating: index, count: made.count)
    }
    do throws(GeometryError) {
      let polygon = try GeoPolygon(polygons: polygons, edges: edges)
      try polygon.validate()
      return polygon
    } catch {
      throw failure(error, written, error.polygon.map { owners[$0] } ?? 0)
    }
  }

  private func made(_ written: inout [WrittenPolygon], _ index: Int) throws -> [[[GeoPoint]]] {
    do throws(GeometryError) {
      let made = try written[index].draft.polygons(edges: edges, allowing: allowances)
      for change in written[index].draft.changes {
        Console.say("\(heading(written, index)): \(change)")
      }
      return made
    } catch {
      throw failure(error, written, index)
    }
  }

  private func heading(_ written: [WrittenPolygon], _ index: Int) -> String {
    let place = written.name(of: index)
    return place.isEmpty ? name : "\(name), \(place)"
  }

  private func failure(
    _ error: GeometryError, _ written: [WrittenPolygon], _ index: Int
  ) -> Failure {
    let advice = advice(for: error, isBeyond: written[index].draft.isBeyondAntimeridian)
    return Failure(
      Failure(error).code, "\(heading(written, index)): \(error.message)\(advice)")
  }

  /// The option that would help.
  private func advice(for error: GeometryError, isBeyond: Bool) -> String {
    switch error.kind {
    case .antimeridian:
      " Or use --edges geodesic, which takes each edge the shortest way."
    case .outOfRange where isBeyond && !allowances.contains(.wrapping):
      " Use --wrap-longitude to bring longitudes beyond ±180 back, cut along the antimeridian."
    case .selfIntersection, .duplicateVertex, .holeOutsideOuterRing, .holesCross, .sharedEdge,
      .nesting, .emptyHole, .closed:
      allowances.contains(.repairing) ? "" : " Or use --repair."
    default: ""
    }
  }
}
