import CairnTestSupport
import Testing

@testable import CairnGeometry

/// An area of many vertices cuts as its overlay with each geometry does.
@Suite struct GeometryCutterTests {
  @Test(arguments: [7301, 7302] as [UInt64])
  func partsOfLargeAreas(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let area = random.stars(rays: 2000...3000)
    let cutters = (
      try GeometryCutter(area, keeping: .inside), try GeometryCutter(area, keeping: .outside)
    )
    var cutCount = 0
    for _ in 0..<Soak.count(200, long: 2000) {
      let geometry = Self.geometry(&random)
      let inside = try cutters.0.part(of: geometry)
      let outside = try cutters.1.part(of: geometry)
      let expected = (try geometry.intersection(area), try geometry.difference(area))
      for (part, whole) in [(inside, expected.0), (outside, expected.1)] {
        let (measure, wanted) = (
          Self.measure(part, of: geometry), Self.measure(whole, of: geometry)
        )
        #expect(abs(measure - wanted) <= 1e-9 * max(1, wanted), "seed \(seed), \(geometry.wkt)")
        if let part { try part.validate(edges: .planar) }
      }
      if inside != nil, outside != nil { cutCount += 1 }
    }
    #expect(cutCount > 10)
  }

  /// A small or large line or polygon in the world of the area, and beyond its edges.
  private static func geometry(_ random: inout SplitMix64) -> Geometry {
    let center = (x: random.double(-1...24), y: random.double(0...20))
    let radius = random.pick([0.05, 0.2, 0.5, 3, 12])
    if random.chance(0.5) {
      return Geometry(polygons: [
        [random.star(center, from: radius * 0.5, to: radius, rays: 5...9)]
      ])
    }
    var builder = GeometryBuilder()
    builder.begin(.lineString)
    for _ in 0..<random.int(2...6) {
      builder.add(
        longitude: center.x + random.double(-radius...radius),
        latitude: center.y + random.double(-radius...radius))
    }
    builder.end()
    return builder.geometry()
  }

  /// The area of polygons, or the length of lines, in the plane.
  private static func measure(_ part: Geometry?, of geometry: Geometry) -> Double {
    guard let part else { return 0 }
    return geometry.hasPolygons ? part.planarArea : PlaneMeasures(part).length
  }
}
