@testable import CairnGeometry

/// Plain implementations to compare the regions with.
enum Oracle {
  /// Whether a point is in a ring, found by counting crossings edge by edge; nil within `band` of
  /// an edge.
  static func isInside(_ ring: [(x: Double, y: Double)], _ x: Double, _ y: Double, band: Double)
    -> Bool?
  {
    var isInside = false
    for (a, b) in zip(ring, ring.dropFirst()) {
      if distance(x, y, a, b) <= band { return nil }
      if (a.y > y) != (b.y > y), x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x {
        isInside.toggle()
      }
    }
    return isInside
  }

  private static func distance(
    _ x: Double, _ y: Double, _ a: (x: Double, y: Double), _ b: (x: Double, y: Double)
  ) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let share = square == 0 ? 0 : max(0, min(1, ((x - a.x) * dx + (y - a.y) * dy) / square))
    let (ex, ey) = (a.x + share * dx - x, a.y + share * dy - y)
    return (ex * ex + ey * ey).squareRoot()
  }

  /// Planar polygons: each outer ring without its holes.
  static func planar(_ polygon: GeoPolygon, _ x: Double, _ y: Double, band: Double = 1e-12)
    -> Bool?
  {
    var isInAny = false
    for rings in polygon.polygons {
      var isInside = false
      for ring in rings {
        let plane = ring.map { (x: $0.longitude, y: $0.latitude) }
        guard let answer = self.isInside(plane, x, y, band: band) else { return nil }
        if answer { isInside.toggle() }
      }
      isInAny = isInAny || isInside
    }
    return isInAny
  }

  /// Geodesic polygons projected from the centre of the earth, where their edges are straight.
  static func geodesic(_ polygon: GeoPolygon, _ point: GeoPoint, band: Double = 1e-10) -> Bool? {
    var isInAny = false
    for rings in polygon.polygons {
      guard let projection = Gnomonic(about: rings[0].map(Vector.init(_:))) else { return nil }
      guard let (x, y) = projection.project(Vector(point)) else { continue }
      var isInside = false
      for ring in rings {
        let plane = ring.compactMap { projection.project(Vector($0)) }
        guard plane.count == ring.count,
          let answer = self.isInside(plane, x, y, band: band * (1 + x * x + y * y))
        else { return nil }
        if answer { isInside.toggle() }
      }
      isInAny = isInAny || isInside
    }
    return isInAny
  }

  /// The square of the chord between two unit vectors.
  static func chordSquared(_ one: GeoPoint, _ other: GeoPoint) -> Double {
    let difference = Vector(one) - Vector(other)
    return difference.dot(difference)
  }
}
