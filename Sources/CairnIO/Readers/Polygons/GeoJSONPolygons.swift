internal import CairnGeometry

/// Reads the polygons of a GeoJSON text: a geometry, a Feature, or a collection of them. The
/// coordinate system may be given by the member `crs` of the GeoJSON specification of 2008.
struct GeoJSONPolygons {
  private var polygons: [ParsedPolygon] = []
  /// The coordinate system of the outermost object.
  private var system: CRSMember?
  /// The coordinate systems of the inner objects, with their positions in the text.
  private var innerSystems: [(system: CRSMember, position: JSONCursor)] = []
  private var featureNumber = 0
  private static let maxDepth = 64

  /// - Throws: An error with the line and the column.
  static func read(_ bytes: [UInt8]) throws(GeometryTextError) -> ParsedPolygons {
    let padded = bytes + Array(repeating: 0, count: InputBlock.padding)
    return try padded.withUnsafeBufferPointer { (buffer) throws(GeometryTextError) in
      guard let base = buffer.baseAddress else { return ParsedPolygons() }
      let cursor = JSONCursor(JSONScan(bytes: base, count: bytes.count))
      do { return try read(cursor) } catch {
        let other = (error as? OtherKind)?.error
        let error = other ?? error as? JSONCursor.SyntaxError ?? cursor.error("\(error)")
        var failure = GeometryTextError(
          message: ImportMessage(error.message), position: cursor.position(of: error.offset))
        failure.isOfOtherKind = other != nil
        throw failure
      }
    }
  }

  /// The error that a geometry is not a polygon.
  private struct OtherKind: Error {
    let error: JSONCursor.SyntaxError
  }

  private static func read(_ start: JSONCursor) throws -> ParsedPolygons {
    var cursor = start
    var reader = GeoJSONPolygons()
    try reader.readObject(&cursor, depth: 0)
    guard cursor.isAtEnd() else { throw cursor.error("unexpected text after the GeoJSON object") }
    guard !reader.polygons.isEmpty else {
      throw cursor.moved(to: 0).error("expected a polygon, found none")
    }
    return ParsedPolygons(polygons: reader.polygons, system: try reader.commonSystem())
  }

  /// The coordinate system shared by all objects; WGS 84 if none is given.
  private func commonSystem() throws -> CRSMember {
    let common = system ?? .wgs84
    for inner in innerSystems where inner.system != common {
      throw inner.position.error("this member `crs` differs from that of the whole file")
    }
    return common
  }

  /// The positions of the relevant members of an object, which may come in any order.
  private struct Members {
    var type: String?
    var coordinates: JSONCursor?
    var geometry: JSONCursor?
    var children: JSONCursor?
    var system: (CRSMember, position: JSONCursor)?
  }

  private mutating func readObject(_ cursor: inout JSONCursor, depth: Int) throws {
    guard depth < Self.maxDepth else { throw cursor.error("collections are nested too deeply") }
    let start = cursor
    let members = try Self.members(&cursor)
    if let found = members.system {
      if depth == 0 { system = found.0 } else { innerSystems.append((found.0, found.position)) }
    }
    switch members.type {
    case "Polygon":
      try readPolygon(required(members.coordinates, name: "coordinates", start: start))
    case "MultiPolygon":
      try readMultiPolygon(required(members.coordinates, name: "coordinates", start: start))
    case "Feature":
      try readFeature(required(members.geometry, name: "geometry", start: start), depth: depth)
    case "FeatureCollection", "GeometryCollection":
      var children = try required(members.children, name: "features or geometries", start: start)
      try children.elements { try readObject(&$0, depth: depth + 1) }
    case let type?:
      let error = start.error("expected a polygon, found a \(type)\(inFeature)")
      throw Geometry.Kind(geoJSONName: type) == nil ? error : OtherKind(error: error)
    case nil: throw start.error("this is not GeoJSON: an object has no \"type\"")
    }
  }

  private static func members(_ cursor: inout JSONCursor) throws -> Members {
    var members = Members()
    try cursor.members { cursor, name in
      _ = cursor.peek()
      switch name {
      case "type": members.type = try cursor.string()
      case "coordinates":
        members.coordinates = cursor
        try cursor.skipUnread()
      case "geometry":
        members.geometry = cursor
        try cursor.skipUnread()
      case "features", "geometries":
        members.children = cursor
        try cursor.skipUnread()
      case "crs":
        let start = cursor
        try cursor.skip()
        members.system = (cursor.withText(from: start, CRSMember.init), start)
      default: try cursor.skip()
      }
    }
    return members
  }

  private func required(
    _ member: JSONCursor?, name: String, start: JSONCursor
  ) throws -> JSONCursor {
    guard let member else { throw start.error("missing \(name)\(inFeature)") }
    return member
  }

  private var inFeature: String { featureNumber == 0 ? "" : " (feature \(featureNumber))" }

  private mutating func readFeature(_ geometry: JSONCursor, depth: Int) throws {
    featureNumber += 1
    var geometry = geometry
    guard geometry.peek() != UInt8(ascii: "n") else {
      throw geometry.error("feature \(featureNumber) has no geometry")
    }
    try readObject(&geometry, depth: depth + 1)
  }

  private mutating func readMultiPolygon(_ coordinates: JSONCursor) throws {
    var cursor = coordinates
    try cursor.elements { polygon in
      try readPolygon(polygon)
      try polygon.skipUnread()
    }
  }

  private mutating func readPolygon(_ coordinates: JSONCursor) throws {
    var cursor = coordinates
    var rings: [PlaneRing] = []
    try cursor.elements { cursor in
      var ring = PlaneRing()
      do {
        try cursor.elements { try Self.readPoint(&$0, into: &ring) }
      } catch let error as JSONCursor.SyntaxError {
        throw error.with(note: note(point: ring.count + 1, ring: rings.count + 1))
      }
      rings.append(ring)
    }
    let feature = featureNumber == 0 ? nil : featureNumber
    polygons.append(ParsedPolygon(builder: PolygonBuilder(rings: rings), feature: feature))
  }

  private func note(point: Int, ring: Int) -> String {
    let place = "point \(point) of ring \(ring)"
    return featureNumber == 0 ? place : "\(place), feature \(featureNumber)"
  }

  private static func readPoint(_ cursor: inout JSONCursor, into ring: inout PlaneRing) throws {
    _ = cursor.peek()
    let start = cursor.offset
    var count = 0
    var (x, y) = (0.0, 0.0)
    try cursor.elements { cursor in
      let number = try cursor.number()
      if count == 0 { x = number } else if count == 1 { y = number }
      count += 1
    }
    guard count >= 2 else {
      throw cursor.moved(to: start).error("a position needs a longitude and a latitude")
    }
    ring.append(x, y: y)
  }
}
