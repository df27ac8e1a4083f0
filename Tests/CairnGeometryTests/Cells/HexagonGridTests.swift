import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// Hexagons, against a projection and a search that are written down independently.
@Suite struct HexagonGridTests {
  private static let radius = 6_378_100.0

  /// Equal Earth in the powers of the publication, in metres.
  private func project(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
    let a = [1.340264, -0.081106, 0.000893, 0.003796]
    let t = asin(sqrt(3) / 2 * sin(latitude * .pi / 180))
    let slope = 9 * a[3] * pow(t, 8) + 7 * a[2] * pow(t, 6) + 3 * a[1] * pow(t, 2) + a[0]
    let x = 2 * sqrt(3) * (longitude * .pi / 180) * cos(t) / (3 * slope)
    let y = a[3] * pow(t, 9) + a[2] * pow(t, 7) + a[1] * pow(t, 3) + a[0] * t
    return (x * Self.radius, y * Self.radius)
  }

  private func location(_ random: inout SplitMix64) -> (longitude: Double, latitude: Double) {
    (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
  }

  /// The figures of the publication: the world is 2.7066 wide and 1.3174 high, each to one side.
  @Test func theProjectionIsThePublishedOne() {
    #expect(abs(EqualEarth.project(longitude: 180, latitude: 0).x / Self.radius - 2.70663) < 1e-5)
    #expect(abs(EqualEarth.project(longitude: 0, latitude: 90).y / Self.radius - 1.31736) < 1e-5)
    var random = SplitMix64(seed: 1)
    for _ in 0..<1000 {
      let place = location(&random)
      let (point, expected) = (
        EqualEarth.project(longitude: place.longitude, latitude: place.latitude),
        project(place.longitude, place.latitude)
      )
      #expect(abs(point.x - expected.x) < 1e-3 && abs(point.y - expected.y) < 1e-3)
      let back = EqualEarth.unproject(point).location
      #expect(abs(back.latitude - place.latitude) < 2e-7, "\(place)")
      #expect(abs(back.longitude - place.longitude) < 2e-7, "\(place)")
    }
  }

  /// The cell of a location is the one with the nearest centre.
  @Test(arguments: [1000.0, 50_000, 1_000_000])
  func theNearestCentreWins(width: Double) throws {
    var random = SplitMix64(seed: UInt64(width))
    let grid = try #require(HexagonGrid(width: width))
    let height = width * sqrt(3) / 2
    for _ in 0..<2000 {
      let place = location(&random)
      let point = project(place.longitude, place.latitude)
      let (row, column) = CellCode.position(
        of: grid.code(longitude: place.longitude, latitude: place.latitude))
      func distance(_ row: Int, _ column: Int) -> Double {
        let shift = row % 2 == 0 ? 0 : 0.5
        return hypot(
          point.x - (Double(column) + shift) * width, point.y - Double(row) * height)
      }
      let own = distance(row, column)
      for down in -2...2 {
        for across in -2...2 {
          #expect(own <= distance(row + down, column + across) + 1e-3, "\(place)")
        }
      }
    }
  }

  /// The cells of the whole world meet edge to edge.
  @Test(arguments: [1_500_000.0, 400_000])
  func cellsTileTheWorld(width: Double) throws {
    let grid = try #require(HexagonGrid(width: width))
    var codes: Set<Int64> = []
    // A cell is more than two degrees wide and high.
    let step = Soak.isOn ? 0.5 : 1
    for latitude in stride(from: -90.0, through: 90, by: step) {
      for longitude in stride(from: -180.0, through: 180, by: step) {
        codes.insert(grid.code(longitude: longitude, latitude: latitude))
      }
    }
    var counts: [[Double]: Int] = [:]
    for code in codes {
      let ring = grid.ring(of: code)
      #expect(ring.count >= 4 && ring[0] == ring[ring.count - 1])
      // A hexagon at the edge of the world has other vertices than its neighbours.
      guard !ring.contains(where: { abs($0.longitude) == 180 || abs($0.latitude) == 90 }) else {
        continue
      }
      var area = 0.0
      for (from, to) in zip(ring, ring.dropFirst()) {
        let ends = [[from.longitude, from.latitude], [to.longitude, to.latitude]]
          .sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
        counts[ends[0] + ends[1], default: 0] += 1
        let (start, end) = (
          project(from.longitude, from.latitude), project(to.longitude, to.latitude)
        )
        area += (start.x * end.y - end.x * start.y) / 2
      }
      // Positive means anticlockwise.
      #expect(abs(area / (width * width * sqrt(3) / 2) - 1) < 1e-4)
    }
    #expect(counts.values.allSatisfy { $0 <= 2 })
    #expect(counts.values.count { $0 == 2 } > counts.count * 3 / 4)
  }

  /// A small hexagon as a polygon of straight edges contains the locations that belong to it, except
  /// for a few at its edges.
  @Test func polygonsContainTheirLocations() throws {
    var random = SplitMix64(seed: 7)
    let grid = CellGrid.hexagons(try #require(HexagonGrid(width: 50_000)))
    var misses = 0
    for _ in 0..<2000 {
      let (longitude, latitude) = location(&random)
      let ring = grid.polygon(of: grid.code(longitude: longitude, latitude: latitude)).points
      var isInside = false
      for (a, b) in zip(ring, ring.dropFirst())
      where (a.latitude > latitude) != (b.latitude > latitude) {
        let part = (latitude - a.latitude) / (b.latitude - a.latitude)
        if longitude < a.longitude + part * (b.longitude - a.longitude) { isInside.toggle() }
      }
      if !isInside { misses += 1 }
    }
    #expect(misses < 20, "\(misses)")
  }

  @Test func theCentreNamesTheCell() throws {
    let grid = CellGrid.hexagons(try #require(HexagonGrid(width: 100_000)))
    #expect(grid.name(of: grid.code(longitude: 0.1, latitude: -0.1)) == "0,0")
    // A centre beyond the antimeridian or a pole is moved to it.
    for (longitude, latitude) in [(180.0, 12.0), (-180, -33), (0, 90), (170, -90)] {
      let name = grid.name(of: grid.code(longitude: longitude, latitude: latitude))
      let numbers = name.split(separator: ",").compactMap { Double($0) }
      #expect(numbers.count == 2 && abs(numbers[0]) <= 90 && abs(numbers[1]) <= 180, "\(name)")
    }
  }
}
