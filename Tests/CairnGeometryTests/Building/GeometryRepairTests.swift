import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite(.tags(.untrusted)) struct GeometryRepairTests {
  private static let square = [(0.0, 0.0), (4, 0), (4, 4), (0, 4), (0, 0)]
  private static let bowTie = [(10.0, 0.0), (14, 4), (14, 0), (10, 4), (10, 0)]

  @Test func validGeometriesStayAsTheyAre() throws {
    for geometry in [
      Geometry(rings: [Self.square]), Geometry(polygons: [] as [GeoPolygon]),
      try #require(Geometry(json: #"{"type":"LineString","coordinates":[[1,2],[1,2]]}"#)),
    ] {
      var changes: [String] = []
      #expect(try geometry.repaired(reporting: &changes) == geometry && changes.isEmpty)
    }
  }

  @Test func aBowTieBecomesTwoTriangles() throws {
    var changes: [String] = []
    let repaired = try Geometry(rings: [Self.bowTie]).repaired(reporting: &changes)
    #expect(repaired.kind == .multiPolygon && repaired.polygonRings.count == 2)
    #expect(abs(repaired.planarArea - 8) < 1e-12)
    #expect(changes.count == 1 && changes[0].contains("crosses itself at longitude 12.0"))
  }

  @Test func polygonsThatOverlapAreMerged() throws {
    let other = Self.square.map { ($0.0 + 2, $0.1 + 2) }
    var changes: [String] = []
    let repaired = try Geometry(polygons: [[Self.square], [other], [Self.bowTie]])
      .repaired(reporting: &changes)
    #expect(repaired.kind == .multiPolygon && repaired.polygonRings.count == 3)
    #expect(abs(repaired.planarArea - (16 + 16 - 4 + 8)) < 1e-12)
    #expect(changes.count == 2 && changes[0].hasPrefix("polygon 3: the outer ring crosses itself"))
    #expect(changes[1].hasPrefix("polygons 1 and 2 overlap at longitude"))
    #expect(changes[1].hasSuffix("4 polygons were merged into 3"))
  }

  @Test func otherMembersAndAltitudesAreKept() throws {
    let text = """
      {"type":"GeometryCollection","geometries":[
      {"type":"MultiPoint","coordinates":[[1,2,3],[4,5]]},
      {"type":"Polygon","coordinates":[[[0,0,1],[4,0,2],[4,4,3],[0,4,4]]]},
      {"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[1,2],[3,4]]},
      {"type":"Polygon","coordinates":[]}]}]}
      """
    let repaired = try #require(Geometry(json: text)).repaired()
    let closed = text.replacing("[0,4,4]]]", with: "[0,4,4],[0,0,1]]]")
    #expect(repaired == Geometry(json: closed))
  }

  @Test func whatCannotBeRepairedIsRejected() throws {
    for (text, kind) in [
      (#"{"type":"LineString","coordinates":[[1,2]]}"#, GeometryError.Kind.tooFewPoints),
      (#"{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}"#, .tooFewPoints),
      (#"{"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]}"#, .selfIntersection),
      (#"{"type":"Polygon","coordinates":[[[1,2],[3,94],[5,6],[1,2]]]}"#, .outOfRange),
    ] {
      let geometry = try #require(Geometry(json: text))
      let error = #expect(throws: GeometryError.self, "\(text)") { try geometry.repaired() }
      #expect(error?.kind == kind, "\(text)")
    }
  }

  /// Random multipolygons: points in any of the repaired polygons are in the result, and no others.
  @Test(arguments: [5401, 5402] as [UInt64])
  func theAreaIsThatOfAnyPolygon(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(75, long: 150) {
      let polygons = (0..<random.int(2...4)).map { _ in
        let ring = (0..<random.int(3...6)).map { _ in
          (Double(random.int(0...8)), Double(random.int(0...8)))
        }
        return [ring + [ring[0]]]
      }
      let parts = polygons.compactMap { try? Geometry(polygons: [$0]).repaired() }
      guard parts.count == polygons.count else { continue }
      let repaired = try Geometry(polygons: polygons).repaired()
      for _ in 0..<40 {
        let (x, y) = (random.double(0...8), random.double(0...8))
        let inParts = parts.map { $0.planarContains(x, y) }
        guard !inParts.contains(nil) else { continue }
        #expect(
          repaired.planarContains(x, y) == inParts.contains(true), "\(polygons) seed \(seed)")
      }
    }
  }
}
