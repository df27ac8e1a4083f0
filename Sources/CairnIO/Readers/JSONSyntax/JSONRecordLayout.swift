/// The layout of the records in a JSON file: Features, or plain objects.
enum JSONRecordLayout: Equatable {
  /// In the member `features` of a FeatureCollection.
  case collection
  /// In one array.
  case array
  /// Consecutive records, each on any number of lines.
  case sequence
  /// One record on each line, or between record separators.
  case lines(separator: UInt8)

  static let newline: UInt8 = 0x0A
  /// Precedes each record of a text sequence (RFC 8142).
  static let recordSeparator: UInt8 = 0x1E

  /// The number of bytes that are inspected to detect the layout.
  static let sampleSize = 1 << 16

  /// Detects the layout from the first bytes, after a byte order mark.
  static func detect(_ scan: JSONScan, format: InputFormat) -> JSONRecordLayout {
    let first = scan.skipSpace(0)
    if first < scan.count, scan.bytes[first] == recordSeparator {
      return .lines(separator: recordSeparator)
    }
    if format == .geojsonl || format == .jsonl { return .lines(separator: newline) }
    if first < scan.count, scan.bytes[first] == UInt8(ascii: "[") {
      let element = scan.skipSpace(first + 1)
      let holdsObjects = element < scan.count && scan.bytes[element] == UInt8(ascii: "{")
      if format == .json || holdsObjects { return .array }
    }
    return format == .json || isFeature(scan, first: first) ? .sequence : .collection
  }

  /// The types of geometries that may occur without a Feature.
  static let geometryTypes: Set = [
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
    "GeometryCollection",
  ]

  private static let ownMembers: Set = [
    "\"geometry\"", "\"properties\"", "\"coordinates\"", "\"geometries\"",
  ]

  /// Whether a text begins with an object in TopoJSON or Esri JSON, which GDAL reads, judging by the
  /// members before the first long one.
  static func isForGDAL(_ scan: JSONScan) -> Bool {
    var isFound = false
    scan.forEachMember(ofObjectAt: scan.skipSpace(0)) { name, value in
      guard let value else { return false }
      switch scan.text(name.lowerBound, end: name.upperBound) {
      case "type": isFound = scan.content(value) == "Topology"
      case "geometryType": isFound = scan.content(value).hasPrefix("esriGeometry")
      default: break
      }
      return !isFound
    }
    return isFound
  }

  /// Whether the object that begins at the index is GeoJSON (or TopoJSON, which is reported with
  /// advice) rather than plain JSON, judging by the part of it that is present.
  static func isGeoJSON(_ scan: JSONScan, start: Int) -> Bool {
    var names: Set<String> = []
    var type: String?
    scan.forEachMember(ofObjectAt: start) { name, value in
      names.insert(scan.text(name.lowerBound, end: name.upperBound))
      guard let value else { return false }
      if names.contains("type"), type == nil { type = scan.content(value) }
      return type == nil
    }
    guard let type else {
      return names.contains("features") || names.contains("coordinates")
        || names.isSuperset(of: ["geometry", "properties"])
    }
    if geometryTypes.contains(type) {
      return scan.member("coordinates", ofObjectAt: start) != nil
        || scan.member("geometries", ofObjectAt: start) != nil
        || !scan.isWhole(valueAt: start)
    }
    return ["Feature", "FeatureCollection", "Topology"].contains(type)
  }

  /// Whether the first object has the members of a Feature or a geometry, or has its type.
  private static func isFeature(_ scan: JSONScan, first: Int) -> Bool {
    guard first < scan.count, scan.bytes[first] == UInt8(ascii: "{") else { return false }
    var index = scan.skipSpace(first + 1)
    while index < scan.count, scan.bytes[index] == UInt8(ascii: "\"") {
      guard let end = scan.skipString(index) else { return false }
      let name = scan.text(index, end: end)
      if name == "\"features\"" { return false }
      if ownMembers.contains(name) { return true }
      let value = scan.skipSpace(scan.skipSpace(end) + 1)
      guard value < scan.count, let valueEnd = scan.skipValue(value) else { return false }
      if name == "\"type\"" {
        let type = scan.content(value..<valueEnd)
        return type == "Feature" || geometryTypes.contains(type)
      }
      index = scan.skipSpace(scan.skipSpace(valueEnd) + 1)
    }
    return false
  }
}
