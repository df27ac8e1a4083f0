import CairnGeometry
import CairnValues

/// Prints shapes in the predicate language: longitude before latitude, a radius in radians.
enum ShapeText {
  static func text(of shape: Shape) -> String {
    switch shape {
    case .circle(let circle):
      "geoCircle(\(coordinates(circle.center)), \(length(circle.radius.radians)))"
    case .box(let box):
      "geoBox(\(coordinates(box.bottomLeft)), \(coordinates(box.topRight)))"
    case .polygon(let polygon):
      text(of: polygon)
    case .geometry(let geometry, let edges):
      text(of: geometry, edges: edges)
    }
  }

  /// `[longitude, latitude]`, followed by the altitude unless it is 0.
  static func coordinates(_ longitude: Double, latitude: Double, altitude: Double) -> String {
    altitude == 0
      ? "[\(longitude), \(latitude)]" : "[\(longitude), \(latitude), \(altitude)]"
  }

  /// A length beyond pi is printed with its unit. Without one, the parser would reject it as a
  /// length that lacks a unit.
  static func length(_ radians: Double) -> String {
    radians > .pi ? "\(radians) rad" : "\(radians)"
  }

  private static func coordinates(_ point: GeoPoint) -> String {
    coordinates(point.longitude, latitude: point.latitude, altitude: point.altitude)
  }

  /// A geometry in WKT, as a constant without a kind of edges.
  static func text(of geometry: Geometry) -> String { text(of: geometry, mark: "") }

  private static func text(of geometry: Geometry, mark: String) -> String {
    "geometry\(mark)(\(ConstantText.quoted(geometry.wkt)))"
  }

  /// A geometry as `geoPoint([8.0, 50.0])` or in WKT, with its kind of edges unless that is
  /// geodesic.
  private static func text(of geometry: Geometry, edges: GeoPolygon.Edges) -> String {
    let mark = edges == .planar ? "[planar]" : ""
    let point = geometry.withView { view in
      view.kind == .point && view.vertexCount == 1 && view.altitude(0) == nil
        ? coordinates(view.longitude(0), latitude: view.latitude(0), altitude: 0) : nil
    }
    return point.map { "geoPoint\(mark)(\($0))" } ?? text(of: geometry, mark: mark)
  }

  private static func text(of polygon: GeoPolygon) -> String {
    let edges = polygon.edges == .planar ? "[planar]" : ""
    if polygon.polygons.count == 1 { return "geoPolygon\(edges)(\(rings(polygon.polygons[0])))" }
    let parts = polygon.polygons.map { "{\(rings($0))}" }
    return "geoMultiPolygon\(edges)(\(parts.joined(separator: ", ")))"
  }

  private static func rings(_ rings: [[GeoPoint]]) -> String {
    rings.map { ring in "{" + ring.map(coordinates).joined(separator: ", ") + "}" }
      .joined(separator: ", ")
  }
}
