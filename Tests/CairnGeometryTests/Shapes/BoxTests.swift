import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct BoxTests {
  private func region(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws
    -> Region
  {
    Region(try #require(GeoBox(bottomLeft: (south, west), topRight: (north, east))))
  }

  @Test func sidesAreParallelsAndMeridians() throws {
    let box = try region(40, -60, 60, 60)
    #expect(box.contains(longitude: 0, latitude: 50))
    #expect(!box.contains(longitude: 0, latitude: 60.0001))
    for (x, y) in [(-60.0, 40.0), (60, 60), (-60, 60), (60, 40), (0, 60)] {
      #expect(box.contains(longitude: x, latitude: y))
    }
  }

  @Test func crossesTheAntimeridian() throws {
    let box = try region(-10, 170, 10, -170)
    #expect(box.contains(longitude: 180, latitude: 0))
    #expect(box.contains(longitude: -180, latitude: 0))
    #expect(box.contains(longitude: -170, latitude: 10))
    #expect(!box.contains(longitude: 0, latitude: 0))
    #expect(!box.contains(longitude: -169.9, latitude: 0))
  }

  @Test func wholeBandAndWholeWorld() throws {
    let world = try region(-90, -180, 90, 180)
    #expect(world.classify(.world) == .contained)
    let band = try region(-60, -180, 70, 180)
    #expect(band.contains(longitude: 180, latitude: 70))
    #expect(!band.contains(longitude: 180, latitude: 71))
  }

  @Test func theAntimeridianHasTwoLongitudes() throws {
    let east = try region(0, 170, 10, 180)
    #expect(east.contains(longitude: -180, latitude: 5))
    #expect(!east.contains(longitude: -179.9, latitude: 5))
    let west = try region(0, -180, 10, -170)
    #expect(west.contains(longitude: 180, latitude: 5))
    let line = try region(0, 180, 10, -180)
    #expect(
      line.contains(longitude: -180, latitude: 5) && line.contains(longitude: 180, latitude: 5))
    #expect(!line.contains(longitude: 0, latitude: 5))
  }

  @Test func linesPointsAndSwappedLatitudes() throws {
    let point = try region(1.1, 2.2, 1.1, 2.2)
    #expect(point.contains(longitude: 2.2, latitude: 1.1))
    #expect(!point.contains(longitude: 2.2000001, latitude: 1.1))
    let line = try region(1, 2, 1, 9)
    #expect(line.contains(longitude: 5, latitude: 1))
    #expect(!line.contains(longitude: 5, latitude: 1.0000001))
    let swapped = try region(10, 0, 5, 1)
    #expect(swapped.contains(longitude: 0.5, latitude: 7))
  }

  @Test func cornersMustBeOnTheEarth() {
    #expect(GeoBox(bottomLeft: (91, 0), topRight: (0, 0)) == nil)
    #expect(GeoBox(bottomLeft: (0, 0), topRight: (0, .nan)) == nil)
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func rectanglesAgreeWithPoints(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(30, long: 60) {
      let box = GeoBox(bottomLeft: random.location(), topRight: random.location())
      let corners = [box.bottomLeft, box.topRight]
      checkAgreement(Region(box), near: corners, &random, rounds: 20, "\(box) seed \(seed)")
    }
  }
}
