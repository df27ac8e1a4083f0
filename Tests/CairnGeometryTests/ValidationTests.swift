import Testing

@testable import CairnGeometry

@Suite struct ValidationTests {
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
    let place = try #require(error.place)
    #expect(abs(place.longitude - 5) < 0.1 && abs(place.latitude - 5) < 0.1)
    #expect(error.polygon == 0)
  }

  @Test func holesLieInside() throws {
    let polygon = try #require(
      GeoPolygon(
        outerRing: PolygonTests.outer, holes: [(0, 0), (0, 1), (1, 1), (0, 0)], edges: .planar))
    #expect(fault(of: polygon)?.kind == .holeOutsideOuterRing)
  }

  @Test func morethanAHemisphereIsRefused() throws {
    let polygon = try #require(
      GeoPolygon(outerRing: [(0, 0), (0, 100), (0, -100), (0, 0)]))
    #expect(fault(of: polygon)?.kind == .beyondHemisphere)
  }

  @Test func ringsAreNamed() throws {
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
