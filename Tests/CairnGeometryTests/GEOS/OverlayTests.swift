import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct OverlayTests {
  @Test(arguments: [5201, 5202] as [UInt64])
  func areasAddUpAndPointsAgree(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(30, long: 60) {
      let (a, b) = (random.stars(), random.stars())
      let (both, all, rest) = (try a.intersection(b), try a.union(b), try a.difference(b))
      let sum = a.planarArea + b.planarArea
      #expect(abs(sum - both.planarArea - all.planarArea) < 1e-9, "seed \(seed)")
      #expect(abs(a.planarArea - both.planarArea - rest.planarArea) < 1e-9, "seed \(seed)")
      for result in [both, all, rest] {
        #expect(throws: Never.self, "seed \(seed)") { try result.validate(edges: .planar) }
      }
      for _ in 0..<50 {
        let (x, y) = (random.double(0...20), random.double(2...18))
        guard let inA = a.planarContains(x, y), let inB = b.planarContains(x, y) else { continue }
        #expect(both.planarContains(x, y) == (inA && inB), "\(x) \(y) seed \(seed)")
        #expect(all.planarContains(x, y) == (inA || inB), "\(x) \(y) seed \(seed)")
        #expect(rest.planarContains(x, y) == (inA && !inB), "\(x) \(y) seed \(seed)")
      }
    }
  }

  /// Areas of overlays add up to those of the inputs, and the results are valid.
  @Test func areasOfManyPairs() throws {
    var random = SplitMix64(seed: 5203)
    var crossing = 0
    for round in 0..<5000 {
      let (a, b) = (random.stars(rays: 6...10), random.stars(rays: 6...10))
      let (both, all) = (try a.intersection(b), try a.union(b))
      let (rest, other) = (try a.difference(b), try b.difference(a))
      let either = try a.symmetricDifference(b)
      let areas = [a, b, both, all, rest, other, either].map(\.planarArea)
      let sums = [
        areas[2] + areas[4] - areas[0], areas[2] + areas[5] - areas[1],
        areas[0] + areas[1] - areas[2] - areas[3], areas[4] + areas[5] - areas[6],
      ]
      #expect(sums.allSatisfy { abs($0) < 1e-9 }, "\(round): \(sums)")
      #expect([both, all, rest, other, either].allSatisfy { $0.isValid }, "\(round)")
      if areas[2] > 0 { crossing += 1 }
    }
    #expect(crossing > 3000)
  }

  private let square = Geometry(rings: [[(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)]])

  /// The numbers of points, lines and polygons.
  private func counts(_ geometry: Geometry) -> [Int] {
    var counts = [0, 0, 0]
    geometry.withView { view in
      for part in view.parts {
        switch part {
        case .point: counts[0] += 1
        case .line: counts[1] += 1
        case .polygon: counts[2] += 1
        }
      }
    }
    return counts
  }

  /// A point outside of the square, one inside, a line across its edge, and a square that overlaps.
  private let collection = Geometry(
    json: """
      {"type":"GeometryCollection","geometries":[
      {"type":"Point","coordinates":[50,50]}, {"type":"Point","coordinates":[1,1]},
      {"type":"LineString","coordinates":[[-2,1],[2,1]]}, {"type":"Point","coordinates":[]},
      {"type":"Polygon","coordinates":[[[3,3],[7,3],[7,7],[3,7],[3,3]]]},
      {"type":"Polygon","coordinates":[[[5,5],[8,5],[8,8],[5,8],[5,5]]]}]}
      """)

  @Test func collectionsAreTakenPartByPart() throws {
    let collection = try #require(collection)
    let both = try collection.intersection(square)
    // The point lies on the line.
    #expect(counts(both) == [0, 1, 1])
    #expect(abs(both.planarArea - 1) < 1e-12)
    let all = try collection.union(square)
    #expect(counts(all) == [1, 1, 1])
    #expect(abs(all.planarArea - (16 + 16 + 9 - 4 - 1)) < 1e-12)
    let rest = try collection.difference(square)
    #expect(counts(rest) == [1, 1, 1])
    #expect(abs(rest.planarArea - (16 + 9 - 4 - 1)) < 1e-12)
    #expect(abs(try square.difference(collection).planarArea - 15) < 1e-12)
    #expect(counts(try collection.intersection(collection)) == [1, 1, 1])
    #expect(counts(try collection.difference(collection)) == [0, 0, 0])
  }

  @Test func touchingSquaresShareTheirEdge() throws {
    let other = Geometry(rings: [[(4, 0), (8, 0), (8, 4), (4, 4), (4, 0)]])
    #expect(counts(try square.intersection(other)) == [0, 1, 0])
    #expect(try square.union(other).planarArea == 32)
    #expect(try square.union(other).kind == .polygon)
  }

  @Test func emptyGeometriesHaveNothing() throws {
    let empty = try #require(Geometry(json: #"{"type":"Polygon","coordinates":[]}"#))
    #expect(try square.intersection(empty).isEmpty)
    #expect(try square.difference(empty).planarArea == 16)
    #expect(try empty.union(square).planarArea == 16)
    #expect(try empty.union(empty).isEmpty)
    #expect(try empty.convexHull().isEmpty)
    #expect(try empty.simplified(tolerance: 1).isEmpty)
  }

  @Test func invalidGeometriesAreRejected() throws {
    let bowTie = Geometry(rings: [[(0, 0), (4, 4), (4, 0), (0, 4), (0, 0)]])
    for operation in [Geometry.intersection, Geometry.union, Geometry.difference] {
      let error = #expect(throws: GeometryError.self) { try operation(square)(bowTie) }
      #expect(error?.kind == .selfIntersection)
      #expect(throws: GeometryError.self) { try operation(bowTie)(square) }
    }
    #expect(throws: GeometryError.self) { try bowTie.simplified(tolerance: 0.1) }
    #expect(throws: GeometryError.self) { try square.simplified(tolerance: -1) }
    #expect(throws: GeometryError.self) { try square.simplified(tolerance: .nan) }
    let beyond = Geometry(rings: [[(0, 0), (190, 4), (4, 0), (0, 0)]])
    #expect(throws: GeometryError.self) { try beyond.convexHull() }
  }

  @Test func theHullOfAllKinds() throws {
    let hull = try #require(collection).convexHull()
    #expect(hull.kind == .polygon)
    for (x, y) in [(49.9, 49.9), (1, 1.01), (7.9, 5.1)] {
      #expect(hull.planarContains(x, y) == true)
    }
    #expect(hull.planarContains(-2, 2) == false)
    let line = try #require(Geometry(json: #"{"type":"MultiPoint","coordinates":[[1,1],[2,2]]}"#))
    #expect(try line.convexHull().kind == .lineString)
  }

  @Test(arguments: [5211] as [UInt64])
  func simplifiedShapesStayClose(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      let shape = random.stars()
      let tolerance = random.double(0.01...0.5)
      let simple = try shape.simplified(tolerance: tolerance)
      #expect(simple.kind == shape.kind)
      let (before, after) = (shape.withView { $0.vertexCount }, simple.withView { $0.vertexCount })
      #expect(after <= before)
      for (x, y) in simple.polygonRings.joined().joined() {
        #expect(shape.planarContains(x, y, band: 1e-12) == nil, "a new vertex; seed \(seed)")
      }
      for (x, y) in shape.polygonRings.joined().joined()
      where simple.planarContains(x, y, band: tolerance * 1.0001) != nil {
        Issue.record("\(x) \(y) is farther away than \(tolerance); seed \(seed)")
      }
    }
  }

  @Test func altitudesAreKept() throws {
    let text = """
      {"type":"Polygon","coordinates":[[[0,0,10],[4,0,10],[4,4,30],[2,4.01,20],[0,4,30],[0,0,10]]]}
      """
    let shape = try #require(Geometry(json: text))
    let simple = try shape.simplified(tolerance: 0.1)
    simple.withView { view in
      #expect(view.vertexCount == 5)
      for index in 0..<view.vertexCount {
        #expect(view.altitude(index) == (view.latitude(index) == 0 ? 10 : 30))
      }
    }
    let cut = try shape.intersection(
      Geometry(rings: [[(-1, -1), (5, -1), (5, 2), (-1, 2), (-1, -1)]]))
    cut.withView { view in
      for index in 0..<view.vertexCount where view.latitude(index) == 0 {
        #expect(view.altitude(index) == 10)
      }
    }
    #expect(try square.convexHull().withView { !$0.hasAltitudes })
  }
}
