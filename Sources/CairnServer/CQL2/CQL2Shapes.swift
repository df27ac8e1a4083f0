import CairnGeometry
import CairnIO

/// Reads the geometries of a filter, and of features in other coordinate systems. Their edges are straight
/// in longitude and latitude.
struct CQL2Shapes {
  private let system: ServedSystem
  private let isNorthFirst: Bool

  /// The words that begin a geometry in text.
  static let tags: Set<String> = [
    "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON",
    "GEOMETRYCOLLECTION", "BBOX", "ENVELOPE",
  ]

  /// - Parameter system: The coordinate system of the geometries.
  init(system: ServedSystem) {
    self.system = system
    isNorthFirst = (try? system.transform())??.beginsWithNorth ?? false
  }

  /// Reads a geometry or a box from text.
  func shape(wkt text: String, tag: String) throws -> Shape {
    guard tag != "BBOX", tag != "ENVELOPE" else {
      let numbers = text.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
      return try BoxParameter.shape(String(numbers), in: system)
    }
    return try shape(of: geometry(text, .wkt))
  }

  /// Reads a geometry or a box from JSON.
  ///
  /// - Parameter text: The text of the value.
  func shape(geoJSON json: ParsedJSON, text: String) throws -> Shape {
    if json["type"] == nil, let box = json["bbox"]?.elements {
      return try BoxParameter.shape(box.map(\.text).joined(separator: ","), in: system)
    }
    return try shape(of: geometry(geoJSON: text))
  }

  private func shape(of geometry: Geometry) throws -> Shape {
    let shape = Shape.geometry(geometry, edges: .planar)
    try shape.validate()
    return shape
  }

  /// Reads a geometry from GeoJSON with the axes of the system.
  func geometry(geoJSON text: String) throws -> Geometry { try geometry(text, .geoJSON) }

  private func geometry(_ text: String, _ notation: GeometryNotation) throws -> Geometry {
    let srid = system.code.flatMap { Int($0.drop { $0 != ":" }.dropFirst()) }
    let parsed: ParsedGeometries
    do throws(GeometryTextError) {
      parsed = try ParsedGeometries(
        text, notation: notation, srid: srid, isNorthFirst: isNorthFirst, edges: .planar,
        repairs: false)
    } catch { throw Problem.badRequest(Self.text(of: error.message)) }
    guard let geometry = parsed.geometries.first else {
      throw Problem.badRequest("the geometry is empty")
    }
    return geometry
  }

  /// The message without the options of an import that it advises.
  private static func text(of message: ImportMessage) -> String {
    var text = ""
    for part in message.parts {
      guard case .text(let words) = part else {
        let end = text.lastIndex(of: ";") ?? text.endIndex
        return String(text[..<end])
      }
      text += words
    }
    return text
  }
}
