import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

@Suite(.tags(.untrusted)) struct GeometryValidationTests {
  private func fault(
    of geometry: Geometry, edges: GeoPolygon.Edges = .planar
  ) -> GeometryError? {
    do throws(GeometryError) {
      try geometry.validate(edges: edges)
      return nil
    } catch {
      return error
    }
  }

  private static func square(_ x: Double, _ y: Double, _ size: Double) -> [(Double, Double)] {
    [(x, y), (x + size, y), (x + size, y + size), (x, y + size), (x, y)]
  }

  // MARK: Polygons of a multipolygon

  @Test(arguments: [GeoPolygon.Edges.planar, .geodesic])
  func polygonsMustNotOverlap(edges: GeoPolygon.Edges) throws {
    let square = Self.square
    let valid = [
      [[square(0, 0, 4)], [square(5, 5, 2)]],
      [[square(0, 0, 4)], [[(4, 4), (6, 4), (6, 6), (4, 4)]]],
      [[square(0, 0, 10), square(2, 2, 6)], [square(4, 4, 2)]],
      [[square(0, 0, 10), square(2, 2, 6)], [[(2, 2), (5, 4), (4, 5), (2, 2)]]],
    ]
    for polygons in valid {
      let geometry = Geometry(polygons: polygons)
      #expect(fault(of: geometry, edges: edges) == nil, "\(polygons)")
    }
    let overlapping = [
      [[square(0, 0, 4)], [square(2, 2, 4)]], [[square(0, 0, 9)], [square(2, 2, 2)]],
      [[square(2, 2, 2)], [square(0, 0, 9)]],
      [[square(0, 0, 10), square(2, 2, 6)], [square(1, 1, 8)]],
      // Every vertex of the second is on the boundary of the first.
      [[square(0, 0, 4)], [[(0, 0), (4, 0.5), (4, 4), (0, 3.5), (0, 0)]]],
      // The boundaries cross in a vertex that both have.
      [
        [[(0, 0), (4, 0), (2, 2), (4, 4), (0, 4), (0, 0)]],
        [[(1, 1.5), (2, 2), (1, 2.5), (1, 1.5)]],
      ],
    ]
    for polygons in overlapping {
      let error = fault(of: Geometry(polygons: polygons), edges: edges)
      #expect(error?.kind == .overlap || error?.kind == .sharedEdge, "\(polygons)")
      #expect(error?.polygon == 1 && error?.location != nil, "\(polygons)")
    }
    let message = fault(of: Geometry(polygons: overlapping[0]), edges: edges)?.message ?? ""
    #expect(message.hasPrefix("polygons 1 and 2 overlap at longitude"), "\(message)")
  }

  @Test func polygonsMustNotShareAnEdge() {
    let polygons = [[Self.square(0, 0, 4)], [Self.square(9, 9, 1)], [Self.square(4, 1, 2)]]
    let error = fault(of: Geometry(polygons: polygons))
    #expect(error?.kind == .sharedEdge && error?.polygon == 2)
    #expect(error?.message.hasPrefix("polygons 1 and 3 share an edge at") == true)
  }

  @Test func faultsNameThePolygonAndTheRing() {
    let bowTie = [(30.0, 0.0), (34, 4), (34, 0), (30, 4), (30, 0)]
    let hole = Self.square(50, 50, 1)
    #expect(fault(of: Geometry(polygons: [[Self.square(0, 0, 1)], [bowTie]]))?.polygon == 1)
    let outside = fault(
      of: Geometry(polygons: [[Self.square(0, 0, 1)], [Self.square(9, 9, 1), hole]]))
    #expect(outside?.kind == .holeOutsideOuterRing && outside?.polygon == 1 && outside?.ring == 1)
  }

  /// Polygons all over the earth, which fit into no hemisphere together.
  @Test func farPolygonsAreComparedWithTheirNeighbours() {
    let squares = stride(from: -170.0, to: 170, by: 20).map { [Self.square($0, 0, 4)] }
    #expect(fault(of: Geometry(polygons: squares), edges: .geodesic) == nil)
    let more = squares + [[Self.square(12, 2, 4)]]
    let error = fault(of: Geometry(polygons: more), edges: .geodesic)
    #expect(error?.kind == .overlap && error?.polygon == more.count - 1)
  }

  @Test func membersOfACollectionMayOverlap() throws {
    let text = """
      {"type":"GeometryCollection","geometries":[
      {"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,0]]]},
      {"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,0]]]}]}
      """
    #expect(fault(of: try #require(Geometry(json: text))) == nil)
  }

  // MARK: GEOS

  /// Random rings on a small grid, so that they touch and overlap in every way.
  @Test(arguments: [5101, 5102] as [UInt64])
  func agreesWithGEOSOnOneRing(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var valid = 0
    for _ in 0..<Soak.count(1500, long: 3000) {
      let ring = Self.randomRing(&random, width: 6, count: random.int(3...7))
      let geometry = Geometry(rings: [ring])
      let error = fault(of: geometry)
      let expected = try GEOSOracle.fault([Self.plane(ring)])
      #expect((error == nil) == (expected == nil), "\(ring) \(expected ?? "") seed \(seed)")
      // The same without the quick check.
      let check = RingCheck(PlaneImage(written: [Self.plane(ring)]))
      #expect((check.fault() == nil) == (error == nil), "\(ring) seed \(seed)")
      if error == nil { valid += 1 }
    }
    #expect(valid > Soak.count(200, long: 500))
  }

  @Test(arguments: [5111, 5112, 5113] as [UInt64])
  func agreesWithGEOSOnSeveralPolygons(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let context = try GEOSContext()
    var (valid, compared) = (0, 0)
    while compared < Soak.count(500, long: 1500) {
      var polygons: [[[(Double, Double)]]] = []
      for _ in 0..<random.int(2...3) {
        let ring = Self.randomRing(&random, width: random.int(3...12), count: random.int(3...5))
        if fault(of: Geometry(rings: [ring])) == nil { polygons.append([ring]) }
      }
      guard polygons.count > 1 else { continue }
      let geometry = Geometry(polygons: polygons)
      let copy = try geometry.withView { try GEOSGeometry.copy($0, in: context) }
      let expected = try copy?.validity
      let error = fault(of: geometry)
      #expect(
        (error == nil) == (expected == true), "\(polygons) \(error?.message ?? "") seed \(seed)")
      compared += 1
      if error == nil { valid += 1 }
    }
    #expect(valid > Soak.count(25, long: 100))
  }

  private static func randomRing(
    _ random: inout SplitMix64, width: Int, count: Int
  ) -> [(Double, Double)] {
    let ring = (0..<count).map { _ in
      (Double(random.int(0...width)), Double(random.int(0...width)))
    }
    return ring + [ring[0]]
  }

  private static func plane(_ ring: [(Double, Double)]) -> PlaneRing {
    PlaneRing(xs: ring.map(\.0), ys: ring.map(\.1))
  }

  // MARK: The truth

  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func theTruth() throws {
    var cases = 0
    for record in try Truth.records("geometry/validity", under: "cases") {
      guard let geometry = Geometry(json: record["geometry"]) else { continue }
      cases += 1
      let (name, expected) = (record.text("name"), record.text("default"))
      let error = fault(of: geometry)
      #expect((error != nil) == (expected == "refuse"), "\(name) \(error?.message ?? "")")
      #expect(geometry.isEmpty == (expected == "null"), "\(name)")
      if let error {
        let words = record["why"] as? [String] ?? []
        #expect(words.contains { error.message.contains($0) }, "\(name) \(error.message)")
      }
      if record.text("repair") == "store" { try checkRepair(of: geometry, record, name) }
    }
    #expect(cases > 38)
  }

  private func checkRepair(of geometry: Geometry, _ record: Truth.Record, _ name: String) throws {
    var changes: [String] = []
    let repaired = try geometry.repaired(reporting: &changes)
    #expect(fault(of: repaired) == nil && !changes.isEmpty, "\(name)")
    let probe = record.doubles("probe")
    #expect(repaired.planarContains(probe[0], probe[1]) == true, "\(name) \(changes)")
  }

  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func countriesAreValidButIndia() throws {
    for (id, country) in try TruthClasses.objects("Countries50") {
      let error = fault(of: country)
      #expect((error != nil) == (id == "IND"), "\(id) \(error?.message ?? "")")
      guard let error else { continue }
      #expect(error.message.contains("longitude 78.719727"), "\(error.message)")
      var changes: [String] = []
      let repaired = try country.repaired(reporting: &changes)
      #expect(fault(of: repaired) == nil)
      #expect(abs(repaired.planarArea - country.planarArea) < 1e-6, "\(changes)")
    }
  }
}
