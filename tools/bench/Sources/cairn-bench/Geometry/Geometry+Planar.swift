import Cairn

// Measures in degrees, as if longitude and latitude were lengths in a plane.

extension Geometry {
  /// The area of the intersection, divided by that of the union.
  func overlap(with other: Geometry) throws -> Double {
    let common = try intersection(other).planarArea
    if common == 0 { return 0 }
    let union = planarArea + other.planarArea - common
    return union == 0 ? 1 : common / union
  }

  /// The area in square degrees.
  private var planarArea: Double {
    rings.reduce(0) { area, polygon in
      polygon.dropFirst().reduce(area + Self.area(polygon[0])) { $0 - Self.area($1) }
    }
  }

  /// The rings of each polygon.
  private var rings: [[[GeoPoint]]] {
    if kind.isCollection { return members.flatMap(\.rings) }
    return polygon(edges: .planar).map { [[$0.outerRing] + $0.holes] } ?? []
  }

  private static func area(_ ring: [GeoPoint]) -> Double {
    let (x, y) = (ring[0].longitude, ring[0].latitude)
    let doubled = zip(ring, ring.dropFirst()).reduce(0.0) { sum, edge in
      let (start, end) = edge
      return sum + (start.longitude - x) * (end.latitude - y)
        - (end.longitude - x) * (start.latitude - y)
    }
    return abs(doubled) / 2
  }
}

extension Geometry.Kind {
  fileprivate var isCollection: Bool {
    self == .multiPolygon || self == .geometryCollection
  }
}
