internal import CairnValues

/// The note `geo` of a file that is written.
///
/// Source: GeoParquet 1.1.0, https://geoparquet.org/releases/v1.1.0/
struct GeoNote {
  /// The name of the column of geometries.
  let column: String
  /// The name of the group with the boxes of the geometries.
  let boxes: String
  /// The coordinate system in PROJJSON; nil for longitude and latitude of WGS 84.
  let system: String?
  private var extent: WKBExtent?
  /// The kinds of geometries: their numbers, and 1000 more with altitudes.
  private var kinds: Set<UInt32> = []
  private var lastKind: UInt32?

  private static let names = [
    "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
    "GeometryCollection",
  ]

  init(column: String, boxes: String, system: String?) {
    self.column = column
    self.boxes = boxes
    self.system = system
  }

  /// Adds a geometry to what the note says of all.
  mutating func add(_ geometry: WKBExtent) {
    let kind = geometry.kind + (geometry.hasAltitudes ? 1000 : 0)
    if kind != lastKind { kinds.insert(kind) }
    lastKind = kind
    if extent == nil { extent = geometry } else { extent?.formUnion(geometry) }
  }

  /// The text of the note.
  var json: String {
    let types = kinds.sorted().compactMap { number -> String? in
      let kind = Int(number % 1000)
      guard 1...Self.names.count ~= kind else { return nil }
      return "\"\(Self.names[kind - 1])\(number >= 1000 ? " Z" : "")\""
    }
    var text =
      "{\"version\":\"1.1.0\",\"primary_column\":\(JSONString.quoted(column)),\"columns\":{"
    text += "\(JSONString.quoted(column)):{\"encoding\":\"WKB\","
    text += "\"geometry_types\":[\(types.joined(separator: ","))]"
    if let system { text += ",\"crs\":\(system)" }
    if let extent, !extent.isEmpty {
      text += ",\"bbox\":[\(extent.xmin),\(extent.ymin),\(extent.xmax),\(extent.ymax)]"
    }
    let paths = ["xmin", "ymin", "xmax", "ymax"].map {
      "\"\($0)\":[\(JSONString.quoted(boxes)),\"\($0)\"]"
    }
    text += ",\"covering\":{\"bbox\":{\(paths.joined(separator: ","))}}"
    return text + "}}}"
  }
}
