import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

@Suite(.tags(.untrusted)) struct ValidationTests {
  private func fault(of polygon: GeoPolygon) -> GeometryError? {
    do throws(GeometryError) {
      try polygon.validate()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [GeoPolygon.Edges.planar, .geodesic])
  func ordinaryPolygonsAreValid(edges: GeoPolygon.Edges) throws {
    let polygon = try #require(
      GeoPolygon(
        outerRing: PolygonTests.outer, holes: [PolygonTests.hole, PolygonTests.hole2],
        edges: edges))
    #expect(fault(of: polygon) == nil)
    #expect(fault(of: polygon) == nil)
  }

  @Test(arguments: [GeoPolygon.Edges.planar, .geodesic])
  func aBowTieCrossesItself(edges: GeoPolygon.Edges) throws {
    let polygon = try #require(
      GeoPolygon(outerRing: [(0, 0), (0, 10), (10, 0), (10, 10), (0, 0)], edges: edges))
    let error = try #require(fault(of: polygon))
    #expect(error.kind == .selfIntersection)
    let location = try #require(error.location)
    #expect(abs(location.longitude - 5) < 0.1 && abs(location.latitude - 5) < 0.1)
    #expect(error.polygon == 0)
  }

  @Test func holesMustLieInside() throws {
    let polygon = try #require(
      GeoPolygon(
        outerRing: PolygonTests.outer, holes: [(0, 0), (0, 1), (1, 1), (0, 0)], edges: .planar))
    #expect(fault(of: polygon)?.kind == .holeOutsideOuterRing)
  }

  @Test func moreThanAHemisphereIsRejected() throws {
    let polygon = try #require(
      GeoPolygon(outerRing: [(0, 0), (0, 100), (0, -100), (0, 0)]))
    #expect(fault(of: polygon)?.kind == .beyondHemisphere)
  }

  /// Cases with the answers of other tools: each valid polygon is accepted, and each broken rule is
  /// reported.
  @Test(arguments: [GeoPolygon.Edges.planar, .geodesic])
  func casesOfTheTruth(edges: GeoPolygon.Edges) throws {
    let cases = try Truth.kept("polygon_validation", under: "cases")
    #expect(cases.count > 20)
    for record in cases {
      guard let valid = record["valid"] as? Truth.Record, let expected = valid["\(edges)"] as? Bool
      else { continue }
      let rule = record["rule"] as? String
      guard rule != "finite", rule != "range" else { continue }
      let error = fault(ofPolygon: polygons([record["coordinates"] as Any]), edges)
      #expect((error == nil) == expected, "\(record.text("id")) \(error?.message ?? "")")
      if !expected { #expect(error?.kind.rawValue == rule, "\(record.text("id"))") }
      if expected, edges == .geodesic { try checkProbes(of: record) }
    }
  }

  private func fault(ofPolygon rings: [[[GeoPoint]]], _ edges: GeoPolygon.Edges) -> GeometryError? {
    do throws(GeometryError) {
      return fault(of: try GeoPolygon(polygons: rings, edges: edges))
    } catch {
      return error
    }
  }

  private func checkProbes(of record: Truth.Record) throws {
    let polygon = try GeoPolygon(
      polygons: polygons([record["coordinates"] as Any]), edges: .geodesic)
    for probe in record["probes_geodesic"] as? [[Any]] ?? [] {
      guard let x = (probe[0] as? NSNumber)?.doubleValue,
        let y = (probe[1] as? NSNumber)?.doubleValue, let isInside = probe[2] as? Bool
      else { continue }
      #expect(
        polygon.region.contains(longitude: x, latitude: y) == isInside, "\(record.text("id"))")
    }
  }

  @Test func errorsNameTheRing() throws {
    let ring = PolygonTests.outer.compactMap { GeoPoint($0) }
    func failure(_ rings: [[GeoPoint]]) -> GeometryError? {
      do throws(GeometryError) {
        _ = try GeoPolygon(polygons: [[ring], rings], edges: .planar)
        return nil
      } catch {
        return error
      }
    }
    #expect(failure([ring, Array(ring.dropLast())])?.kind == .closed)
    #expect(failure([ring, Array(ring.dropLast())])?.ring == 1)
    #expect(failure([ring, Array(ring.dropLast())])?.polygon == 1)
    #expect(failure([ring, []])?.kind == .emptyHole)
    #expect(failure([[ring[0], ring[1], ring[0]]])?.kind == .tooFewPoints)
    #expect(failure([])?.kind == .tooFewPoints)
  }
}
