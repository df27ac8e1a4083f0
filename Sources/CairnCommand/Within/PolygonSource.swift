import CairnGeometry

/// What `--within` names: a file, standard input, or a polygon spelled out.
enum PolygonSource {
  /// The polygons, checked.
  ///
  /// - Throws: `noInput` where the file is not there, `badData` where it holds no valid polygon.
  static func read(_ argument: String, edges: GeoPolygon.Edges) throws -> GeoPolygon {
    let (name, polygons) = try source(argument)
    do throws(GeometryError) {
      let polygon = try GeoPolygon(polygons: polygons, edges: edges)
      try polygon.validate()
      return polygon
    } catch {
      let place = place(of: error, among: polygons.count)
      throw Failure(Failure(error).code, "\(name): \(place)\(error.message)")
    }
  }

  private static func source(_ argument: String) throws -> (name: String, [[[GeoPoint]]]) {
    if WKTPolygons.isWKT(argument) { return ("--within", try WKTPolygons.read(argument)) }
    if argument.trimmingSpaces().hasPrefix("{") {
      return ("--within", try geoJSON(Array(argument.utf8), name: "--within"))
    }
    let name = argument == "-" ? "standard input" : argument
    let bytes = try FileBytes.read(argument)
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
    if WKTPolygons.isWKT(text) {
      return (name, try WKTPolygons.read(String(decoding: bytes, as: UTF8.self)))
    }
    return (name, try geoJSON(bytes, name: name))
  }

  private static func geoJSON(_ bytes: [UInt8], name: String) throws -> [[[GeoPoint]]] {
    let cursor = JSONCursor(bytes)
    do {
      return try GeoJSONPolygons.read(cursor)
    } catch let error as JSONCursor.SyntaxError {
      let (line, column) = cursor.place(of: error.offset)
      throw Failure(.badData, "\(name), line \(line), column \(column): \(error.message)")
    }
  }

  private static func place(of error: GeometryError, among count: Int) -> String {
    guard count > 1, let polygon = error.polygon else { return "" }
    return "polygon \(polygon + 1) of \(count): "
  }
}
