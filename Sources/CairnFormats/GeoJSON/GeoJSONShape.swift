/// How the Features of a file are laid out.
enum GeoJSONShape: Equatable {
  case collection
  /// Features one after the other, each over any number of lines.
  case sequence
  case lines(separator: UInt8)

  /// Bytes that are looked at to tell.
  static let sampleSize = 1 << 16

  /// Tells by the first bytes, behind a byte order mark.
  static func detect(_ scan: JSONScan, format: InputFormat) -> GeoJSONShape {
    let first = scan.skipSpace(0)
    if first < scan.count, scan.bytes[first] == LineCutter.recordSeparator {
      return .lines(separator: LineCutter.recordSeparator)
    }
    if format == .geojsonl { return .lines(separator: LineCutter.newline) }
    return isFeature(scan, first) ? .sequence : .collection
  }

  /// The types of geometries that may stand alone.
  static let geometryTypes: Set = [
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
    "GeometryCollection",
  ]

  private static let ownMembers: Set = [
    "\"geometry\"", "\"properties\"", "\"coordinates\"", "\"geometries\"",
  ]

  /// Whether the first object has the members of a Feature or a geometry, or says that it is one.
  private static func isFeature(_ scan: JSONScan, _ first: Int) -> Bool {
    guard first < scan.count, scan.bytes[first] == UInt8(ascii: "{") else { return false }
    var index = scan.skipSpace(first + 1)
    while index < scan.count, scan.bytes[index] == UInt8(ascii: "\"") {
      guard let end = scan.skipString(index) else { return false }
      let name = scan.text(index, end)
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
