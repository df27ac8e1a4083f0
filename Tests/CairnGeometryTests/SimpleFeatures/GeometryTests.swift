import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct GeometryTests {
  static func point(_ latitude: Double, _ longitude: Double, _ altitude: Double = 0) throws
    -> GeoPoint
  {
    try #require(GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude))
  }

  @Test func pointsAndBack() throws {
    let plain = try Self.point(47.25, 8.5)
    let high = try Self.point(1.0 / 3, -2.0 / 7, 431.25)
    #expect(Geometry(plain).point == plain)
    #expect(Geometry(high).point == high)
    #expect(Geometry(high).hasAltitudes && !Geometry(plain).hasAltitudes)
    #expect(Geometry(plain).kind == .point && Geometry(plain).vertexCount == 1)
    #expect(Geometry(plain).lineString == nil && Geometry(plain).polygon() == nil)
    #expect(Geometry(plain).members.isEmpty)
    let several = Geometry(points: [plain, high])
    #expect(several.kind == .multiPoint && several.point == nil)
    #expect(several.points == [plain, high])
    #expect(several.members == [Geometry(plain), Geometry(high)])
    #expect(Geometry(points: []).isEmpty)
  }

  @Test func linesAndPolygonsAndBack() throws {
    let locations = try [Self.point(1, 2), Self.point(3, 4), Self.point(3, 5)]
    let line = try #require(GeoLineString(locations))
    #expect(Geometry(line).lineString == line)
    #expect(Geometry(lines: [line, line]).members.map(\.lineString) == [line, line])
    let outer = locations + [locations[0]]
    let hole = try [Self.point(1.5, 2.5, 7), Self.point(2, 3), Self.point(2, 3.1)]
    let polygon = try #require(GeoPolygon(outerRing: outer, holes: [hole + [hole[0]]]))
    #expect(Geometry(polygon).polygon() == polygon)
    #expect(Geometry(polygon).polygon(edges: .planar) != polygon)
    #expect(Geometry(polygon).vertexCount == 8)
    let several = Geometry(polygons: [polygon, polygon])
    #expect(several.kind == .multiPolygon)
    let both = try #require(several.polygon())
    #expect(both.polygons == [polygon.polygons[0], polygon.polygons[0]])
    #expect(Geometry(both) == several)
    let collection = try Geometry(members: [Geometry(line), several, Geometry(points: [])])
    #expect(collection.members == [Geometry(line), several, Geometry(points: [])])
    #expect(collection.polygon() == nil)
    #expect(Geometry(both).hashValue == several.hashValue)
  }

  @Test func nestingIsLimited() throws {
    var geometry = Geometry(try Self.point(1, 2))
    for _ in 1..<GeometryView.maxNestingDepth { geometry = try Geometry(members: [geometry]) }
    #expect(geometry.withView { $0.nestingDepth } == GeometryView.maxNestingDepth)
    #expect(throws: GeometryError.self) { try Geometry(members: [geometry]) }
  }

  /// The error of a ring, which is the outer one of the second polygon of two.
  private static func error(_ vertices: [(Double, Double)]) throws -> GeometryError? {
    var builder = GeometryBuilder()
    builder.begin(.multiPolygon)
    for ring in [[(0, 0), (1, 0), (1, 1), (0, 0)], vertices] {
      builder.begin(.polygon)
      builder.beginRing()
      for (x, y) in ring { builder.add(longitude: x, latitude: y) }
      builder.endRing()
      builder.end()
    }
    builder.end()
    do throws(GeometryError) {
      _ = try Geometry(builder)
    } catch {
      return error
    }
    return nil
  }

  @Test func brokenRulesAreNamed() throws {
    let open = try #require(try Self.error([(0, 0), (1, 0), (1, 1), (0, 1)]))
    #expect(open.kind == .closed && open.polygon == 1 && open.ring == 0)
    #expect(
      open.message
        == "the outer ring of polygon 2 is not closed: it begins at longitude 0.0, latitude 0.0"
        + " and ends at longitude 0.0, latitude 1.0")
    let short = try #require(try Self.error([(0, 0), (1, 0), (0, 0)]))
    #expect(short.kind == .tooFewPoints)
    #expect(
      short.message
        == "the outer ring of polygon 2 has 3 points; a ring needs at least 4, the last repeating"
        + " the first")
    #expect(try Self.error([])?.message == "the outer ring of polygon 2 has no points")
    let far = try #require(try Self.error([(0, 0), (1, 95.5), (1, 1), (0, 0)]))
    #expect(far.kind == .outOfRange)
    #expect(
      far.message
        == "point 2 of the outer ring of polygon 2 has a latitude of 95.5, expected a number of"
        + " -90 to 90; latitude and longitude may be swapped")
    #expect(try Self.error([(0, 0), (.nan, 1), (1, 1), (0, 0)])?.kind == .notFinite)
    #expect(try Self.error([(0, 0), (-.infinity, 1), (1, 1), (0, 0)])?.kind == .notFinite)
    #expect(try Self.error([(0, 0), (-180.0000001, 1), (1, 1), (0, 0)])?.kind == .outOfRange)
    #expect(try Self.error([(0, 0), (180, 1), (1, 1), (0, 0)]) == nil)
  }
}
