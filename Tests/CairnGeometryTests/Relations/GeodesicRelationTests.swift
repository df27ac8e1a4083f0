import CairnSystem
import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// GEOS's relations of geometries whose vertices are projected from the centre of the earth onto a
/// plane, where geodesic edges are straight.
private struct ProjectedOracle {
  private typealias Reader =
    @convention(c) (GEOSLibrary.Context, UnsafePointer<CChar>) -> GEOSLibrary.Geometry?
  private typealias Relation =
    @convention(c) (GEOSLibrary.Context, GEOSLibrary.Geometry, GEOSLibrary.Geometry) -> CChar

  private let context: GEOSContext
  private let read: Reader
  private let functions: [SpatialRelation: Relation]
  private let projection: Gnomonic

  init(about center: GeoPoint) throws {
    context = try GEOSContext()
    let library = try DynamicLibrary.geos()
    read = try library.function("GEOSGeomFromWKT_r")
    functions = [
      .within: try library.function("GEOSCoveredBy_r"),
      .contains: try library.function("GEOSCovers_r"),
      .intersects: try library.function("GEOSIntersects_r"),
      .disjoint: try library.function("GEOSDisjoint_r"),
    ]
    projection = try #require(Gnomonic(about: [Vector(center)]))
  }

  /// GEOS's answer; nil where it gives up, as it does where it takes vertices for crossing edges.
  func holds(_ relation: SpatialRelation, _ one: Geometry, _ other: Geometry) throws -> Bool? {
    let (left, right) = (try #require(geometry(one)), try #require(geometry(other)))
    let function = try #require(functions[relation])
    let answer = function(context.handle, left, right)
    context.library.destroy(context.handle, left)
    context.library.destroy(context.handle, right)
    return answer == 2 ? nil : answer == 1
  }

  private func geometry(_ geometry: Geometry) -> GEOSLibrary.Geometry? {
    geometry.withView { view in
      let parts = Array(view.parts)
      let texts = parts.map { text($0, view) }
      return read(context.handle, "\(geometry.kind.keyword) (\(texts.joined(separator: ", ")))")
    }
  }

  private func text(_ part: GeometryView.Part, _ view: GeometryView) -> String {
    func pair(_ index: Int) -> String {
      let point = projection.project(
        Vector(longitude: view.longitude(index), latitude: view.latitude(index)))
      return "\(point?.x ?? .nan) \(point?.y ?? .nan)"
    }
    func list(_ range: Range<Int>) -> String { range.map(pair).joined(separator: ", ") }
    switch part {
    case .point(let index): return pair(index)
    case .line(let range): return "(\(list(range)))"
    case .polygon(let rings): return "(\(rings.map { "(\(list($0)))" }.joined(separator: ", ")))"
    }
  }
}

extension Geometry.Kind {
  /// The keyword of WKT for several of a kind.
  fileprivate var keyword: String {
    switch self {
    case .multiPoint: "MULTIPOINT"
    case .multiLineString: "MULTILINESTRING"
    default: "MULTIPOLYGON"
    }
  }
}

@Suite struct GeodesicRelationTests {
  /// Locations around a centre, on whose lattice shapes have vertices and edges in common.
  private struct Lattice {
    let points: [[GeoPoint]]

    init(about center: GeoPoint, step: Double, _ random: inout SplitMix64) {
      let turn = random.double(0...6)
      points = (0..<7).map { row in
        (0..<7).map { column in
          let (x, y) = (Double(column) - 3, Double(row) - 3)
          let size = (x * x + y * y).squareRoot() * step
          return center.location(bearing: turn + arcTangent(y, x: x), angle: size)
        }
      }
    }

    /// A square with corners on the lattice, perhaps with a hole.
    func square(_ random: inout SplitMix64) -> [[GeoPoint]] {
      let size = random.int(1...4)
      let (x, y) = (random.int(0...6 - size), random.int(0...6 - size))
      let outer = ring(x, y, x + size, y + size, random.chance(0.5))
      guard size > 2, random.chance(0.6) else { return [outer] }
      return [outer, ring(x + 1, y + 1, x + 2, y + 2, random.chance(0.5))]
    }

    /// The corners and all lattice points of the sides.
    private func ring(_ west: Int, _ south: Int, _ east: Int, _ north: Int, _ isReversed: Bool)
      -> [GeoPoint]
    {
      var ring: [GeoPoint] = []
      for x in west..<east { ring.append(points[south][x]) }
      for y in south..<north { ring.append(points[y][east]) }
      for x in 0..<east - west { ring.append(points[north][east - x]) }
      for y in 0..<north - south { ring.append(points[north - y][west]) }
      ring.append(ring[0])
      return isReversed ? ring.reversed() : ring
    }

    /// A path of steps to neighbours.
    func line(_ random: inout SplitMix64) -> [GeoPoint] {
      var (x, y) = (random.int(0...6), random.int(0...6))
      var line = [points[y][x]]
      while line.count < 5 {
        let (nextX, nextY) = (
          max(0, min(6, x + random.int(-1...1))), max(0, min(6, y + random.int(-1...1)))
        )
        guard (nextX, nextY) != (x, y) else { continue }
        (x, y) = (nextX, nextY)
        line.append(points[y][x])
      }
      return line
    }
  }

  private func geometry(_ lattice: Lattice, _ random: inout SplitMix64) -> Geometry {
    let center = lattice.points[random.int(1...5)][random.int(1...5)]
    switch random.int(0...9) {
    case 0:
      return .points(
        (0...random.int(0...2)).map { _ in lattice.points[random.int(0...6)][random.int(0...6)] })
    case 1...3: return .lines([lattice.line(&random)])
    case 4:
      let size = random.double(0.001...0.2)
      return .polygons([
        [random.geodesicRing(about: center, radius: size, count: random.int(3...9))]
      ])
    case 5:
      let size = random.double(0.001...0.2)
      return .lines([random.geodesicRing(about: center, radius: size, count: random.int(3...9))])
    default: return .polygons([lattice.square(&random)])
    }
  }

  @Test func allPairsAsGEOSInAProjection() throws {
    let seed: UInt64 = 20_261_122
    var random = SplitMix64(seed: seed)
    var counts: [SpatialRelation: Int] = [:]
    var failures = 0
    for round in 0..<30 {
      // Bearings say nothing at a pole.
      var center = random.location()
      while abs(center.latitude) > 89.95 { center = random.location() }
      let lattice = Lattice(about: center, step: random.pick([1e-5, 1e-3, 0.02, 0.06]), &random)
      let oracle = try ProjectedOracle(about: center)
      let geometries = (0..<8).map { _ in geometry(lattice, &random) }
      for shape in geometries {
        let matcher = try GeodesicMatcher(shape)
        for other in geometries {
          for relation in SpatialRelation.allCases where !relation.isPlanar {
            guard let expected = try oracle.holds(relation, other, shape) else {
              failures += 1
              continue
            }
            let found = other.withView { matcher.holds(relation, $0) }
            if expected { counts[relation, default: 0] += 1 }
            #expect(
              found == expected,
              "seed \(seed) round \(round) \(relation) \(other.text) \(shape.text)")
          }
        }
      }
    }
    #expect(counts.values.allSatisfy { $0 > 50 }, "seed \(seed): \(counts)")
    #expect(failures < 40, "seed \(seed)")
  }

  @Test func unionsOfMembers() throws {
    let (left, right) = (Self.box(0, 0, 10, 10), Self.box(10, 0, 20, 10))
    let both = Geometry.polygons([left, right])
    let across = Geometry.lines([[Self.point(5, 5), Self.point(15, 6)]])
    let middle = Geometry.polygons([Self.box(5, 2, 15, 8)])
    let beyond = Geometry.polygons([Self.box(5, 2, 15, 12)])
    let matcher = try GeodesicMatcher(both)
    #expect(across.withView { matcher.holds(.within, $0) })
    #expect(middle.withView { matcher.holds(.within, $0) })
    #expect(!beyond.withView { matcher.holds(.within, $0) })
    let inner = try GeodesicMatcher(middle)
    #expect(both.withView { inner.holds(.contains, $0) })
  }

  /// The path from pole to pole follows the meridian of its start.
  @Test func linesFromPoleToPole() throws {
    for text in [
      "LINESTRING (29 -90, 0.0000001 90, 0.0000001 -90)",
      "LINESTRING (90 40, 0.0000001 1, -1 90, 89.9999999 -90)",
      "MULTILINESTRING ((10 10, 180 -90), (180 90, 89.9999999 -90))",
    ] {
      let line = try Geometry(wkt: text)
      let matcher = try GeodesicMatcher(line)
      for relation in [SpatialRelation.within, .contains, .intersects] {
        #expect(line.withView { matcher.holds(relation, $0) }, "\(relation) \(text)")
      }
    }
    let matcher = try GeodesicMatcher(Geometry(wkt: "LINESTRING (29 -90, 29 90)"))
    #expect(matcher.holds(.intersects, longitude: 29, latitude: 10))
    #expect(!matcher.holds(.intersects, longitude: 0, latitude: 10))
  }

  private static func point(_ longitude: Double, _ latitude: Double) -> GeoPoint {
    GeoPoint(latitude: latitude, longitude: longitude) ?? .origin
  }

  private static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double)
    -> [[GeoPoint]]
  {
    [
      [
        point(west, south), point(east, south), point(east, north), point(west, north),
        point(west, south),
      ]
    ]
  }
}

extension Geometry {
  /// Several points.
  static func points(_ points: [GeoPoint]) -> Geometry {
    build(.multiPoint) { builder in
      for point in points {
        builder.begin(.point)
        builder.add(longitude: point.longitude, latitude: point.latitude)
        builder.end()
      }
    }
  }

  /// Several lines.
  static func lines(_ lines: [[GeoPoint]]) -> Geometry {
    build(.multiLineString) { builder in
      for line in lines {
        builder.begin(.lineString)
        for point in line { builder.add(longitude: point.longitude, latitude: point.latitude) }
        builder.end()
      }
    }
  }

  /// Several polygons.
  static func polygons(_ polygons: [[[GeoPoint]]]) -> Geometry {
    build(.multiPolygon) { builder in
      for rings in polygons {
        builder.begin(.polygon)
        for ring in rings {
          builder.beginRing()
          for point in ring { builder.add(longitude: point.longitude, latitude: point.latitude) }
          builder.endRing()
        }
        builder.end()
      }
    }
  }

  private static func build(
    _ kind: Kind, _ body: (inout GeometryBuilder) -> Void
  ) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(kind)
    body(&builder)
    builder.end()
    return builder.geometry()
  }

  /// The vertices of the parts, for the messages of failing tests.
  var text: String {
    withView { view in
      let parts = view.parts.map { part -> String in
        func list(_ range: Range<Int>) -> String {
          range.map { "\(view.longitude($0)) \(view.latitude($0))" }.joined(separator: ",")
        }
        switch part {
        case .point(let index): return "P \(list(index..<index + 1))"
        case .line(let range): return "L \(list(range))"
        case .polygon(let rings): return "A \(rings.map(list))"
        }
      }
      return "\(parts)"
    }
  }
}
