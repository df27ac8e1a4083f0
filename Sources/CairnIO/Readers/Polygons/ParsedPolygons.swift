package import CairnGeometry

/// A syntax error in the text of polygons.
package struct PolygonTextError: Error {
  /// The position of an error.
  package enum Position: Sendable {
    /// A line and a column, both from 1.
    case line(Int, column: Int)
    /// A character, from 1.
    case character(Int)
  }

  package let message: String
  package let position: Position
  /// Whether the text holds a geometry of another kind.
  package var isOfOtherKind = false
}

/// The polygons of a text, in the text's coordinate system.
package struct ParsedPolygons {
  /// The polygons in the order of the text.
  package var polygons: [ParsedPolygon] = []
  /// The coordinate system of the text.
  package var system = CRSMember.wgs84

  init(polygons: [ParsedPolygon], system: CRSMember) {
    self.polygons = polygons
    self.system = system
  }

  /// Creates an empty list of polygons.
  package init() {}

  /// Reads WKT: `POLYGON ((…))` or `MULTIPOLYGON (((…)))`, longitude first, optionally after
  /// `SRID=4326;`.
  package init(wkt text: String) throws(PolygonTextError) {
    self = try WKTPolygons.read(text)
  }

  /// Reads GeoJSON: a geometry, a Feature, or a collection of them.
  package init(geoJSON bytes: [UInt8]) throws(PolygonTextError) {
    self = try GeoJSONPolygons.read(bytes)
  }

  /// Whether a text is the WKT of a polygon rather than a path.
  package static func isWKT(_ text: String) -> Bool { WKTPolygons.isWKT(text) }

  /// Returns the polygons in WGS 84 degrees. Each vertex is transformed; the edges run straight
  /// between the results. `system` must not be `unclear`.
  ///
  /// - Throws: An error if the system is unknown, or if a vertex lies far outside its area.
  package func inDegrees() throws(GeometryError) -> [ParsedPolygon] {
    guard case .named(let definition) = system else { return polygons }
    let transform = try CoordinateTransform(definition)
    return try polygons.map { (polygon) throws(GeometryError) in
      try polygon.transformed(transform)
    }
  }
}

/// A polygon of a text, with the number of its Feature.
package struct ParsedPolygon {
  /// The rings of the polygon.
  package var builder: PolygonBuilder
  /// The number of the Feature, from 1; nil if the polygon is not in a Feature.
  package let feature: Int?

  fileprivate func transformed(
    _ transform: CoordinateTransform
  ) throws(GeometryError) -> ParsedPolygon {
    let rings = try builder.rings.map { (ring) throws(GeometryError) in
      var moved = PlaneRing()
      for (x, y) in zip(ring.xs, ring.ys) {
        let point = try transform.toWGS84(x: x, y: y)
        moved.append(point.longitude, y: point.latitude)
      }
      return moved
    }
    return ParsedPolygon(builder: PolygonBuilder(rings: rings), feature: feature)
  }
}

extension [ParsedPolygon] {
  /// Returns the position of a polygon in words; empty if there is only one.
  package func name(of index: Int) -> String {
    let feature = self[index].feature
    let own = indices.filter { self[$0].feature == feature }
    let number = own.firstIndex(of: index).map { $0 + 1 } ?? 1
    let polygon = own.count > 1 ? "polygon \(number) of \(own.count)" : nil
    return [feature.map { "feature \($0)" }, polygon].compactMap { $0 }.joined(separator: ", ")
  }
}
