import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct SimplificationTests {
  /// The distance in degrees of a great circle of a location from the nearest edge of a geometry, in a plane with
  /// the scale at the location.
  private static func distance(_ x: Double, _ y: Double, to geometry: Geometry) -> Double {
    let scale = cosine(degrees: y)
    return geometry.withView { view in
      var least = Double.infinity
      func add(_ vertices: Range<Int>) {
        for vertex in vertices.dropLast() {
          let ax = (view.longitude(vertex) - x) * scale
          let ay = view.latitude(vertex) - y
          let bx = (view.longitude(vertex + 1) - x) * scale
          let by = view.latitude(vertex + 1) - y
          let (dx, dy) = (bx - ax, by - ay)
          let length = dx * dx + dy * dy
          let share = length > 0 ? max(0, min(1, -(ax * dx + ay * dy) / length)) : 0
          let (ex, ey) = (ax + share * dx, ay + share * dy)
          least = min(least, (ex * ex + ey * ey).squareRoot())
        }
      }
      for part in view.parts {
        switch part {
        case .point: break
        case .line(let line): add(line)
        case .polygon(let rings): for ring in rings { add(ring) }
        }
      }
      return least
    }
  }

  /// Checks that vertices are those of the original, and that those that were left out are near.
  private func check(
    _ simple: Geometry, of original: Geometry, within degrees: Double, _ note: String
  ) {
    #expect(simple.isValid, "\(note)")
    let points = Set(original.points)
    #expect(simple.points.allSatisfy { points.contains($0) }, "\(note)")
    for point in original.points {
      let distance = Self.distance(point.longitude, point.latitude, to: simple)
      #expect(distance <= degrees * 1.000_001, "\(note) \(point)")
    }
  }

  @Test(arguments: [5501, 5502] as [UInt64])
  func preservesTopology(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(60, long: 600) {
      let shape = random.stars()
      let degrees = [0.01, 0.1, 0.5, 2][round % 4] * random.double(0.5...1.5)
      let simple = try shape.simplifiedPreservingTopology(
        within: try #require(.degrees(degrees)))
      check(simple, of: shape, within: degrees, "\(degrees) seed \(seed)")
      #expect(simple.kind == shape.kind)
      #expect(simple.polygonRings.map(\.count) == shape.polygonRings.map(\.count))
    }
  }

  @Test(arguments: [5511, 5512] as [UInt64])
  func isValid(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(60, long: 600) {
      let shape = random.stars()
      let degrees = [0.01, 0.1, 0.5, 2][round % 4] * random.double(0.5...1.5)
      let simple = try shape.simplified(within: try #require(.degrees(degrees)))
      #expect(simple.isValid, "\(degrees) seed \(seed)")
      #expect(simple.vertexCount <= shape.vertexCount * 2)
      // Each location that changed sides is near an edge.
      let changed = try simple.symmetricDifference(shape)
      for point in changed.points {
        let distance = min(
          Self.distance(point.longitude, point.latitude, to: shape),
          Self.distance(point.longitude, point.latitude, to: simple))
        #expect(distance < 1e-9 || distance <= degrees, "\(degrees) seed \(seed)")
      }
    }
  }

  /// The tolerance is one of metres: near the pole, a degree of longitude is short.
  @Test func distancesAreThoseOnTheEarth() throws {
    let detour = "LINESTRING (10 %, 10.1 %, 10 %)"
    for (latitude, isKept) in [(0.0, true), (60, true), (89, false)] {
      let (south, middle, north) = (latitude - 0.5, latitude, latitude + 0.5)
      let text = detour.replacing("%", with: "\(south)", maxReplacements: 1)
        .replacing("%", with: "\(middle)", maxReplacements: 1)
        .replacing("%", with: "\(north)", maxReplacements: 1)
      let line = try Geometry(wkt: text)
      // A tenth of a degree is 11.1 km at the equator, and 0.2 km at 89 degrees.
      let distance = try #require(Distance.kilometers(5))
      #expect(try line.simplified(within: distance).vertexCount == (isKept ? 3 : 2))
      #expect(
        try line.simplifiedPreservingTopology(within: distance).vertexCount == (isKept ? 3 : 2))
    }
  }

  @Test func whatCollapsesVanishesOrStays() throws {
    let distance = try #require(Distance.degrees(1))
    let small = try Geometry(
      wkt: "MULTIPOLYGON (((0 0, 0.1 0, 0.1 0.1, 0 0.1, 0 0)), ((5 5, 9 5, 9 9, 5 9, 5 5)))")
    #expect(try small.simplified(within: distance).polygonRings.count == 1)
    #expect(try small.simplifiedPreservingTopology(within: distance).polygonRings.count == 2)
    let only = try Geometry(wkt: "POLYGON ((0 0, 0.1 0, 0.1 0.1, 0 0.1, 0 0))")
    #expect(try only.simplified(within: distance).isEmpty)
    let loop = try Geometry(wkt: "LINESTRING (0 0, 0.1 0, 0.1 0.1, 0 0.1, 0 0)")
    #expect(try loop.simplified(within: distance).vertexCount == 3)
    #expect(try Geometry(lines: []).simplified(within: distance).isEmpty)
    let still = try Geometry(wkt: "LINESTRING (1 2, 1 2, 1 2)")
    #expect(try still.simplified(within: distance).points.count >= 2)
  }

  /// A hole that an edge passes over becomes a bay, and no new land.
  @Test func holesThatComeOutAreCutOff() throws {
    let polygon = try Geometry(
      wkt: "POLYGON ((0 0, 4 0, 4 4, 2 4.6, 0 4, 0 0), (1 4.1, 3 4.1, 2 4.5, 1 4.1))")
    let distance = try #require(Distance.degrees(0.7))
    #expect(abs(try polygon.simplified(within: distance).planarArea - 16) < 1e-12)
    let kept = try polygon.simplifiedPreservingTopology(within: distance)
    #expect(kept.isValid && kept.polygonRings[0].count == 2)
  }

  @Test func cutsAtTheAntimeridianStay() throws {
    let text = """
      MULTIPOLYGON (((170 0, 175 0.01, 179.9 0, 180 0.02, 180 9.98, 179.9 10, 170 10, 170 0)),
      ((-180 0.02, -179.9 0, -175 0, -175 10, -179.9 10, -180 9.98, -180 0.02)))
      """
    let shape = try Geometry(wkt: text)
    let distance = try #require(Distance.degrees(0.5))
    for simple in [
      try shape.simplified(within: distance),
      try shape.simplifiedPreservingTopology(within: distance),
    ] {
      let cut = simple.points.filter { abs($0.longitude) == 180 }
      #expect(Set(cut.map(\.latitude)) == [0.02, 9.98] && cut.count >= 4)
      #expect(simple.vertexCount < shape.vertexCount && simple.isValid)
    }
  }

  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func countries() throws {
    for (id, country) in try TruthClasses.objects("Countries50") where country.isValid {
      for kilometers in [1.0, 30, 300] {
        let distance = try #require(Distance.kilometers(kilometers))
        #expect(try country.simplified(within: distance).isValid, "\(id) \(kilometers)")
        let simple = try country.simplifiedPreservingTopology(within: distance)
        #expect(simple.isValid, "\(id) \(kilometers)")
        #expect(simple.polygonRings.map(\.count) == country.polygonRings.map(\.count))
      }
    }
  }
}
