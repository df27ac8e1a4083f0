package import CairnGeometry
internal import CairnIO

/// The description of the geometries of a file in its note `geo`.
///
/// Source: GeoParquet 1.0.0 and 1.1.0, https://geoparquet.org/releases/v1.1.0/
package struct GeoMetadata: Sendable {
  /// The form of geometries.
  package enum Form: Sendable, Equatable {
    case wkb
    /// Coordinates in columns of their own.
    case native(Geometry.Kind)
  }

  /// A column of geometries.
  package struct Column: Sendable {
    package internal(set) var form = Form.wkb
    /// The coordinate system: nil for that of GeoJSON, empty if it is unknown, otherwise a name or
    /// PROJJSON.
    package internal(set) var system: String?
    /// The kinds of geometries, such as `Point Z`; empty if they are not known.
    package internal(set) var types: [String] = []
    package internal(set) var hasSphericalEdges = false
    /// The column of the boxes of the geometries.
    var boxColumn: String?
    /// An encoding that is not known.
    var unknownEncoding: String?
  }

  package private(set) var primary: String?
  package private(set) var columns: [String: Column] = [:]

  /// Parses the note.
  package init(_ text: String) throws(ParquetError) {
    var primary: String?
    var columns: [String: Column] = [:]
    do {
      try JSONCursor.read(Array(text.utf8)) { cursor in
        try cursor.members { cursor, name in
          switch name {
          case "primary_column": primary = try cursor.string()
          case "columns":
            try cursor.members { cursor, name in columns[name] = try Column(&cursor) }
          default: try cursor.skip()
          }
        }
      }
    } catch let error as JSONCursor.SyntaxError {
      throw ParquetError("the note `geo` of the file is not GeoParquet's: \(error.message)")
    } catch {
      throw ParquetError("the note `geo` of the file is not GeoParquet's")
    }
    self.primary = primary
    self.columns = columns
  }
}

extension GeoMetadata.Column {
  fileprivate init(_ cursor: inout JSONCursor) throws {
    var column = GeoMetadata.Column()
    try cursor.members { cursor, name in
      switch name {
      case "encoding": column.readEncoding(try cursor.string())
      case "crs": column.system = try Self.system(&cursor)
      case "geometry_types", "geometry_type":
        column.types = try Self.texts(&cursor)
      case "edges": column.hasSphericalEdges = try cursor.string() == "spherical"
      case "covering": column.boxColumn = try Self.boxColumn(&cursor)
      default: try cursor.skip()
      }
    }
    self = column
  }

  private mutating func readEncoding(_ name: String) {
    let kinds: [String: Geometry.Kind] = [
      "point": .point, "linestring": .lineString, "polygon": .polygon, "multipoint": .multiPoint,
      "multilinestring": .multiLineString, "multipolygon": .multiPolygon,
    ]
    if name.uppercased() == "WKB" {
      form = .wkb
    } else if let kind = kinds[name] {
      form = .native(kind)
    } else {
      unknownEncoding = name
    }
  }

  /// Reads a list of texts, or one text, as drafts of the format had it.
  private static func texts(_ cursor: inout JSONCursor) throws -> [String] {
    guard cursor.peek() == UInt8(ascii: "[") else { return [try cursor.string()] }
    var texts: [String] = []
    try cursor.elements { cursor in texts.append(try cursor.string()) }
    return texts
  }

  /// Reads a coordinate system: null, the text of drafts, or PROJJSON.
  private static func system(_ cursor: inout JSONCursor) throws -> String? {
    switch cursor.peek() {
    case UInt8(ascii: "n"):
      try cursor.skip()
      return ""
    case UInt8(ascii: "\""): return try cursor.string()
    default:
      let json = try cursor.copiedValue()
      return ProjJSON.name(of: json) ?? json
    }
  }

  /// Reads the name of the column in `{"bbox":{"xmin":["bbox","xmin"],…}}`.
  private static func boxColumn(_ cursor: inout JSONCursor) throws -> String? {
    var name: String?
    try cursor.members { cursor, member in
      guard member == "bbox" else { return try cursor.skip() }
      try cursor.members { cursor, _ in name = try texts(&cursor).first ?? name }
    }
    return name
  }
}

/// Coordinate systems in PROJJSON.
package enum ProjJSON {
  /// Returns the authority and the code of a system, as in `EPSG:2056`; nil if it has none.
  package static func name(of json: String) -> String? {
    var name: String?
    try? JSONCursor.read(Array(json.utf8)) { cursor in
      try cursor.members { cursor, member in
        guard member == "id" else { return try cursor.skip() }
        var (authority, code) = ("", "")
        try cursor.members { cursor, member in
          switch member {
          case "authority": authority = try cursor.string()
          case "code":
            code =
              cursor.peek() == UInt8(ascii: "\"")
              ? try cursor.string() : try cursor.copiedValue()
          default: try cursor.skip()
          }
        }
        if !authority.isEmpty, !code.isEmpty { name = "\(authority):\(code)" }
      }
    }
    return name
  }

  /// Returns the name of the system that a type of a column states: nothing for that of GeoJSON, an SRID,
  /// or PROJJSON in a note of the file.
  static func system(ofType crs: String?, notes: [String: String]) -> String? {
    guard let crs, !crs.isEmpty else { return nil }
    if crs.hasPrefix("srid:") {
      let code = crs.dropFirst(5)
      return code == "0" ? "" : "EPSG:\(code)"
    }
    if crs.hasPrefix("projjson:") {
      let key = String(crs.dropFirst(9))
      return notes[key].map { name(of: $0) ?? $0 } ?? crs
    }
    return crs.first == "{" ? name(of: crs) ?? crs : crs
  }
}
