import CairnGeometry

/// Shapes as the predicate language writes them: longitude before latitude, a radius in radians.
enum ShapeText {
  static func text(of shape: Shape) -> String {
    switch shape {
    case .circle(let circle):
      "geoCircle(\(place(circle.center)), \(radius(circle.radius.radians)))"
    case .box(let box):
      "geoBox(\(place(box.bottomLeft)), \(place(box.topRight)))"
    case .polygon(let polygon):
      text(of: polygon)
    }
  }

  /// `[longitude, latitude]`, and the altitude where there is one.
  static func place(_ longitude: Double, _ latitude: Double, _ altitude: Double) -> String {
    altitude == 0
      ? "[\(longitude), \(latitude)]" : "[\(longitude), \(latitude), \(altitude)]"
  }

  /// A radius beyond half a turn says its unit: without one it would be taken for metres by mistake, and refused.
  private static func radius(_ radians: Double) -> String {
    radians > .pi ? "\(radians) rad" : "\(radians)"
  }

  private static func place(_ point: GeoPoint) -> String {
    place(point.longitude, point.latitude, point.altitude)
  }

  private static func text(of polygon: GeoPolygon) -> String {
    let edges = polygon.edges == .planar ? "[planar]" : ""
    if polygon.polygons.count == 1 { return "geoPolygon\(edges)(\(rings(polygon.polygons[0])))" }
    let parts = polygon.polygons.map { "{\(rings($0))}" }
    return "geoMultiPolygon\(edges)(\(parts.joined(separator: ", ")))"
  }

  private static func rings(_ rings: [[GeoPoint]]) -> String {
    rings.map { ring in "{" + ring.map(place).joined(separator: ", ") + "}" }
      .joined(separator: ", ")
  }
}
