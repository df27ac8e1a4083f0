package import CairnGeometry

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

  /// Reads the WKT or hexadecimal WKB of a geometry that is a polygon or a MultiPolygon.
  package init(wkt text: String) throws(GeometryTextError) {
    let bytes = Array(text.utf8) + Array(repeating: 0, count: InputBlock.padding)
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<Self, GeometryTextError> in
      do throws(GeometryRefusal) {
        let text = UnsafeBufferPointer(rebasing: bytes.dropLast(InputBlock.padding))
        return .success(try Self(text))
      } catch { return .failure(GeometryTextError(message: error.detail)) }
    }
    self = try result.get()
    guard !polygons.isEmpty else {
      throw GeometryTextError(message: "expected a polygon, found none")
    }
  }

  private init(_ text: UnsafeBufferPointer<UInt8>) throws(GeometryRefusal) {
    let found = GeometryText(text)
    system = CRSMember(srid: found.system)
    var builder = GeometryBuilder()
    var reader = GeometryTextReader()
    try reader.read(text, found.notation, into: &builder)
    polygons = builder.geometry().withView { view in
      view.parts.compactMap { part in
        guard case .polygon(let rings) = part else { return nil }
        return ParsedPolygon(
          builder: PolygonBuilder(rings: rings.map { view.ring($0) }), feature: nil)
      }
    }
  }

  /// Reads GeoJSON: a geometry, a Feature, or a collection of them.
  package init(geoJSON bytes: [UInt8]) throws(GeometryTextError) {
    self = try GeoJSONPolygons.read(bytes)
  }

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
