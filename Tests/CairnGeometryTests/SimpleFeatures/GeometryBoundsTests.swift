import CairnSystem
import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct GeometryBoundsTests {
  private typealias Location = (longitude: Double, latitude: Double)

  private static func path(_ kind: Geometry.Kind, _ locations: [Location]) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(kind)
    if kind == .polygon { builder.beginRing() }
    for location in locations {
      builder.add(longitude: location.longitude, latitude: location.latitude)
    }
    if kind == .polygon { builder.endRing() }
    builder.end()
    return builder.geometry()
  }

  private static func bounds(_ kind: Geometry.Kind, _ locations: Location...) throws -> Envelope {
    try #require(path(kind, locations).withView { $0.bounds })
  }

  private static let margin = 1e-12

  private static func contains(_ box: Envelope, _ x: Double, _ y: Double) -> Bool {
    x >= box.west - margin && x <= box.east + margin && y >= box.south - margin
      && y <= box.north + margin
  }

  @Test func planarBoundsAreTheNumbers() throws {
    let line = Self.path(.lineString, [(170, -10), (-170.5, 20.25), (3, 4)])
    let box = try #require(line.withView { $0.planarBounds })
    #expect(box == (west: -170.5, south: -10, east: 170, north: 20.25))
    let expected = try #require(GeoBox(bottomLeft: (-10, -170.5), topRight: (20.25, 170)))
    #expect(line.bounds == expected)
    let third = Self.path(.lineString, [(1.0 / 3, 2.0 / 3), (0.5, 0.7)])
    #expect(third.bounds?.bottomLeft.longitude == 1.0 / 3)
    #expect(Self.path(.lineString, []).bounds == nil)
    #expect(Self.path(.lineString, []).withView { $0.bounds } == nil)
  }

  @Test func pointsHaveTheirOwnPosition() throws {
    let box = try Self.bounds(.point, (8.5, 47.25))
    #expect(box == Envelope(west: 8.5, south: 47.25, east: 8.5, north: 47.25))
    let third = try Self.bounds(.point, (1.0 / 3, -1.0 / 3))
    #expect(third.lanes == SIMD4(3_333_333, -3_333_334, -3_333_334, 3_333_333))
  }

  @Test func antimeridianAndPolesHaveAllLongitudes() throws {
    let point = try Self.bounds(.point, (180, 5))
    #expect((point.west, point.east, point.south, point.north) == (-180, 180, 5, 5))
    let pole = try Self.bounds(.point, (33, -90))
    #expect((pole.west, pole.east, pole.south, pole.north) == (-180, 180, -90, -90))
    let crossing = try Self.bounds(.lineString, (179, 10), (-179, 11))
    #expect((crossing.west, crossing.east, crossing.south) == (-180, 180, 10))
    #expect(crossing.north >= 11 && crossing.north < 11.01)
    let overPole = try Self.bounds(.lineString, (0, 60), (180, 70))
    #expect((overPole.west, overPole.east, overPole.south, overPole.north) == (-180, 180, 60, 90))
    #expect(try Self.bounds(.lineString, (0, 10), (180, -10)) == .world)
    #expect(try Self.bounds(.lineString, (0, 90), (10, -90)) == .world)
  }

  @Test func ringsAroundPolesContainThem() throws {
    let north = try Self.bounds(.polygon, (0, 60), (90, 61), (180, 60), (-90, 61), (0, 60))
    #expect((north.west, north.east, north.south, north.north) == (-180, 180, 60, 90))
    let south = try Self.bounds(.polygon, (0, -60), (-120, -61), (120, -50), (0, -60))
    #expect((south.west, south.east, south.south, south.north) == (-180, 180, -90, -50))
    let equator = try Self.bounds(.polygon, (0, -5), (120, 5), (-120, 5), (0, -5))
    #expect(equator == .world)
    // The smaller side is outside of the numbers: both poles and the antimeridian.
    let wide = try Self.bounds(
      .polygon, (-100, -80), (0, -80), (100, -80), (100, 80), (0, 80), (-100, 80), (-100, -80))
    #expect(wide == .world)
  }

  @Test func summitsAreTight() throws {
    let box = try Self.bounds(.lineString, (-30, 45), (30, 45))
    let summit = arcTangent(1 / cosine(degrees: 30), x: 1).inDegrees
    #expect(box.north >= summit && box.north < summit + 1e-6)
    #expect((box.west, box.east, box.south) == (-30, 30, 45))
    let rising = try Self.bounds(.lineString, (0, 0), (60, 50))
    #expect((rising.south, rising.north) == (0, 50))
    let short = try Self.bounds(.lineString, (0, 45), (0.5, 45))
    let height = arcTangent(1 / cosine(degrees: 0.25), x: 1).inDegrees
    #expect(short.north >= height && short.north < height + 1e-4)
  }

  /// Locations with differences of all sizes, also at the poles and the antimeridian.
  private static func locations(_ random: inout SplitMix64) -> [Location] {
    let size = pow(10.0, Double.random(in: -7...2.2, using: &random))
    let middle: Location = (
      random.chance(0.3) ? 180 : .random(in: -180...180, using: &random),
      random.chance(0.2) ? random.pick([-90, 90, 0]) : .random(in: -90...90, using: &random)
    )
    let isRounded = random.chance(0.5)
    return (0..<(2 + random.below(4))).map { _ in
      var x = normalized(middle.longitude + .random(in: -size...size, using: &random))
      var y = max(-90, min(90, middle.latitude + .random(in: -size...size, using: &random)))
      if isRounded { (x, y) = ((x * 1e7).rounded() / 1e7, (y * 1e7).rounded() / 1e7) }
      return (x, y)
    }
  }

  /// A location of an edge outside of a box: straight in longitude and latitude, or on the sphere.
  private static func escape(
    of start: Location, to end: Location, from box: Envelope
  ) -> Location? {
    let (from, to) = (
      Vector(longitude: start.longitude, latitude: start.latitude),
      Vector(longitude: end.longitude, latitude: end.latitude)
    )
    for step in 0...40 {
      let share = Double(step) / 40
      let (x, y) = (
        start.longitude + (end.longitude - start.longitude) * share,
        start.latitude + (end.latitude - start.latitude) * share
      )
      if !contains(box, x, y) { return (x, y) }
      let way = from * (1 - share) + to * share
      if way.length > 1e-6, let at = way.unit.location, !contains(box, at.longitude, at.latitude) {
        return (at.longitude, at.latitude)
      }
    }
    return nil
  }

  @Test(arguments: 0..<4) func linesStayInside(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 90)
    for _ in 0..<1000 {
      let locations = Self.locations(&random)
      let box = try #require(Self.path(.lineString, locations).withView { $0.bounds })
      for (start, end) in zip(locations, locations.dropFirst()) {
        if let escape = Self.escape(of: start, to: end, from: box) {
          Issue.record("seed \(seed): \(escape) of \(locations)")
        }
      }
    }
  }

  /// Rings that are stars about a centre, up to a hemisphere, against projected rings.
  @Test(arguments: 0..<4) func insidesOfRingsStayInside(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 190)
    var tested = 0
    for _ in 0..<250 {
      let centre = Vector(
        longitude: .random(in: -180...180, using: &random),
        latitude: random.chance(0.3)
          ? random.pick([-90, 90, 89.5, -88, 0]) : .random(in: -90...90, using: &random))
      let side = centre.cross(Vector(x: 0.3, y: -0.5, z: 0.81)).unit
      let other = centre.cross(side)
      let count = 3 + random.below(9)
      let reach = pow(10.0, Double.random(in: -3...0, using: &random)) * 1.5
      func location(_ angle: Double, _ turn: Double) -> GeoPoint? {
        ((centre * cosine(angle)) + (side * cosine(turn) + other * sine(turn)) * sine(angle))
          .location
      }
      var ring = (0..<count).compactMap { index in
        location(
          reach * .random(in: 0.3...1, using: &random), Double(index) / Double(count) * 2 * .pi)
      }
      ring.append(ring[0])
      let polygon = try #require(GeoPolygon(outerRing: ring))
      let oracle = Oracle.Geodesic(polygon)
      let box = try #require(Geometry(polygon).withView { $0.bounds })
      for _ in 0..<30 {
        guard
          let at = location(
            reach * .random(in: 0...1, using: &random), .random(in: 0...(2 * .pi), using: &random)),
          oracle.contains(at) == true
        else { continue }
        tested += 1
        #expect(Self.contains(box, at.longitude, at.latitude), "seed \(seed): \(ring) \(at)")
      }
    }
    #expect(tested > 500)
  }
}
