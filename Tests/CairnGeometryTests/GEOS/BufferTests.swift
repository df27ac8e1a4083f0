import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct BufferTests {
  /// The distance in radians of a location from locations that are close to each other, by the
  /// least chord: an arc for each of them would take most of the time of the tests.
  private static func distance(_ dense: [Vector], _ point: GeoPoint) -> Double {
    let place = Vector(point)
    var least = Double.infinity
    dense.withUnsafeBufferPointer { dense in
      var index = 0
      while index < dense.count {
        let x = dense[index].x - place.x
        let y = dense[index].y - place.y
        let z = dense[index].z - place.z
        let square = x * x + y * y + z * z
        if square < least { least = square }
        index += 1
      }
    }
    return Sphere.angle(chordSquared: least)
  }

  /// Locations along straight edges in longitude and latitude.
  private static func dense(_ line: [GeoPoint], count: Int) -> [GeoPoint] {
    guard line.count > 1 else { return line }
    return zip(line, line.dropFirst()).flatMap { a, b in
      (0...count).compactMap { index in
        let share = Double(index) / Double(count)
        return GeoPoint(
          latitude: a.latitude + share * (b.latitude - a.latitude),
          longitude: a.longitude + share * (b.longitude - a.longitude))
      }
    }
  }

  private static func geometry(_ line: [GeoPoint]) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(line.count == 1 ? .point : .lineString)
    for point in line { builder.add(longitude: point.longitude, latitude: point.latitude) }
    builder.end()
    return builder.geometry()
  }

  /// Compares a buffer with distances to locations around it.
  private func agrees(
    _ line: [GeoPoint], radians: Double, _ random: inout SplitMix64, _ comment: String,
    contains: (GeoPoint) -> Bool = { _ in false }, of geometry: Geometry? = nil
  ) throws {
    let distance = try #require(Distance.radians(radians))
    let buffer = try (geometry ?? Self.geometry(line)).buffer(distance)
    #expect(throws: Never.self, "\(comment)") { try buffer.validate(edges: .planar) }
    let dense = Self.dense(line, count: 2000)
    let vectors = dense.map(Vector.init(_:))
    var (inside, outside) = (0, 0)
    for _ in 0..<60 {
      let near = random.pick(dense)
      let point = near.location(
        bearing: random.double(0...6.283), angle: radians * random.double(0...2))
      let actual = Self.distance(vectors, point)
      guard abs(actual / radians - 1) > 0.004,
        let isInside = buffer.planarContains(point.longitude, point.latitude)
      else { continue }
      #expect(isInside == (actual < radians || contains(point)), "\(point) \(comment)")
      if isInside { inside += 1 } else { outside += 1 }
    }
    #expect(inside > 0 && outside > 0, "\(comment)")
  }

  @Test(arguments: [5301, 5302] as [UInt64])
  func aroundPoints(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(30, long: 60) {
      let center = random.location()
      let radians = [1e-6, 1e-4, 0.01, 0.1, 0.8][round % 5] * random.double(0.5...1.5)
      try agrees([center], radians: radians, &random, "\(center) \(radians) seed \(seed)")
    }
  }

  @Test(arguments: [5311, 5312] as [UInt64])
  func aroundLines(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(6, long: 20) {
      let start = random.location()
      var line = [start]
      for _ in 0..<random.int(1...4) {
        let last = line[line.count - 1]
        let x = last.longitude + random.double(-8...8)
        let y = last.latitude + random.double(-4...4)
        // The line ends at the edge of the map, which it runs along.
        if let next = GeoPoint(latitude: max(-90, min(90, y)), longitude: max(-180, min(180, x))) {
          line.append(next)
        }
      }
      let radians = [0.003, 0.02, 0.2][round % 3] * random.double(0.5...1.5)
      try agrees(line, radians: radians, &random, "\(line) \(radians) seed \(seed)")
    }
  }

  /// Every location of the outline is at the distance within 0.2 %, across the antimeridian and around the
  /// poles too.
  @Test(arguments: [5315, 5316] as [UInt64])
  func theOutlineIsAtTheDistance(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(20, long: 200) {
      let start = random.location()
      let longitude = round % 4 < 2 ? random.pick([179.9, -179.95]) : start.longitude
      let latitude = round % 5 == 0 ? random.pick([89.5, -89.9]) : start.latitude * 0.8
      var line = [try #require(GeoPoint(latitude: latitude, longitude: longitude))]
      let (x, y) = (longitude + random.double(-2...2), latitude + random.double(-1...1))
      if round % 2 == 0, abs(x) <= 180, abs(y) <= 90 {
        line.append(try #require(GeoPoint(latitude: y, longitude: x)))
      }
      let radians = random.pick([0.001, 0.01, 0.1])
      let buffer = try Self.geometry(line).buffer(try #require(.radians(radians)))
      let dense = Self.dense(line, count: 4000).map(Vector.init(_:))
      let outline = buffer.boundary()
      let between = outline.withView { view in
        view.parts.flatMap { part -> [GeoPoint] in
          guard case .line(let vertices) = part else { return [] }
          return vertices.dropLast().compactMap { vertex in
            GeoPoint(
              latitude: (view.latitude(vertex) + view.latitude(vertex + 1)) / 2,
              longitude: (view.longitude(vertex) + view.longitude(vertex + 1)) / 2)
          }
        }
      }
      for point in outline.points + between {
        let actual = Self.distance(dense, point)
        #expect(
          abs(actual / radians - 1) < 0.002, "\(point) \(actual / radians) \(line) seed \(seed)")
      }
    }
  }

  @Test func aroundAPolygonWithAHole() throws {
    var random = SplitMix64(seed: 5321)
    let outer = [(10.0, 60.0), (14, 60), (14, 62), (10, 62), (10, 60)]
    let hole = [(11.0, 60.5), (13, 60.5), (13, 61.5), (11, 61.5), (11, 60.5)]
    let polygon = Geometry(rings: [outer, hole])
    for ring in [outer, hole] {
      let line = ring.compactMap { GeoPoint(latitude: $0.1, longitude: $0.0) }
      try agrees(
        line, radians: 0.002, &random, "\(ring)",
        contains: { polygon.planarContains($0.longitude, $0.latitude) != false }, of: polygon)
    }
    // A distance that fills the hole.
    let filled = try polygon.buffer(try #require(.kilometers(80)))
    #expect(filled.polygonRings.count == 1 && filled.polygonRings[0].count == 1)
  }

  @Test func aPoleAndTheAntimeridianAreCut() throws {
    let pole = try Self.geometry([try #require(GeoPoint(latitude: 89, longitude: 170))])
      .buffer(try #require(.kilometers(500)))
    #expect(pole.planarContains(0, 89.99) == true && pole.planarContains(-10, 87) == true)
    #expect(pole.planarContains(-10, 86) == false && pole.planarContains(170, 85) == true)
    let fiji = try Self.geometry([try #require(GeoPoint(latitude: -17, longitude: 179.9))])
      .buffer(try #require(.kilometers(100)))
    #expect(fiji.kind == .multiPolygon)
    #expect(fiji.planarContains(-179.5, -17) == true && fiji.planarContains(179.5, -17) == true)
    #expect(fiji.planarContains(0, -17) == false)
  }

  /// A circle that is computed directly is the one that pieces are made of.
  @Test func circlesAreThoseOfPieces() throws {
    var random = SplitMix64(seed: 5331)
    for _ in 0..<300 {
      let point = random.location()
      let distance = try #require(Distance.degrees(random.pick([1e-7, 1e-4, 0.01, 1])))
      let style = BufferStyle(quadSegments: random.pick([1, 2, 16, 40]))
      let circle = try Geometry(point).buffer(distance, style: style)
      let twice = try Geometry(points: [point, point]).buffer(distance, style: style)
      #expect(circle.isValid)
      let corners = twice.points
      for point in circle.points {
        #expect(
          corners.contains {
            abs($0.latitude - point.latitude) < 1e-12 && abs($0.longitude - point.longitude) < 1e-12
          }, "\(point) \(distance) \(style)")
      }
    }
  }

  /// The area of a circle on the sphere has a formula.
  @Test func theAreaOfACircle() throws {
    let circle = try Self.geometry([try #require(GeoPoint(latitude: 0, longitude: 0))])
      .buffer(try #require(.kilometers(100)))
    let radius = 100_000.0
    #expect(abs(try circle.area / (.pi * radius * radius) - 1) < 0.01)
  }

  /// Long coasts, islands, and a buffer that goes around the pole. A quick run makes one buffer of
  /// each of the largest countries.
  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func largeCountries() throws {
    let all = [1.0, 50, 500]
    let distances: [String: [Double]] = [
      "CAN": [500], "FJI": all, "CHE": all, "ATA": Soak.isOn ? all : [500],
      "RUS": Soak.isOn ? all : [50],
    ]
    for (id, country) in try TruthClasses.objects("Countries50") {
      for kilometers in distances[id] ?? [] {
        let buffer = try country.buffer(try #require(.kilometers(kilometers)))
        #expect(throws: Never.self, "\(id) \(kilometers)") { try buffer.validate(edges: .planar) }
        #expect(buffer.planarArea > country.planarArea)
        #expect(try abs(country.difference(buffer).planarArea) < 1e-9, "\(id) \(kilometers)")
      }
    }
  }

  @Test func distancesAreChecked() throws {
    let point = Self.geometry([.origin])
    #expect(try point.buffer(try #require(.meters(0))) == point)
    let error = try #require(throws: GeometryError.self) {
      try point.buffer(try #require(.kilometers(9001)))
    }
    #expect(error.kind == .outOfRange && error.message.contains("9000 km"))
    let empty = try #require(Geometry(json: #"{"type":"MultiPoint","coordinates":[]}"#))
    #expect(try empty.buffer(try #require(.meters(5))) == empty)
  }
}
