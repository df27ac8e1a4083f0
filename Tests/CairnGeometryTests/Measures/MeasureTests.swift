import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

@Suite struct MeasureTests {
  /// A degree of the equator is the only length that is known without tables: a turn of the
  /// equatorial radius.
  @Test func aLineAlongTheEquator() throws {
    let line = try #require(
      Geometry(json: #"{"type":"LineString","coordinates":[[0,0],[1,0],[2,0]]}"#))
    let expected = 2 * 6_378_137 * Double.pi / 180
    #expect(abs(try line.length - expected) < 1e-6)
    #expect(try line.area == 0)
  }

  /// An eighth of the ellipsoid, whose area has a closed formula.
  @Test func anOctant() throws {
    let octant = Geometry(rings: [[(0, 0), (90, 0), (0, 90), (0, 0)]])
    let (a, f) = (6_378_137.0, 1 / 298.257_223_563)
    let b = a * (1 - f)
    let e = (f * (2 - f)).squareRoot()
    let whole = 2 * Double.pi * (a * a + b * b * atanh(e) / e)
    #expect(abs(try octant.area / (whole / 8) - 1) < 1e-12)
    #expect(try octant.length == 0)
  }

  @Test func directionsDoNotMatterAndHolesAreTakenOff() throws {
    let outer = [(10.0, 20.0), (20, 20), (20, 30), (10, 30), (10, 20)]
    let hole = [(12.0, 22.0), (14, 22), (14, 24), (12, 24), (12, 22)]
    let whole = try Geometry(rings: [outer]).area
    let cut = try Geometry(rings: [hole]).area
    for rings in [[outer, hole], [outer.reversed(), hole], [outer, hole.reversed()]] {
      #expect(abs(try Geometry(rings: rings).area - (whole - cut)) < 1)
    }
    #expect(abs(try Geometry(polygons: [[outer], [hole]]).area - (whole + cut)) < 1)
  }

  @Test func aGeometryHasNoMeasureOfAnotherKind() throws {
    let ellipsoid = try Ellipsoid.wgs84()
    for (text, hasArea, hasLength) in [
      (#"{"type":"Point","coordinates":[1,2]}"#, false, false),
      (#"{"type":"MultiPolygon","coordinates":[]}"#, false, false),
      (#"{"type":"LineString","coordinates":[[1,2],[1,2]]}"#, false, true),
      (#"{"type":"Polygon","coordinates":[[[1,2],[3,2],[3,4],[1,2]]]}"#, true, false),
    ] {
      let geometry = try #require(Geometry(json: text))
      #expect((geometry.withView { ellipsoid.area(of: $0) } != nil) == hasArea, "\(text)")
      #expect((geometry.withView { ellipsoid.length(of: $0) } != nil) == hasLength, "\(text)")
    }
  }

  @Test func manyThreadsMeasure() async throws {
    let octant = Geometry(rings: [[(0, 0), (90, 0), (0, 90), (0, 0)]])
    let expected = try octant.area
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask { (0..<500).allSatisfy { _ in (try? octant.area) == expected } }
      }
      for await isSame in group { #expect(isSame) }
    }
  }

  /// Areas and lengths that PROJ, GeographicLib and PostGIS agree on.
  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func theTruth() throws {
    let root = try #require(SharedData.root)
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(root)/truth/geometry/measures.json"))
    let all = try JSONSerialization.jsonObject(with: data) as? Truth.Record
    let ellipsoid = try Ellipsoid.wgs84()
    var compared = 0
    for (name, rows) in all?["classes"] as? [String: [[Any]]] ?? [:] {
      let geometries = Dictionary(
        try TruthClasses.objects(name).map { ($0.id, $0.geometry) }, uniquingKeysWith: { $1 })
      for row in rows {
        // Some features have no geometry, and so no measure.
        let geometry = geometries["\(row[0])"]
        let area = geometry?.withView { ellipsoid.area(of: $0) }
        let length = geometry?.withView { ellipsoid.length(of: $0) }
        #expect(Self.isNear(area, row[1], tolerance: 0.05), "\(name) \(row[0]) area")
        #expect(Self.isNear(length, row[2], tolerance: 1e-6), "\(name) \(row[0]) length")
        compared += 1
      }
    }
    #expect(compared > 6500)
  }

  private static func isNear(_ value: Double?, _ expected: Any, tolerance: Double) -> Bool {
    guard let expected = (expected as? NSNumber)?.doubleValue else { return value == nil }
    guard let value else { return false }
    return abs(value - expected) <= max(tolerance, 1e-9 * abs(expected))
  }
}

@Suite struct CentroidTests {
  private func centroid(_ text: String) -> GeoPoint? { Geometry(json: text)?.centroid }

  @Test func onlyTheHighestDimensionCounts() {
    let all = """
      {"type":"GeometryCollection","geometries":[
      {"type":"Point","coordinates":[50,50]},
      {"type":"LineString","coordinates":[[40,40],[60,40]]},
      {"type":"Polygon","coordinates":[[[0,0],[4,0],[4,2],[0,2],[0,0]]]}]}
      """
    #expect(centroid(all) == GeoPoint(latitude: 1, longitude: 2))
    let flat = all.replacing("[4,2],[0,2]", with: "[4,0],[2,0]")
    // Without an area, the outline counts as lines do: 8 degrees of it, and 20 of the line.
    #expect(
      centroid(flat) == GeoPoint(latitude: 800.0 / 28, longitude: (8.0 * 2 + 20 * 50) / 28))
    #expect(
      centroid(#"{"type":"MultiPoint","coordinates":[[1,2],[3,2],[2,5]]}"#)
        == GeoPoint(latitude: 3, longitude: 2))
    #expect(centroid(#"{"type":"MultiPoint","coordinates":[]}"#) == nil)
  }

  @Test func partsOnBothSidesOfTheAntimeridianJoin() throws {
    let box = Geometry(polygons: [
      [[(170, 0), (180, 0), (180, 2), (170, 2), (170, 0)]],
      [[(-180, 0), (-176, 0), (-176, 2), (-180, 2), (-180, 0)]],
    ])
    let centroid = try #require(box.centroid)
    #expect(abs(centroid.longitude - 177) < 1e-9 && abs(centroid.latitude - 1) < 1e-9)
  }

  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func agreesWithGEOS() throws {
    let context = try GEOSContext()
    let library = try GEOSPointLibrary.shared()
    var compared = 0
    for name in ["Countries50", "Mixed", "Tracks", "Cells"] {
      for (id, geometry) in try TruthClasses.objects(name) where id != "FJI" && id != "RUS" {
        let copy = try geometry.withView { try GEOSGeometry.copy($0, in: context) }
        guard let expected = try copy?.centroid(library) else {
          #expect(geometry.centroid == nil)
          continue
        }
        let centroid = try #require(geometry.centroid, "\(name) \(id)")
        #expect(abs(centroid.longitude - expected.longitude) < 1e-8, "\(name) \(id)")
        #expect(abs(centroid.latitude - expected.latitude) < 1e-8, "\(name) \(id)")
        compared += 1
      }
    }
    #expect(compared > 5000)
  }
}
