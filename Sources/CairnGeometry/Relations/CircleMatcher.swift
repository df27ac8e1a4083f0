/// A circle prepared for tests against many geometries with geodesic edges.
struct CircleMatcher: Sendable {
  /// The points in the circle.
  let region: Region
  private let longitude: Double
  private let latitude: Double
  private let radius: Double

  init(_ circle: GeoCircle) {
    region = Region(circle)
    longitude = circle.center.longitude
    latitude = circle.center.latitude
    radius = circle.radiusInRadians
  }

  private var center: Vector { Vector(roughLongitude: longitude, latitude: latitude) }

  /// The square of the chord of the radius, at least that of positions that are the same.
  private var limit: Double {
    max(Sphere.chordSquared(ofAngle: radius), Arc.tolerance * Arc.tolerance)
  }

  /// Whether a geometry has a position in common with the circle.
  func intersects(_ view: GeometryView) -> Bool {
    for part in view.parts {
      guard case .point(let index) = part else { continue }
      if contains(vertex: index, of: view) { return true }
    }
    return SphericalDistance.chordSquared(from: center, to: view, below: .infinity) <= limit
  }

  /// Whether no point of a geometry lies outside of the circle.
  func contains(_ view: GeometryView) -> Bool {
    guard (0..<view.vertexCount).allSatisfy({ contains(vertex: $0, of: view) }) else {
      return false
    }
    // A cap of up to a quarter turn is convex. Outside of a larger one is such a cap.
    guard radius > .pi / 2, radius < .pi else { return true }
    let square = SphericalDistance.chordSquared(from: center * -1, to: view, below: .infinity)
    return square >= Sphere.chordSquared(ofAngle: .pi - radius)
  }

  private func contains(vertex index: Int, of view: GeometryView) -> Bool {
    region.contains(longitude: view.longitude(index), latitude: view.latitude(index))
  }

  /// Whether no point of the circle lies outside of a geometry: one of its polygons contains the
  /// centre, and its boundary is no nearer than the radius.
  func isWithin(_ view: GeometryView) -> Bool {
    if radius == 0 { return intersects(view) }
    return SphericalGeometry.with(view) { geometry in
      (0..<geometry.polygonCount).contains { polygon in
        geometry.location(of: center, polygon: polygon) == .inside
          && geometry.leastChordSquared(
            of: geometry.polygons[polygon].vertices, to: center, below: .infinity) >= limit
      }
    }
  }

  /// Whether the circle is nothing but a location in degrees.
  func isWithin(_ longitude: Double, latitude: Double) -> Bool {
    radius == 0 && Vector(roughLongitude: longitude, latitude: latitude).isAt(center)
  }
}
