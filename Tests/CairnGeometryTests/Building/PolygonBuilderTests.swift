import Testing

@testable import CairnGeometry

@Suite struct PolygonDraftTests {
  private func ring(_ points: (Double, Double)...) -> PlaneRing {
    PlaneRing(xs: points.map(\.0), ys: points.map(\.1))
  }

  private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> PlaneRing {
    ring((west, south), (east, south), (east, north), (west, north), (west, south))
  }

  private func made(
    _ rings: [PlaneRing], _ edges: GeoPolygon.Edges = .planar,
    _ allowed: PolygonBuilder.Allowances = []
  ) throws -> (region: Region, changes: [String], count: Int) {
    var draft = PolygonBuilder(rings: rings)
    let polygons = try draft.polygons(edges: edges, allowing: allowed)
    let polygon = try GeoPolygon(polygons: polygons, edges: edges)
    try polygon.validate()
    return (polygon.region, draft.changes, polygons.count)
  }

  private func fault(
    _ rings: [PlaneRing], _ edges: GeoPolygon.Edges = .planar,
    _ allowed: PolygonBuilder.Allowances = []
  ) throws -> GeometryError {
    try #require(throws: GeometryError.self) { try made(rings, edges, allowed) }
  }

  // MARK: The antimeridian

  @Test func planarEdgesMustNotJump() throws {
    let jumping = [box(170, -10, -170, 10)]
    let error = try fault(jumping)
    #expect(error.kind == .antimeridian && error.ring == 0)
    #expect(error.message.contains("point 2") && error.message.contains("cut it there"))
    #expect(try made(jumping, .geodesic).region.contains(longitude: 175, latitude: 0))
    let hole = try fault([box(-179, -50, 0, 50), ring((-100, 0), (-90, 0), (91, 1), (-100, 0))])
    #expect(hole.kind == .antimeridian && hole.ring == 1)
  }

  @Test func theWholeWorldDoesNotJump() throws {
    let world = try made([box(-180, -90, 180, 90)])
    #expect(world.region.contains(longitude: 12, latitude: 90))
    #expect(
      world.region.classify(Envelope(west: -10, south: -10, east: 10, north: 10)) == .contained)
  }

  @Test func longitudesBeyondNeedAllowance() throws {
    let error = try fault([box(170, -10, 190, 10)])
    #expect(error.kind == .outOfRange && error.message.contains("longitude 190.0"))
    #expect(PolygonBuilder(rings: [box(170, -10, 190, 10)]).isBeyondAntimeridian)
    #expect(try fault([box(0, 0, 1, 90.5)], .planar, .wrapping).kind == .outOfRange)
    #expect(try fault([box(1e300, 0, 1e300, 1)], .planar, .wrapping).kind == .outOfRange)
    #expect(try fault([box(0, 0, .nan, 1)], .planar, .wrapping).kind == .notFinite)
    #expect(try fault([box(0, 0, 1, .infinity)], .geodesic).kind == .notFinite)
  }

  @Test(arguments: [0.0, 360, -360, 720])
  func wrappedRingsAreCut(turn: Double) throws {
    let wrapped = try made(
      [box(170 + turn, -10, 195 + turn, 10), box(178 + turn, -2, 184 + turn, 2)], .planar,
      .wrapping)
    #expect(wrapped.changes.count == 1)
    for (x, isInside) in [
      (169.0, false), (171, true), (179, false), (180, false), (-180, false), (-177, false),
      (-175, true), (-166, true), (-164, false), (0, false),
    ] {
      #expect(wrapped.region.contains(longitude: x, latitude: 0) == isInside, "\(x)")
    }
    for x in [180.0, -180] { #expect(wrapped.region.contains(longitude: x, latitude: 5)) }
  }

  @Test func ringsFromGreenwichAreCut() throws {
    let world = try made([box(0, -90, 360, 90)], .planar, .wrapping)
    #expect(world.count == 2)
    for x in [-180.0, -90, 0, 90, 180] { #expect(world.region.contains(longitude: x, latitude: 3)) }
    let moved = try made([box(190, 0, 200, 10)], .planar, .wrapping)
    #expect(moved.count == 1 && moved.region.contains(longitude: -165, latitude: 5))
    let geodesic = try made([box(170, -10, 190, 10)], .geodesic, .wrapping)
    #expect(geodesic.count == 1 && geodesic.region.contains(longitude: -175, latitude: 0))
  }

  @Test func onlyValidRingsAreCut() throws {
    let bow = [ring((170, 0), (190, 10), (190, 0), (170, 10), (170, 0))]
    let error = try fault(bow, .planar, .wrapping)
    #expect(error.kind == .selfIntersection)
    #expect(error.location == GeoPoint(latitude: 5, longitude: 180))
    let both = try made(bow, .planar, [.wrapping, .repairing])
    #expect(both.region.contains(longitude: 171, latitude: 5))
    #expect(both.region.contains(longitude: -171, latitude: 5))
    #expect(!both.region.contains(longitude: 180, latitude: 8))
    #expect(both.changes.count == 2)
  }

  // MARK: Repairs

  @Test(arguments: [GeoPolygon.Edges.planar, .geodesic])
  func aBowTieBecomesTwo(edges: GeoPolygon.Edges) throws {
    let bow = [ring((0, 0), (10, 10), (10, 0), (0, 10), (0, 0))]
    let repaired = try made(bow, edges, .repairing)
    #expect(repaired.count == 2)
    #expect(repaired.region.contains(longitude: 1, latitude: 5))
    #expect(repaired.region.contains(longitude: 9, latitude: 5))
    #expect(!repaired.region.contains(longitude: 5, latitude: 8))
    #expect(repaired.region.contains(longitude: 10, latitude: 10))
    #expect(repaired.changes.count == 1)
    #expect(repaired.changes[0].contains("1 polygon of 4 vertices became 2 polygons of 6 vertices"))
  }

  @Test func openRingsAndEmptyHoles() throws {
    let open = ring((0, 0), (10, 0), (10, 10), (0, 10))
    let repaired = try made([open, PlaneRing(), ring((1, 1), (2, 2))], .planar, .repairing)
    #expect(repaired.changes.count == 3 && repaired.count == 1)
    #expect(repaired.region.contains(longitude: 5, latitude: 5))
    #expect(try fault([PlaneRing(), open], .planar, .repairing).kind == .tooFewPoints)
    #expect(try fault([], .planar, .repairing).kind == .tooFewPoints)
    #expect(try made([box(0, 0, 1, 1)], .planar, .repairing).changes == [])
  }

  @Test func ringsBeyondRepairAreRejected() throws {
    #expect(
      try fault([ring((0, 0), (5, 5), (9, 9), (0, 0))], .planar, .repairing).kind
        == .selfIntersection)
    #expect(
      try fault([ring((0, 0), (100, 0), (-100, 0), (0, 0))], .geodesic, .repairing).kind
        == .beyondHemisphere)
  }
}
