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
    let shape = Shape.geometry(try geometry(wkt: text), edges: .planar)
    try shape.validate()
    return shape
  }

  /// Reads a geometry from GeoJSON with the axes of the system.
  func geometry(geoJSON json: ParsedJSON) throws -> Geometry {
    try geometry(wkt: Self.wkt(json))
  }

  private func geometry(wkt text: String) throws -> Geometry {
    let ordered = isNorthFirst ? Self.swapped(text) : text
    let prefix = system.code.map { "SRID=" + $0.drop { $0 != ":" }.dropFirst() + ";" } ?? ""
    let parsed: ParsedGeometries
    do throws(GeometryTextError) {
      parsed = try ParsedGeometries(wkt: prefix + ordered, edges: .planar, repairs: false)
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

  /// Reads a geometry or a box from JSON.
  func shape(geoJSON json: ParsedJSON) throws -> Shape {
    if json["type"] == nil, let box = json["bbox"]?.elements {
      return try BoxParameter.shape(box.map(\.text).joined(separator: ","), in: system)
    }
    return try shape(wkt: try Self.wkt(json), tag: "")
  }

  /// The text with the first two numbers of each position exchanged.
  private static func swapped(_ text: String) -> String {
    var result = ""
    var part = ""
    func flush() {
      var words = part.split(whereSeparator: \.isWhitespace)
      if words.count >= 2, Double(words[0]) != nil { words.swapAt(0, 1) }
      result += words.joined(separator: " ")
      part = ""
    }
    for character in text {
      if "(),".contains(character) {
        flush()
        result.append(character)
      } else {
        part.append(character)
      }
    }
    flush()
    return result
  }

  /// Well-known text for a GeoJSON geometry.
  private static func wkt(_ json: ParsedJSON) throws(Problem) -> String {
    guard let type = json["type"]?.string, tags.contains(type.uppercased()) else {
      throw .badRequest("the member 'type' is not a kind of geometry")
    }
    if type == "GeometryCollection" {
      var parts: [String] = []
      for member in json["geometries"]?.elements ?? [] { parts.append(try wkt(member)) }
      return parts.isEmpty
        ? "GEOMETRYCOLLECTION EMPTY" : "GEOMETRYCOLLECTION (\(parts.joined(separator: ", ")))"
    }
    guard let coordinates = json["coordinates"] else {
      throw .badRequest("the geometry has no member 'coordinates'")
    }
    let text = try self.coordinates(coordinates)
    return type.uppercased() + " " + (type == "Point" ? "(\(text))" : text)
  }

  /// A position as `1 2`, or an array of positions in parentheses.
  private static func coordinates(_ json: ParsedJSON) throws(Problem) -> String {
    guard let elements = json.elements, !elements.isEmpty else {
      throw .badRequest("expected an array of coordinates")
    }
    var texts: [String] = []
    var isPosition = false
    for element in elements {
      if case .number(let number) = element.content {
        isPosition = true
        texts.append(number)
      } else {
        texts.append(try coordinates(element))
      }
    }
    return isPosition ? texts.joined(separator: " ") : "(\(texts.joined(separator: ", ")))"
  }
}
