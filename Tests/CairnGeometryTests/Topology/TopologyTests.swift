import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// Simplification of geometries that share borders.
@Suite struct TopologyTests {
  private static let rules: [Simplification] = Simplification.Method.allCases.flatMap { method in
    [0, 0.03, 0.3, 0.8].flatMap { share in
      [false, true].map { Simplification(.share(share), method: method, keepsSmallRings: $0) }
    }
      + [0, 20, 300, 3000].compactMap(Distance.kilometers).map {
        Simplification(.tolerance($0), method: method)
      }
  }

  @Test(arguments: rules)
  func coveragesStayCoverages(rule: Simplification) throws {
    for seed: UInt64 in 1...4 {
      let given = RandomCoverage(count: 5, details: 30, seed: seed).geometries
      let result = Geometry.simplified(given, by: rule)
      for geometry in given + result { try geometry.validate(edges: .planar) }
      let borders = Borders(result)
      // Each edge within the world has one polygon on either side, so that borders are the same.
      #expect(borders.isClosed)
      #expect(abs(borders.area - 360 * 180) < 360 * 180 * 1e-9)
      #expect(borders.points.isSubset(of: Borders(given).points))
      if rule.keepsSmallRings { #expect(result.allSatisfy { !$0.isEmpty }) }
    }
  }

  @Test func sharesOfVerticesAreKept() {
    let given = RandomCoverage(count: 6, details: 40, seed: 9).geometries
    let fixed = Borders(Geometry.simplified(given, by: Simplification(.share(0)))).points.count
    let all = Borders(given).points.count
    for method in Simplification.Method.allCases {
      let result = Geometry.simplified(given, by: Simplification(.share(0.25), method: method))
      let kept = Borders(result).points.count
      #expect(abs(Double(kept - fixed) / Double(all - fixed) - 0.25) < 0.05)
    }
  }

  /// All vertices are kept, with altitudes, in geometries of any kind, and nothing breaks others.
  @Test func anyGeometry() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<25 {
      let given = (0..<8).map { _ in Geometry.random(&random) }
      #expect(Geometry.simplified(given, by: Simplification(.share(1))) == given)
      for rule in Self.rules {
        for geometry in Geometry.simplified(given, by: rule) {
          try geometry.withView { (view) throws(GeometryError) in try view.checkPaths() }
        }
      }
    }
  }

  /// Every vertex that is left out is within the tolerance of the new outline.
  @Test(arguments: [1.0, 20, 100, 400])
  func theToleranceHolds(kilometers: Double) throws {
    let tolerance = try #require(Distance.kilometers(kilometers))
    let rule = Simplification(
      .tolerance(tolerance), method: .douglasPeucker, keepsSmallRings: true)
    for seed: UInt64 in 1...4 {
      let given = RandomCoverage(count: 5, details: 40, seed: seed).geometries
      for (old, new) in zip(given, Geometry.simplified(given, by: rule)) {
        for (oldRing, newRing) in zip(old.rings, new.rings) {
          for point in oldRing {
            let distance =
              zip(newRing, newRing.dropFirst())
              .map { Self.distance(point, from: $0, to: $1) }.min() ?? .infinity
            #expect(distance <= tolerance.asMeters() * (1 + 1e-9))
          }
        }
      }
    }
  }

  /// The distance of a point from a segment, by the angle between them.
  private static func distance(_ point: PlanePoint, from a: PlanePoint, to b: PlanePoint) -> Double
  {
    let scale = cosine(point.y.inRadians)
    func length(_ p: PlanePoint, _ q: PlanePoint) -> Double {
      let (x, y) = ((p.x - q.x) * scale, p.y - q.y)
      return (x * x + y * y).squareRoot() * Sphere.radius * .pi / 180
    }
    let (ab, ap, bp) = (length(a, b), length(a, point), length(b, point))
    if ab == 0 || ap * ap + ab * ab <= bp * bp || bp * bp + ab * ab <= ap * ap {
      return min(ap, bp)
    }
    let half = (ab + ap + bp) / 2
    let square = half * (half - ab) * (half - ap) * (half - bp)
    return 2 * max(0, square).squareRoot() / ab
  }

  /// A line does not move over an island, and the island is not lost on land.
  @Test(arguments: Simplification.Method.allCases)
  func islandsStayOnTheirSide(method: Simplification.Method) throws {
    let coast = try Geometry(wkt: "LINESTRING (0 0, 5 5, 10 0)")
    let island = try Geometry(wkt: "POLYGON ((5 2, 5.1 2, 5 2.1, 5 2))")
    let keeping = Simplification(.share(0), method: method, keepsSmallRings: true)
    #expect(Geometry.simplified([coast, island], by: keeping) == [coast, island])
    let both = Geometry.simplified([coast, island], by: Simplification(.share(0), method: method))
    #expect(
      both == [try Geometry(wkt: "LINESTRING (0 0, 10 0)"), try Geometry(wkt: "POLYGON EMPTY")])
  }

  /// Two rings with the same two junctions do not become the same edge.
  @Test func lensesKeepTheirArea() throws {
    let lens = try Geometry(wkt: "POLYGON ((0 0, 1 -0.1, 2 0, 1 0.1, 0 0))")
    let south = try Geometry(wkt: "POLYGON ((0 0, 0 -5, 2 -5, 2 0, 1 -0.1, 0 0))")
    let north = try Geometry(wkt: "POLYGON ((0 0, 1 0.1, 2 0, 2 5, 0 5, 0 0))")
    let result = Geometry.simplified([lens, south, north], by: Simplification(.share(0)))
    for geometry in result { try geometry.validate(edges: .planar) }
    #expect(result.allSatisfy { !$0.isEmpty })
  }

  @Test func verticesOnTheAntimeridianAndThePolesAreKept() throws {
    let east = try Geometry(wkt: "POLYGON ((170 0, 180 0, 180 5, 180 10, 175 10, 170 10, 170 0))")
    let west = try Geometry(wkt: "POLYGON ((-180 0, -170 0, -170 10, -180 10, -180 5, -180 0))")
    let result = Geometry.simplified([east, west], by: Simplification(.share(0)))
    func latitudes(_ geometry: Geometry) -> [Double] {
      geometry.rings.joined().filter { abs($0.x) == 180 }.map(\.y).sorted()
    }
    #expect(Set(latitudes(result[0])) == [0, 5, 10] && Set(latitudes(result[1])) == [0, 5, 10])
  }

  @Test(
    .enabled(if: SharedData.isAvailable, "\(SharedData.reason)"),
    arguments: Simplification.Method.allCases.map { Simplification(.share(0.1), method: $0) })
  func countries(rule: Simplification) throws {
    let path = "\(SharedData.root ?? "")/data/countries_50m.geojson"
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    let features = (json as? [String: Any])?["features"] as? [[String: Any]] ?? []
    let given = features.compactMap { Geometry(json: $0["geometry"]) }
    #expect(given.count == features.count && given.count > 200)
    let result = Geometry.simplified(given, by: rule)
    // Some countries of the file break a rule already.
    for (old, new) in zip(given, result) where (try? old.validate(edges: .planar)) != nil {
      #expect(throws: Never.self) { try new.validate(edges: .planar) }
    }
    #expect(Borders(given).repeatedCount == 0 && Borders(result).repeatedCount == 0)
  }
}

/// The edges of polygons, each in its direction.
private struct Borders {
  private struct Edge: Hashable {
    let start: PlanePoint
    let end: PlanePoint
  }

  private var edges: Set<Edge> = []
  /// The number of edges that polygons have in the same direction, and so overlap.
  private(set) var repeatedCount = 0
  /// The sum of the areas in square degrees; holes count negative.
  private(set) var area = 0.0

  init(_ geometries: [Geometry]) {
    for ring in geometries.flatMap(\.rings) {
      for (a, b) in zip(ring, ring.dropFirst()) {
        if !edges.insert(Edge(start: a, end: b)).inserted { repeatedCount += 1 }
        area += (b.x - a.x) * (a.y + b.y) / -2
      }
    }
  }

  var points: Set<PlanePoint> { Set(edges.map(\.start)) }

  /// Whether each edge that is not on the border of the world occurs once in each direction.
  var isClosed: Bool {
    repeatedCount == 0
      && edges.allSatisfy { edge in
        let isOuter =
          (abs(edge.start.x) == 180 && edge.start.x == edge.end.x)
          || (abs(edge.start.y) == 90 && edge.start.y == edge.end.y)
        return isOuter || edges.contains(Edge(start: edge.end, end: edge.start))
      }
  }
}

extension Geometry {
  /// The rings of all polygons.
  fileprivate var rings: [[PlanePoint]] {
    withView { view in
      view.parts.flatMap { part -> [[PlanePoint]] in
        guard case .polygon(let rings) = part else { return [] }
        return rings.map { ring in
          ring.map { PlanePoint(x: view.longitude($0), y: view.latitude($0)) }
        }
      }
    }
  }
}
