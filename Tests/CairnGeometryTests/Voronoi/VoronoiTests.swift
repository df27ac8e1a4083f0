import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// Voronoi cells beside the definition: each location is in the cell of its nearest site, all cells are
/// valid, and together they have the area of the earth.
@Suite(.tags(.threads)) struct VoronoiTests {
  private typealias Location = (longitude: Double, latitude: Double)

  /// The area of the earth.
  private static let earth = VoronoiDiagram([(0, 0)]).cell(of: 0).areaOfStraightEdges

  private static func random(
    _ count: Int, _ random: inout SplitMix64, around centre: Location = (0, 0), within: Double = 180
  ) -> [Location] {
    (0..<count).map { _ in
      let z = Double.random(in: -1...1, using: &random)
      guard within == 180 else {
        return (
          wrapped(centre.longitude + Double.random(in: -within...within, using: &random)),
          max(-90, min(90, centre.latitude + z * within))
        )
      }
      return (Double.random(in: -180...180, using: &random), asin(z).inDegrees)
    }
  }

  private static func check(
    _ sites: [Location], _ name: String, samples: Int = 100, tolerance: Double = 3e-6,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var random = SplitMix64(seed: UInt64(sites.count))
    let diagram = VoronoiDiagram(sites)
    let cells = sites.indices.map { diagram.cell(of: $0) }
    var total = 0.0
    var seen: Set<[UInt8]> = []
    for (index, cell) in cells.enumerated() {
      #expect(
        throws: Never.self, "\(name): cell \(index) \(sites[index])", sourceLocation: sourceLocation
      ) { try cell.validate(edges: .planar) }
      // Equal sites have equal cells.
      if seen.insert(cell.bytes).inserted { total += cell.areaOfStraightEdges }
    }
    #expect(
      abs(total / Self.earth - 1) < 1e-9, "\(name): \(total / Self.earth)",
      sourceLocation: sourceLocation)
    let directions = sites.map { Vector(longitude: $0.longitude, latitude: $0.latitude) }
    let places = Self.random(samples, &random) + sites.prefix(30)
    for place in places {
      let direction = Vector(longitude: place.longitude, latitude: place.latitude)
      let distances = directions.map { ($0 - direction).length }
      let least = distances.min() ?? 0
      guard let nearest = distances.firstIndex(of: least) else { continue }
      // Edges are straight between vertices, and the nearest two may be as near as each other.
      let isClear = distances.allSatisfy { $0 == least || $0 - least > tolerance }
      guard isClear else { continue }
      let isInside = try PreparedShape(.geometry(cells[nearest], edges: .planar))
        .holds(.within, longitude: place.longitude, latitude: place.latitude)
      #expect(
        isInside, "\(name): \(place) is nearest to \(sites[nearest])",
        sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 12, 50, 300]) func randomSites(count: Int) throws {
    for seed in 1...2 {
      var random = SplitMix64(seed: UInt64(count * 10 + seed))
      try Self.check(Self.random(count, &random), "\(count) sites, seed \(seed)")
    }
  }

  /// Sites in one part of the world, whose outer cells go around the other side.
  @Test(arguments: [0.0, 180, 7]) func sitesNearEachOther(longitude: Double) throws {
    var random = SplitMix64(seed: 5)
    for (latitude, within) in [(0.0, 10.0), (46, 1), (89, 0.9), (-90, 2), (60, 0.01)] {
      try Self.check(
        Self.random(60, &random, around: (longitude, latitude), within: within),
        "around \(longitude) \(latitude), within \(within)")
    }
  }

  /// Sites within a metre, with cells that go around the earth.
  @Test func sitesWithinAMetre() throws {
    var random = SplitMix64(seed: 9)
    try Self.check(Self.random(12, &random, around: (179.999999, 20), within: 5e-6), "a metre")
  }

  /// Sites on lattices, where many are on one circle, and along single circles.
  @Test func sitesOnCircles() throws {
    var lattice: [Location] = []
    for latitude in stride(from: -80.0, through: 80, by: 20) {
      for longitude in stride(from: -180.0, to: 180, by: 20) {
        lattice.append((longitude, latitude))
      }
    }
    try Self.check(lattice, "a lattice")
    try Self.check(lattice + [(0, 90), (0, -90)], "a lattice with poles")
    let between = lattice.map { Location(wrapped($0.longitude + 7.3), $0.latitude) }
    try Self.check(between, "a lattice between")
    let fine = (0..<400).map { Location(8 + Double($0 % 20) * 0.01, 47 + Double($0 / 20) * 0.01) }
    try Self.check(fine, "a fine lattice")
    try Self.check((0..<36).map { (Double($0) * 10 - 180, 0) }, "the equator")
    try Self.check((0..<50).map { (Double($0) * 0.1, 0) }, "a part of the equator")
    try Self.check((0..<12).map { (Double($0) * 30 - 180, 60) }, "a parallel")
    try Self.check((0..<17).map { (12, Double($0) * 10 - 80) }, "a meridian")
    try Self.check((0..<17).map { (180, Double($0) * 10 - 80) }, "the antimeridian")
    try Self.check((0..<30).map { (12, 40 + Double($0) * 0.001) }, "a part of a meridian")
    try Self.check([(0, 0), (90, 0), (180, 0), (-90, 0), (0, 90), (0, -90)], "an octahedron")
    try Self.check([(0, 0), (120, 0), (-120, 0)], "a triangle around the earth")
    try Self.check([(0, 90), (0, -90)], "both poles")
    try Self.check([(179, 10), (-179, 10)], "the antimeridian between")
    try Self.check([(1, 10), (-1, 10)], "the prime meridian between")
    try Self.check([(0, 0), (180, 0)], "antipodes")
    try Self.check([(0, 80), (120, 80), (-120, 80), (0, 90)], "around a pole")
  }

  @Test func equalSites() throws {
    let sites: [Location] = [
      (10, 20), (10, 20), (-180, 5), (180, 5), (3, 90), (50, 90), (10.00000001, 20),
    ]
    try Self.check(sites, "equal sites", tolerance: 1e-5)
    let diagram = VoronoiDiagram(sites)
    for (one, other) in [(0, 1), (0, 6), (2, 3), (4, 5)] {
      #expect(diagram.cell(of: one) == diagram.cell(of: other))
    }
  }

  /// A cell for one site, and for two.
  @Test func fewSites() throws {
    #expect(
      VoronoiDiagram([(5, 5)]).cell(of: 0).description
        == "POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))")
    let halves = VoronoiDiagram([(0, 90), (0, -90)])
    #expect(halves.cell(of: 0).withView { $0.planarBounds?.south } == 0)
    #expect(halves.cell(of: 1).withView { $0.planarBounds?.north } == 0)
  }

  /// The vertices of neighbours are the same, digit by digit: each edge inside of the map is there once in
  /// either direction.
  @Test(arguments: [3, 40, 500]) func sharedEdges(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let diagram = VoronoiDiagram(Self.random(count, &random))
    var edges: [[Double]: Int] = [:]
    for site in 0..<count {
      diagram.cell(of: site).withView { view in
        for case .polygon(let rings) in view.parts {
          for ring in rings {
            for vertex in ring.dropLast() {
              let (a, b) = (view.longitude(vertex), view.latitude(vertex))
              let (c, d) = (view.longitude(vertex + 1), view.latitude(vertex + 1))
              if a == c, abs(a) == 180 { continue }
              if b == d, abs(b) == 90 { continue }
              edges[a < c || (a == c && b < d) ? [a, b, c, d] : [c, d, a, b], default: 0] += 1
            }
          }
        }
      }
    }
    #expect(edges.values.allSatisfy { $0 == 2 })
  }
}
