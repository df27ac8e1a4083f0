internal import CairnGeometry
internal import CairnIO
internal import CairnParquet

/// The columns of a layer that a file's columns become, and what is known of its geometries.
///
/// Source: "GeoArrow extension types" 0.2, and the note `geo` of GeoPandas.
struct GeoArrowLayout {
  private(set) var columns: [(index: Int, field: ArrowField)] = []
  private(set) var otherGeometries: [String] = []
  /// The coordinate system: a name or a definition; nil if the file does not say.
  private(set) var system: String?
  /// The kind of all geometries as in well-known binary; 0 if there are several.
  private(set) var geometryType: Int32 = 0
  private(set) var hasSphericalEdges = false

  init(_ schema: ArrowSchema) throws(ArrowError) {
    let geo = try schema.geo.map { (text) throws(ArrowError) in
      do throws(ParquetError) { return try GeoMetadata(text) } catch {
        throw ArrowError(error)
      }
    }
    let fields = schema.fields.map { field in
      geo?.columns[field.name] == nil ? field : field.asWKB() ?? field
    }
    let spatial = fields.indices.filter { fields[$0].isGeometry }
    let primary = spatial.first { fields[$0].name == geo?.primary } ?? spatial.first
    otherGeometries = spatial.filter { $0 != primary }.map { fields[$0].name }
    for (index, field) in fields.enumerated() where index == primary || !field.isGeometry {
      columns.append((index, field))
    }
    guard let primary else { return }
    if case .shapes(let kind)? = fields[primary].meaning { geometryType = Int32(kind.rawValue) }
    describe(fields[primary], geo?.columns[fields[primary].name])
  }

  private mutating func describe(_ field: ArrowField, _ note: GeoMetadata.Column?) {
    if let metadata = field.geoMetadata {
      let notes = GeoArrowNotes(metadata)
      (system, hasSphericalEdges) = (notes.system, notes.hasSphericalEdges)
    } else if let note {
      let named = note.system ?? "OGC:CRS84"
      (system, hasSphericalEdges) = (named.isEmpty ? nil : named, note.hasSphericalEdges)
    }
  }
}

/// The notes on a column of geometries.
private struct GeoArrowNotes {
  private(set) var system: String?
  private(set) var hasSphericalEdges = false

  /// Reads JSON, as far as it is valid.
  init(_ json: String) {
    guard !json.isEmpty else { return }
    var (system, isSpherical): (String?, Bool) = (nil, false)
    try? JSONCursor.read(Array(json.utf8)) { cursor in
      try cursor.members { cursor, name in
        switch (name, cursor.peek()) {
        case ("crs", UInt8(ascii: "\"")):
          let text = try cursor.string()
          system = text.first == "{" ? ProjJSON.name(of: text) ?? text : text
        case ("crs", UInt8(ascii: "{")):
          let json = try cursor.copiedValue()
          system = ProjJSON.name(of: json) ?? json
        case ("edges", UInt8(ascii: "\"")): isSpherical = try cursor.string() != "planar"
        default: try cursor.skip()
        }
      }
    }
    self.system = system?.isEmpty == true ? nil : system
    hasSphericalEdges = isSpherical
  }
}
