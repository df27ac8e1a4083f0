import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// The cases of the JTS Topology Suite, the original of GEOS.
@Suite struct JTSTests {
  /// Runs the cases with some operations, and compares the results by area, length and points. Returns the
  /// number of cases that were compared, and of those with invalid input.
  private func run(
    _ files: [String], operations: Set<String>,
    _ result: (JTSCase, Geometry, Geometry?) throws -> Geometry
  ) throws -> (compared: Int, invalid: Int) {
    var (compared, invalid) = (0, 0)
    for test in try JTSCase.all(files) where operations.contains(test.operation) {
      guard let (one, other, expected) = test.placed(), one.isValid, other?.isValid != false else {
        invalid += 1
        continue
      }
      let found = try result(test, one, other)
      #expect(found.isValid, "\(test)")
      // Stretches that several lines have in common count once.
      let actual = PlaneMeasures(try Geometry.union(of: [found]))
      let wanted = PlaneMeasures(try Geometry.union(of: [expected]))
      #expect(actual.isNear(wanted), "\(test): \(found.wkt), expected \(expected.wkt)")
      let rest = try found.symmetricDifference(expected).planarArea
      #expect(rest < 1e-9, "\(test): \(rest)")
      compared += 1
    }
    return (compared, invalid)
  }

  @Test func overlays() throws {
    let files = [
      "TestOverlayAA", "TestOverlayLA", "TestOverlayLL", "TestOverlayPA", "TestOverlayPL",
      "TestOverlayPP", "TestOverlayEmpty", "TestNGOverlayA", "TestNGOverlayL", "TestNGOverlayP",
      "TestNGOverlayGC", "TestNGOverlayEmpty",
    ]
    let names: Set = ["intersection", "union", "difference", "symdifference"]
    let operations = names.union(names.map { $0 + "ng" })
    let counts = try run(files, operations: operations) { test, one, other in
      guard let other else { return try Geometry.union(of: [one]) }
      return switch test.operation.prefix(3) {
      case "int": try one.intersection(other)
      case "uni": try one.union(other)
      case "dif": try one.difference(other)
      default: try one.symmetricDifference(other)
      }
    }
    #expect(counts == (735, 0))
  }

  @Test func unions() throws {
    let counts = try run(["TestUnaryUnion", "TestUnaryUnionFloating"], operations: ["union"]) {
      _, one, _ in
      try Geometry.union(of: one.kind.hasMembers ? one.members : [one])
    }
    #expect(counts == (19, 1))
  }

  @Test func hulls() throws {
    let counts = try run(["TestConvexHull", "TestConvexHull-big"], operations: ["convexhull"]) {
      _, one, _ in
      try one.convexHull()
    }
    #expect(counts == (14, 0))
  }

  @Test func boundaries() throws {
    let counts = try run(["TestBoundary"], operations: ["getboundary"]) { _, one, _ in
      one.boundary()
    }
    #expect(counts == (12, 0))
  }

  @Test func points() throws {
    var counts = [0, 0, 0]
    for test in try JTSCase.all(["TestCentroid", "TestInteriorPoint"]) {
      guard let (one, _, expected) = test.placed(), one.isValid else {
        counts[2] += 1
        continue
      }
      let isCentroid = test.operation == "getcentroid"
      let found = try isCentroid ? one.centroid : one.pointOnSurface()
      let wanted = expected.points.first
      #expect((found == nil) == (wanted == nil), "\(test)")
      guard let found, let wanted else { continue }
      #expect(
        abs(found.longitude - wanted.longitude) < 1e-6
          && abs(found.latitude - wanted.latitude) < 1e-6, "\(test): \(found), \(wanted)")
      counts[isCentroid ? 0 : 1] += 1
    }
    #expect(counts == [25, 17, 13])
  }

  /// The distance on the earth of a unit of the plane near the equator.
  private func distance(_ units: Double) throws -> Distance {
    try #require(Distance.degrees(units / 16_384))
  }

  @Test func buffers() throws {
    var counts = [0, 0]
    for test in try JTSCase.all(["TestBuffer", "TestBufferMitredJoin"]) {
      let number = try #require(test.number)
      guard let (one, _, expected) = test.placed(JTSPlace(nearEquator: test.one)), one.isValid,
        number != 0
      else {
        counts[1] += 1
        continue
      }
      let style = BufferStyle(
        quadSegments: 8, join: test.operation == "buffer" ? .round : .mitre)
      let distance = try distance(abs(number))
      // JTS lets a mitre pass by vertices that are nearly on a line.
      let tolerance = test.operation == "buffer" ? 1e-3 : 1e-2
      let found = try number < 0 ? one.inset(distance) : one.buffer(distance, style: style)
      #expect(found.isValid, "\(test)")
      let rest = try found.symmetricDifference(expected).planarArea
      #expect(rest <= tolerance * expected.planarArea, "\(test): \(rest) of \(expected.planarArea)")
      counts[0] += 1
    }
    // The others have a distance of 0, or rings that are not valid.
    #expect(counts == [32, 14])
  }

  /// Two results differ: JTS may leave out the first vertex of a ring, and keeps four vertices of another
  /// ring where three are enough.
  @Test func simplifications() throws {
    var counts = [0, 0]
    for test in try JTSCase.all(["TestSimplify"]) {
      let (one, _, expected) = try #require(test.placed(JTSPlace(nearEquator: test.one)))
      let distance = try distance(try #require(test.number))
      let found =
        try test.operation == "simplifydp"
        ? one.simplified(within: distance) : one.simplifiedPreservingTopology(within: distance)
      #expect(found.isValid, "\(test)")
      counts[PlaneMeasures(found).isNear(PlaneMeasures(expected)) ? 0 : 1] += 1
    }
    #expect(counts == [34, 2])
  }
}
