import CairnGeometry
import CairnIO

/// The source of a shape on the command line: a file, the features of a file that meet a condition,
/// standard input, or the argument itself.
struct ShapeSource {
  /// The option whose value the shape is, such as `--within`.
  let option: String
  let edges: GeoPolygon.Edges
  let allowances: PolygonBuilder.Allowances
  /// The layer of a file that has several.
  let layer: String?

  /// Reads and checks a shape. Repairs of polygons are reported on standard error.
  ///
  /// - Throws: `noInput` if the file does not exist, `badData` if it does not contain valid
  ///   geometries.
  func read(_ argument: String) throws -> Shape {
    if let features = FeatureSelection(argument, layer: layer) { return try shape(of: features) }
    if LayerFormats.recognizes(argument) {
      return try shape(of: FeatureSelection(allOf: argument, layer: layer))
    }
    guard layer == nil else {
      throw Failure(.usage, message: "--layer is for files that have layers, and not \(argument)")
    }
    if let kind = ParsedGeometries.kind(of: argument), !System.exists(argument) {
      return try wkt(argument, of: kind, name: option)
    }
    if argument.trimmingSpaces().hasPrefix("{") {
      return try geoJSON(Array(argument.utf8), name: option)
    }
    if argument.contains("("), !System.exists(argument) { throw neither(argument) }
    if NumberText.list(argument)?.count == 4, !System.exists(argument) {
      throw Failure(.usage, message: "\(option) takes a shape; for a box, use --bbox \(argument)")
    }
    let name = argument == "-" ? "standard input" : argument
    let bytes = try FileContents.read(argument)
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "{") { return try geoJSON(bytes, name: name) }
    let words = String(decoding: text, as: UTF8.self)
    if let kind = ParsedGeometries.kind(of: words) { return try wkt(words, of: kind, name: name) }
    let found = first == nil ? "it is empty" : "expected GeoJSON or WKT"
    throw Failure(.badData, message: "\(name): \(found)")
  }

  /// Reads WKT or hexadecimal WKB, perhaps malformed.
  private func wkt(_ text: String, of kind: Geometry.Kind, name: String) throws -> Shape {
    guard kind == .polygon || kind == .multiPolygon else {
      return try shape(name) { () throws(GeometryTextError) in
        try ParsedGeometries(wkt: text, edges: edges, repairs: repairs)
      }
    }
    let source = PolygonSource(name: name, edges: edges, allowances: allowances)
    let parsed: ParsedPolygons
    do throws(GeometryTextError) { parsed = try ParsedPolygons(wkt: text) } catch {
      throw failure(error, name: name)
    }
    return .polygon(try source.polygon(parsed))
  }

  private func geoJSON(_ bytes: [UInt8], name: String) throws -> Shape {
    let source = PolygonSource(name: name, edges: edges, allowances: allowances)
    let parsed: ParsedPolygons
    do throws(GeometryTextError) { parsed = try ParsedPolygons(geoJSON: bytes) } catch {
      guard error.isOfOtherKind else { throw failure(error, name: name) }
      return try shape(name) { () throws(GeometryTextError) in
        try ParsedGeometries(geoJSON: bytes, edges: edges, repairs: repairs)
      }
    }
    return .polygon(try source.polygon(parsed))
  }

  private var repairs: Bool { allowances.contains(.repairing) }

  /// The shape of geometries that are not only polygons.
  private func shape(
    _ name: String, parse: () throws(GeometryTextError) -> ParsedGeometries
  ) throws -> Shape {
    if allowances.contains(.wrapping) {
      throw Failure(
        .usage,
        message: "--wrap-longitude cuts polygons, and \(name) has geometries of other kinds")
    }
    do throws(GeometryTextError) {
      return try union(of: parse().geometries, name: name)
    } catch {
      throw failure(error, name: name)
    }
  }

  private func failure(_ error: GeometryTextError, name: String) -> Failure {
    var place = name
    if let feature = error.feature { place += ", feature \(feature)" }
    if let position = error.position {
      place += ", line \(position.line), column \(position.column)"
    }
    return Failure(.badData, message: "\(place): \(error.message.shellText)")
  }

  private func shape(of features: FeatureSelection) throws -> Shape {
    try union(of: features.geometries(repairing: repairs), name: features.file)
  }

  private func union(
    of geometries: [Geometry], name: String
  ) throws(GeometryTextError) -> Shape {
    guard let first = geometries.first else {
      throw GeometryTextError(message: "expected a geometry, found none")
    }
    guard geometries.count > 1 else { return .geometry(first, edges: edges) }
    do throws(GeometryError) {
      return .geometry(try Geometry(members: geometries), edges: edges)
    } catch { throw GeometryTextError(message: ImportMessage(error.message)) }
  }

  private func neither(_ argument: String) -> Failure {
    let word = String(argument.trimmingSpaces().prefix { $0.isLetter }).uppercased()
    let kinds = Geometry.Kind.allCases.map { $0.geoJSONName.uppercased() }
    return Failure(
      .badData,
      message: "\(option): expected a file or WKT, "
        + "as in POLYGON ((27 -31, 30 -31, 30 -28, 27 -31))\(Hint.text(word, among: kinds))")
  }
}
