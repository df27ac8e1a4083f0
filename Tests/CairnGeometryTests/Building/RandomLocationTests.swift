import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct RandomLocationTests {
  /// All are in the polygons, and each part has as many as its share of the area says.
  @Test(arguments: [8401, 8402] as [UInt64])
  func evenly(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let area = random.stars()
    let count = 20_000
    let points = try area.randomLocations(count, seed: seed)
    #expect(points.members.count == count)
    let prepared = try PreparedShape(.geometry(area, edges: .planar))
    #expect(points.withView { prepared.holds(.within, $0) })
    // The part west of a meridian: the number is binomial, and 5 standard deviations are never passed.
    let west = try area.intersection(
      Geometry(wkt: "POLYGON ((-10 -10, 9 -10, 9 30, -10 30, -10 -10))"))
    let share = west.areaOfStraightEdges / area.areaOfStraightEdges
    let found = points.points.filter { $0.longitude <= 9 }.count
    let deviation = (Double(count) * share * (1 - share)).squareRoot()
    #expect(abs(Double(found) - share * Double(count)) < 5 * deviation + 1, "seed \(seed)")
  }

  @Test func linesPointsAndSeeds() throws {
    let line = try Geometry(wkt: "MULTILINESTRING ((0 0, 1 0), (5 0, 8 0))")
    let onLine = try line.randomLocations(4000)
    #expect(onLine.points.allSatisfy { abs($0.latitude) < 1e-12 })
    let share = Double(onLine.points.filter { $0.longitude <= 1 }.count) / 4000
    #expect(abs(share - 0.25) < 0.04)
    let points = try Geometry(wkt: "MULTIPOINT ((1 1), (2 2))")
    #expect(Set(try points.randomLocations(50).points) == Set(points.points))
    #expect(try line.randomLocations(9, seed: 3) == line.randomLocations(9, seed: 3))
    #expect(try line.randomLocations(9, seed: 3) != line.randomLocations(9, seed: 4))
    // Two polygons of one form do not have the same pattern.
    let (one, other) = (
      try Geometry(wkt: "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))"),
      try Geometry(wkt: "POLYGON ((4 0, 5 0, 5 1, 4 1, 4 0))")
    )
    #expect(
      try one.randomLocations(1).points[0].latitude != other.randomLocations(1).points[0].latitude)
    #expect(try Geometry(wkt: "POLYGON EMPTY").randomLocations(5).isEmpty)
    for count in [-1, 10_000_001] {
      #expect(throws: GeometryError.self) { try one.randomLocations(count) }
    }
  }

  @Test func thinPolygons() throws {
    let sliver = try Geometry(wkt: "POLYGON ((0 0, 50 40, 50 40.0001, 0 0))")
    #expect(try sliver.randomLocations(100).members.count == 100)
  }
}
