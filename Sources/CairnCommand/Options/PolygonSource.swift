import CairnFormats
import CairnGeometry
import CairnStorage
import CairnSystem

/// The source of the polygon of `--within`: a file, standard input, or the argument itself.
struct PolygonSource {
  private let name: String
  private let edges: GeoPolygon.Edges
  private let allowances: PolygonBuilder.Allowances

  /// Reads and checks the polygons. Repairs are reported on standard error.
  ///
  /// - Throws: `noInput` if the file does not exist, `badData` if it does not contain valid
  ///   polygons.
  static func read(
    _ argument: String, edges: GeoPolygon.Edges, allowing allowances: PolygonBuilder.Allowances = []
  ) throws -> GeoPolygon {
    let (name, parsed) = try source(argument)
    if allowances.contains(.wrapping), parsed.system != .wgs84 {
      throw Failure(
        .usage,
        message: "--wrap-longitude is for degrees of WGS 84, and \(name) uses another system")
    }
    let polygons = try degrees(parsed, name: name)
    return try PolygonSource(name: name, edges: edges, allowances: allowances).polygon(of: polygons)
  }

  // MARK: From text to polygon builders

  private static func source(_ argument: String) throws -> (name: String, ParsedPolygons) {
    if ParsedPolygons.isWKT(argument) { return ("--within", try wkt(argument)) }
    if argument.trimmingSpaces().hasPrefix("{") {
      return ("--within", try geoJSON(Array(argument.utf8), name: "--within"))
    }
    if argument.contains("("), !System.exists(argument) { throw neither(argument) }
    if NumberText.list(argument)?.count == 4, !System.exists(argument) {
      throw Failure(.usage, message: "--within takes a polygon; for a box, use --bbox \(argument)")
    }
    let name = argument == "-" ? "standard input" : argument
    let bytes = try FileContents.read(argument)
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
    if ParsedPolygons.isWKT(text) {
      return (name, try wkt(String(decoding: bytes, as: UTF8.self)))
    }
    return (name, try geoJSON(bytes, name: name))
  }

  private static func wkt(_ text: String) throws -> ParsedPolygons {
    do throws(PolygonTextError) { return try ParsedPolygons(wkt: text) } catch {
      throw failure(error, name: "--within")
    }
  }

  private static func geoJSON(_ bytes: [UInt8], name: String) throws -> ParsedPolygons {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == UInt8(ascii: "{") else {
      let found = first == nil ? "it is empty" : "expected GeoJSON or the WKT of a polygon"
      throw Failure(.badData, message: "\(name): \(found)")
    }
    do throws(PolygonTextError) { return try ParsedPolygons(geoJSON: bytes) } catch {
      throw failure(error, name: name)
    }
  }

  private static func failure(_ error: PolygonTextError, name: String) -> Failure {
    switch error.position {
    case .line(let line, let column):
      Failure(.badData, message: "\(name), line \(line), column \(column): \(error.message)")
    case .character(let number):
      Failure(.badData, message: "\(name): \(error.message) at character \(number) of the WKT")
    }
  }

  private static func degrees(_ parsed: ParsedPolygons, name: String) throws -> [ParsedPolygon] {
    if case .unclear(let text) = parsed.system {
      throw Failure(
        .badData,
        message: "\(name): the member `crs` does not name a known coordinate system (\(text))")
    }
    do throws(GeometryError) { return try parsed.inDegrees() } catch {
      throw Failure(Failure(error).code, message: "\(name): \(error.message)")
    }
  }

  private static func neither(_ argument: String) -> Failure {
    let word = String(argument.trimmingSpaces().prefix { $0.isLetter }).uppercased()
    let hint = Hint.text(word, among: ["POLYGON", "MULTIPOLYGON"])
    return Failure(
      .badData,
      message: "--within: expected a file or the WKT of a polygon, "
        + "as in POLYGON ((27 -31, 30 -31, 30 -28, 27 -31))\(hint)")
  }

  // MARK: From polygon builders to a polygon

  private func polygon(of parsed: [ParsedPolygon]) throws -> GeoPolygon {
    var parsed = parsed
    var polygons: [[[GeoPoint]]] = []
    // For each of `polygons`, the index in `parsed` of the one it comes from.
    var sources: [Int] = []
    for index in parsed.indices {
      let made = try made(&parsed, at: index)
      polygons += made
      sources += Array(repeating: index, count: made.count)
    }
    do throws(GeometryError) {
      let polygon = try GeoPolygon(polygons: polygons, edges: edges)
      try polygon.validate()
      return polygon
    } catch {
      throw failure(error, parsed: parsed, at: error.polygon.map { sources[$0] } ?? 0)
    }
  }

  private func made(_ parsed: inout [ParsedPolygon], at index: Int) throws -> [[[GeoPoint]]] {
    do throws(GeometryError) {
      let made = try parsed[index].builder.polygons(edges: edges, allowing: allowances)
      for change in parsed[index].builder.changes {
        Console.printMessage("\(heading(parsed, at: index)): \(change)")
      }
      return made
    } catch {
      throw failure(error, parsed: parsed, at: index)
    }
  }

  private func heading(_ parsed: [ParsedPolygon], at index: Int) -> String {
    let position = parsed.name(of: index)
    return position.isEmpty ? name : "\(name), \(position)"
  }

  private func failure(
    _ error: GeometryError, parsed: [ParsedPolygon], at index: Int
  ) -> Failure {
    let advice = advice(for: error, isBeyond: parsed[index].builder.isBeyondAntimeridian)
    return Failure(
      Failure(error).code, message: "\(heading(parsed, at: index)): \(error.message)\(advice)")
  }

  /// The option that would avoid the error.
  private func advice(for error: GeometryError, isBeyond: Bool) -> String {
    switch error.kind {
    case .antimeridian:
      "; or use --edges geodesic, with which each edge is the shortest path"
    case .outOfRange where isBeyond && !allowances.contains(.wrapping):
      "; use --wrap-longitude to wrap longitudes beyond ±180 and cut at the antimeridian"
    case .selfIntersection, .duplicateVertex, .holeOutsideOuterRing, .holesCross, .sharedEdge,
      .nesting, .emptyHole, .closed:
      allowances.contains(.repairing) ? "" : "; or use --repair"
    default: ""
    }
  }
}

/// Reads whole files of moderate size.
enum FileContents {
  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: `noInput` if the file does not exist or cannot be opened, `io` if reading fails.
  static func read(_ path: String) throws -> [UInt8] {
    guard path != "-" else {
      guard StandardStreams.hasInput else {
        throw Failure(.noInput, message: "standard input is closed")
      }
      return try read(STDIN_FILENO, name: "standard input")
    }
    UsedFiles.note(path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.noInput, message: "cannot open \(path): \(System.errorText())")
    }
    defer { close(descriptor) }
    return try read(descriptor, name: path)
  }

  private static func read(_ descriptor: Int32, name: String) throws -> [UInt8] {
    let step = 1 << 16
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: step)
    while true {
      let count = buffer.withUnsafeMutableBytes { readOnce(descriptor, into: $0) }
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw Failure(
          errno == EISDIR ? .noInput : .io, message: "cannot read \(name): \(System.errorText())")
      }
    }
  }
}

/// A free function, because inside `FileContents` its own `read` would hide the system's.
private func readOnce(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
