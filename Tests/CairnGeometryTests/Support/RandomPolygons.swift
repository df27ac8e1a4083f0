import CairnTestSupport

@testable import CairnGeometry

extension SplitMix64 {
  /// A random valid geometry of one to three polygons with or without a hole, in a world of 20 degrees.
  ///
  /// - Parameter rays: the numbers of vertices of a ring.
  mutating func stars(rays: ClosedRange<Int> = 12...30) -> Geometry {
    var polygons: [[[(Double, Double)]]] = []
    for part in 0..<int(1...3) {
      // Parts lie in columns of their own, so that they do not overlap.
      let center = (x: Double(part) * 7 + double(2...4), y: double(5...15))
      let radius = double(1...3)
      let outer = star(center, from: radius * 0.6, to: radius, rays: rays)
      let hole = star(center, from: radius * 0.1, to: radius * 0.5, rays: rays)
      polygons.append(chance(0.5) ? [outer, hole] : [outer])
    }
    return Geometry(polygons: polygons)
  }

  /// A closed ring of rays between two distances from a centre.
  mutating func star(
    _ center: (x: Double, y: Double), from least: Double, to most: Double,
    rays: ClosedRange<Int>
  ) -> [(Double, Double)] {
    let count = int(rays)
    let ring = (0..<count).map { index in
      let bearing = 2 * Double.pi * Double(index) / Double(count)
      let size = double(least...most)
      return (center.x + size * cosine(bearing), center.y + size * sine(bearing))
    }
    return ring + [ring[0]]
  }
}
