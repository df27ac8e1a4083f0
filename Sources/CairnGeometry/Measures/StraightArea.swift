extension Geometry {
  /// The area of the geometry's polygons without their holes in square metres, for edges that are
  /// straight in longitude and latitude; 0 if it has no polygon.
  ///
  /// It is that on the sphere with the area of the WGS 84 ellipsoid, within 0.5 %: the integral of the
  /// sine of the latitude over the longitude, edge by edge. Rings may be open, and may break rules.
  ///
  /// - Complexity: O(*n*) in the number of vertices.
  package var areaOfStraightEdges: Double {
    withView { view in
      view.parts.reduce(0) { sum, part in
        guard case .polygon(let rings) = part else { return sum }
        return sum
          + rings.enumerated().reduce(0) { sum, ring in
            let area = view.areaOfStraightEdges(ring.element)
            return sum + (ring.offset == 0 ? area : -area)
          }
      }
    }
  }
}

extension GeometryView {
  /// The radius in metres of the sphere with the area of the WGS 84 ellipsoid.
  private static let authalicRadius = 6_371_007.181

  fileprivate func areaOfStraightEdges(_ ring: Range<Int>) -> Double {
    guard let last = ring.last else { return 0 }
    // Strips that begin at a latitude of the ring, not at the equator, lose no digits.
    let base = sine(degrees: latitude(last))
    var sum = 0.0
    var from = last
    for to in ring {
      let middle = (latitude(from) + latitude(to)) / 2
      let half = ((latitude(to) - latitude(from)) / 2).inRadians
      let mean = sine(degrees: middle) * (half == 0 ? 1 : sine(half) / half)
      sum += (longitude(to) - longitude(from)).inRadians * (mean - base)
      from = to
    }
    return abs(sum) * Self.authalicRadius * Self.authalicRadius
  }
}
