import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

@Suite struct StraightAreaTests {
  /// The area of a rectangle is the difference of two zones of the sphere.
  @Test(arguments: [3303] as [UInt64]) func rectanglesHaveTheAreaOfTheirZone(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let (west, south) = (random.double(-180...170), random.double(-89...80))
      let (east, north) = (west + random.double(0.001...9), south + random.double(0.001...9))
      let geometry = Geometry(rings: [
        [(west, south), (east, south), (east, north), (west, north), (west, south)]
      ])
      let band = sin(north * .pi / 180) - sin(south * .pi / 180)
      let area = 6_371_007.181 * 6_371_007.181 * (east - west) * .pi / 180 * band
      #expect(abs(geometry.areaOfStraightEdges / area - 1) < 1e-9, "\(geometry) seed \(seed)")
    }
  }

  @Test func smallPolygonsHaveTheAreaOfTheEllipsoid() throws {
    let ring = [(7.0, 46.0), (7.02, 46.001), (7.03, 46.02), (7.0, 46.0)]
    let hole = [(7.01, 46.003), (7.02, 46.004), (7.02, 46.009), (7.01, 46.003)]
    let geometry = Geometry(rings: [ring, hole])
    #expect(abs(geometry.areaOfStraightEdges / (try geometry.area) - 1) < 0.005)
  }

  @Test func linesHaveNoArea() throws {
    let flat = Geometry(rings: [[(0.0, 50.0), (1, 50), (3, 50), (0, 50)]])
    #expect(flat.areaOfStraightEdges == 0)
    let line = try #require(Geometry(json: #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#))
    #expect(line.areaOfStraightEdges == 0)
  }
}
