import CairnFormats
import CairnGeometry

/// Reads the polygons of a GeoJSON text: a geometry, a Feature, or collections of them, with the coordinate system
/// of the member `crs` that the first edition of GeoJSON had.
struct GeoJSONPolygons {
  private var polygons: [WrittenPolygon] = []
  /// What the outermost object says of its system.
  private var system: CRSMember?
  /// What the objects in it say, and where.
  private var innerSystems: [(system: CRSMember, place: JSONCursor)] = []
  private var featureNumber = 0
  private static let deepest = 64

  /// - Throws: `JSONCursor.SyntaxError`, with the place.
  static func read(_ cursor: JSONCursor) throws -> WrittenPolygons {
    var cursor = cursor
    var reader = GeoJSONPolygons()
    try reader.readObject(&cursor, depth: 0)
    guard cursor.isAtEnd() else { throw cursor.error("something follows the GeoJSON object") }
    guard !reader.polygons.isEmpty else {
      throw cursor.moved(to: 0).error("there is no polygon in it")
    }
    return WrittenPolygons(polygons: reader.polygons, system: try reader.commonSystem())
  }

  /// The one system of all; without any it is WGS 84.
  private func commonSystem() throws -> CRSMember {
    let common = system ?? .wgs84
    for inner in innerSystems where inner.system != common {
      throw inner.place.error("this member `crs` is not that of the whole file")
    }
    return common
  }

  /// Where the members of an object stand that may matter, whatever their order.
  private struct Members {
    var type: String?
    var coordinates: JSONCursor?
    var geometry: JSONCursor?
    var children: JSONCursor?
    var system: (CRSMember, place: JSONCursor)?
  }

  private mutating func readObject(_ cursor: inout JSONCursor, depth: Int) throws {
    guard depth < Self.deepest else { throw cursor.error("collections nested too deep") }
    let start = cursor
    let members = try Self.members(&cursor)
    if let found = members.system {
      if depth == 0 { system = found.0 } else { innerSystems.append((found.0, found.place)) }
    }
    switch members.type {
    case "Polygon": try readPolygon(required(members.coordinates, "coordinates", start))
    case "MultiPolygon": try readMultiPolygon(required(members.coordinates, "coordinates", start))
    case "Feature": try readFeature(required(members.geometry, "geometry", start), depth: depth)
    case "FeatureCollection", "GeometryCollection":
      var children = try required(members.children, "features or geometries", start)
      try children.elements { try readObject(&$0, depth: depth + 1) }
    case let type?:
      throw start.error("a \(type) has no inside; --within takes polygons\(inFeature)")
    case nil: throw start.error("an object has no \"type\", so this is no GeoJSON")
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
    _ member: JSONCursor?, _ name: String, _ start: JSONCursor
  ) throws -> JSONCursor {
    guard let member else { throw start.error("no \(name)\(inFeature)") }
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
    polygons.append(WrittenPolygon(draft: PolygonDraft(rings: rings), feature: feature))
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
    ring.append(x, y)
  }
}
