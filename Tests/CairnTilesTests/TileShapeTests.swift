import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnTiles
import CairnValues
import Foundation
import Testing

/// Lines and polygons in tiles.
@Suite struct TileShapeTests {
  private static let seed = Soak.seed(145, of: "TileShapeTests")

  private func options() -> TileOptions {
    var options = TileOptions()
    options.geometry = "area"
    return options
  }

  private func world(_ wkt: String...) throws -> TileWorld {
    let world = try TileWorld()
    let rows = try wkt.enumerated().map { ($0 + 1, 0, nil, try Geometry(wkt: $1)) as TileWorld.Row }
    try world.load(rows, by: "area")
    return world
  }

  /// A star around a point of the world, whose sides are 0 ... 1; with a hole of the same form.
  private func star(_ random: inout SplitMix64, hasHole: Bool) -> [[SIMD2<Double>]] {
    let centre = SIMD2(
      Double.random(in: 0.1...0.9, using: &random), Double.random(in: 0.1...0.9, using: &random))
    let size = Double.random(in: 0.001...0.09, using: &random)
    let corners = 3 + random.below(30)
    let radii = (0..<corners).map { _ in Double.random(in: 0.3...1, using: &random) * size }
    func ring(_ scale: Double) -> [SIMD2<Double>] {
      (0..<corners).map { corner in
        let angle = 2 * Double.pi * Double(corner) / Double(corners)
        let way = SIMD2(cos(angle), sin(angle))
        return centre + way * radii[corner] * scale
      }
    }
    return hasHole ? [ring(1), ring(0.4)] : [ring(1)]
  }

  private func wkt(_ rings: [[SIMD2<Double>]], _ point: (SIMD2<Double>) -> (Double, Double))
    -> String
  {
    let texts = rings.map { ring in
      (ring + ring.prefix(1)).map { vertex in
        let (x, y) = point(vertex)
        return "\(x) \(y)"
      }.joined(separator: ", ")
    }
    return "POLYGON(" + texts.map { "(\($0))" }.joined(separator: ", ") + ")"
  }

  /// The area of the polygons of a geometry in the plane.
  private func area(_ geometry: Geometry) -> Double {
    geometry.withView { view in
      var sum = 0.0
      for case .polygon(let rings) in view.parts {
        for (number, ring) in rings.enumerated() {
          var twice = 0.0
          for index in ring.dropLast() {
            twice +=
              view.longitude(index) * view.latitude(index + 1) - view.longitude(index + 1)
              * view.latitude(index)
          }
          sum += (number == 0 ? 1 : -1) * abs(twice) / 2
        }
      }
      return sum
    }
  }

  @Test func areasAreThoseOfGEOS() throws {
    var random = SplitMix64(seed: Self.seed)
    let stars = (0..<60).map { star(&random, hasHole: $0 % 2 == 0) }
    let world = try TileWorld()
    try world.load(
      try stars.enumerated().map { id, rings in
        let text = wkt(rings) { Plane.location($0.x, $0.y) }
        return (id, 0, nil, try Geometry(wkt: text))
      }, by: "area")
    // The plane of GEOS is the world, moved and scaled so that it fits in degrees.
    func plane(_ vertex: SIMD2<Double>) -> (Double, Double) {
      (vertex.x * 160 - 80, vertex.y * 160 - 80)
    }
    let planes = try stars.map { try Geometry(wkt: wkt($0, plane)) }
    var shown = 0
    for _ in 0..<Soak.count(30, long: 60) {
      let z = random.below(7)
      let (x, y) = (random.below(1 << z), random.below(1 << z))
      let features = try world.features(z, x, y, options: options())
      let found = Dictionary(uniqueKeysWithValues: features.map { ($0.id, $0) })
      let side = 1 / Double(1 << z)
      let margin = side * 64 / 4096
      func corner(_ column: Double, _ row: Double) -> SIMD2<Double> {
        SIMD2(
          Double(x) * side + (column == 0 ? -margin : side + margin),
          Double(y) * side + (row == 0 ? -margin : side + margin))
      }
      let square = try Geometry(
        wkt: wkt([[corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]], plane))
      for (id, star) in planes.enumerated() {
        let unit = 160 * side / 4096
        let expected = area(try star.intersection(square)) / (unit * unit)
        let feature = found[UInt64(id)]
        // Rounding and simplification move the edges by up to 1.5 units.
        let perimeter = min(4 * 4224, 200 * 0.2 * Double(4096 << z)) / 4
        #expect(
          abs((feature?.area ?? 0) - expected) <= 3 * perimeter,
          "seed \(Self.seed): \(z)/\(x)/\(y), polygon \(id)")
        if expected > 3 * perimeter {
          shown += 1
          for part in try #require(feature).parts.joined() {
            #expect((-64...4160).contains(part.x) && (-64...4160).contains(part.y))
          }
        }
      }
    }
    #expect(shown > Soak.count(10, long: 30))
  }

  @Test func holesThatCoverATileLeaveNothing() throws {
    let world = try world(
      "POLYGON((-60 -60, 60 -60, 60 60, -60 60, -60 -60), (-50 -50, 50 -50, 50 50, -50 50, -50 -50))"
    )
    #expect(try world.features(5, 16, 16, options: options()).isEmpty)
    let whole = try world.features(0, 0, 0, options: options())
    #expect(whole.map { $0.polygons.map(\.count) } == [[2]])
  }

  @Test func aTileWithinAPolygonIsFull() throws {
    let world = try world("POLYGON((-60 -60, 60 -60, 60 60, -60 60, -60 -60))")
    let features = try world.features(5, 16, 16, options: options())
    #expect(features.map(\.area) == [4224 * 4224])
  }

  @Test func linesAreCutWhereTheyLeaveTheTile() throws {
    // The line leaves the tile to the east and comes back.
    let world = try world("LINESTRING(-10 10, 60 12, 60 20, -10 22)")
    let features = try world.features(2, 2, 1, options: options())
    #expect(features.map(\.type) == [2])
    #expect(features.first?.parts.count == 1)
    let narrow = try world.features(4, 8, 7, options: options())
    #expect(narrow.first?.parts.count == 2)
    for point in (narrow.first?.parts ?? []).joined() { #expect((-64...4160).contains(point.x)) }
  }

  @Test func straightLinesKeepOnlyTheirEnds() throws {
    let vertices = (0...200).map { "\(Double($0) / 100) 0" }.joined(separator: ", ")
    let world = try world("LINESTRING(\(vertices))")
    #expect(try world.features(6, 32, 31, options: options()).first?.parts.map(\.count) == [2])
  }

  @Test func whatCrossesTheAntimeridianIsOnBothSides() throws {
    let world = try world(
      "POLYGON((170 -10, -170 -10, -170 10, 170 10, 170 -10))", "LINESTRING(175 20, -175 20)")
    for (x, range) in [(7, 3180...4160), (0, -64...916)] {
      let features = try world.features(3, x, 3, options: options())
      #expect(features.map(\.id) == [1, 2])
      for point in features.flatMap(\.parts).joined() { #expect(range.contains(point.x)) }
    }
    #expect(try world.features(3, 4, 3, options: options()).isEmpty)
    let whole = try world.features(0, 0, 0, options: options())
    #expect(whole.map { $0.parts.count } == [2, 2])
  }

  @Test func ringsAroundAPoleReachTheEdgeOfTheMap() throws {
    let world = try world(
      "POLYGON((-180 -70, -90 -70, 0 -70, 90 -70, 180 -70, 180 -90, -180 -90, -180 -70))")
    let features = try world.features(0, 0, 0, options: options())
    let feature = try #require(features.first)
    let top = Plane.unit(0, -70, 0, 0, 0).y
    #expect(abs(feature.area - 4224 * (4160 - top)) < 10_000)
    let cap = try self.world("POLYGON((-120 70, 0 70, 120 70, -120 70))")
    let north = try #require(try cap.features(0, 0, 0, options: options()).first)
    #expect(abs(north.area - 4224 * (Plane.unit(0, 70, 0, 0, 0).y + 64)) < 10_000)
  }

  @Test func tinyPolygonsAreDotsAndManyAreCounted() throws {
    let square = "POLYGON((8 47, 8.0001 47, 8.0001 47.0001, 8 47.0001, 8 47))"
    let world = try world(
      square, square, "POINT(8 47)", "POLYGON((-60 -60, 60 -60, 60 60, -60 -60))")
    let dots = try world.features(0, 0, 0, options: options())
    #expect(dots.map(\.type).sorted() == [1, 3, 3, 3])
    #expect(dots.filter { $0.area == 1 }.count == 2)
    var few = options()
    few.limit = 3
    let counted = try world.features(0, 0, 0, options: few)
    #expect(counted.map(\.id) == [4, nil])
    #expect(counted.last?.tags == ["count": .int(3)])
  }

  @Test func collectionsAreAFeatureForEachType() throws {
    let world = try world(
      "GEOMETRYCOLLECTION(POINT(1 1), LINESTRING(0 0, 5 5), POLYGON((0 0, 4 0, 4 4, 0 0)))",
      "MULTIPOINT((1 1), (2 2))", "POINT EMPTY")
    let features = try world.features(3, 4, 3, options: options())
    #expect(features.map(\.id) == [1, 1, 1, 2])
    #expect(features.map(\.type) == [1, 2, 3, 1])
    #expect(features.last?.parts.count == 2)
  }
}
