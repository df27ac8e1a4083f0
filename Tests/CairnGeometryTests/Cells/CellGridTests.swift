import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// Cells of degrees and of geohashes, against integer arithmetic and repeated halving.
@Suite struct CellGridTests {
  /// A location in units of 1e-7 degrees, often at a round one.
  private func location(_ random: inout SplitMix64) -> (longitude: Int, latitude: Int) {
    func coordinate(_ limit: Int) -> Int {
      switch random.below(6) {
      case 0: random.pick([-limit, limit]) * 10_000_000
      case 1: (random.below(2 * limit + 1) - limit) * 10_000_000
      case 2: (random.below(20 * limit + 1) - 10 * limit) * 1_000_000
      default: random.below(2 * limit * 10_000_000 + 1) - limit * 10_000_000
      }
    }
    return (coordinate(180), coordinate(90))
  }

  private func floorDivision(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  /// The edges of the cell of a coordinate, in units of 1e-7 degrees.
  private func edges(_ coordinate: Int, size: Int, limit: Int) -> (Int, Int) {
    var index = floorDivision(coordinate, size)
    if index * size >= limit { index -= 1 }
    return (max(-limit, index * size), min(limit, (index + 1) * size))
  }

  @Test(arguments: [
    1_000_000, 2_500_000, 3_000_000, 70, 10_000_000, 25_000_000, 70_000_000, 900_000_000,
  ])
  func degreesAgreeWithIntegers(size: Int) throws {
    var random = SplitMix64(seed: UInt64(size))
    let grid = CellGrid.degrees(try #require(DegreeGrid(size: Double(size) / 1e7)))
    for _ in 0..<Soak.count(700, long: 2000) {
      let place = location(&random)
      let code = grid.code(
        longitude: Double(place.longitude) / 1e7, latitude: Double(place.latitude) / 1e7)
      let longitudes = edges(place.longitude, size: size, limit: 1_800_000_000)
      let latitudes = edges(place.latitude, size: size, limit: 900_000_000)
      let expected = [longitudes.0, latitudes.0, longitudes.1, latitudes.1].map { Double($0) / 1e7 }
      let name = grid.name(of: code)
      #expect(
        name.split(separator: ",").map { Double($0) } == expected, "\(place) \(size) \(name)")
      let points = grid.polygon(of: code).points
      #expect(points.map(\.longitude) == [0, 2, 2, 0, 0].map { expected[$0] })
      #expect(points.map(\.latitude) == [1, 1, 3, 3, 1].map { expected[$0] })
    }
  }

  @Test func namesAreShort() throws {
    let grid = CellGrid.degrees(try #require(DegreeGrid(size: 0.1)))
    #expect(grid.name(of: grid.code(longitude: 0.3, latitude: -0.05)) == "0.3,-0.1,0.4,0")
    let whole = CellGrid.degrees(try #require(DegreeGrid(size: 1)))
    #expect(whole.name(of: whole.code(longitude: 180, latitude: 90)) == "179,89,180,90")
    #expect(whole.name(of: whole.code(longitude: -180, latitude: -90)) == "-180,-90,-179,-89")
  }

  @Test func sizesAreBounded() {
    for size in [0, -1, 91, .nan, .infinity, 1e-7, 1 / 3.0] {
      #expect(DegreeGrid(size: size) == nil)
    }
    for length in [0, -1, 13, .max] { #expect(GeohashGrid(length: length) == nil) }
    for width in [0, 9, 5_000_001, .nan, .infinity] { #expect(HexagonGrid(width: width) == nil) }
  }

  /// The geohash of a location by repeated halving.
  private func geohash(_ longitude: Double, _ latitude: Double, length: Int) -> String {
    let digits = Array("0123456789bcdefghjkmnpqrstuvwxyz")
    var (west, east, south, north) = (-180.0, 180.0, -90.0, 90.0)
    var text = ""
    var bits = 0
    for bit in 0..<length * 5 {
      var isUpper: Bool
      if bit % 2 == 0 {
        let middle = (west + east) / 2
        isUpper = longitude >= middle
        if isUpper { west = middle } else { east = middle }
      } else {
        let middle = (south + north) / 2
        isUpper = latitude >= middle
        if isUpper { south = middle } else { north = middle }
      }
      bits = bits << 1 | (isUpper ? 1 : 0)
      if bit % 5 == 4 {
        text.append(digits[bits])
        bits = 0
      }
    }
    return text
  }

  @Test(arguments: 1...12)
  func geohashesAgreeWithHalving(length: Int) throws {
    var random = SplitMix64(seed: UInt64(length))
    let grid = CellGrid.geohash(try #require(GeohashGrid(length: length)))
    var found: [(code: Int64, name: String)] = []
    for _ in 0..<1000 {
      let place = location(&random)
      let (longitude, latitude) = (Double(place.longitude) / 1e7, Double(place.latitude) / 1e7)
      let code = grid.code(longitude: longitude, latitude: latitude)
      let name = grid.name(of: code)
      #expect(name == geohash(longitude, latitude, length: length), "\(place)")
      found.append((code, name))
      let points = grid.polygon(of: code).points
      #expect(points[0].longitude <= longitude && longitude <= points[2].longitude)
      #expect(points[0].latitude <= latitude && latitude <= points[2].latitude)
    }
    // Codes sort like names.
    #expect(found.sorted { $0.code < $1.code }.map(\.name) == found.map(\.name).sorted())
  }

  @Test func aPublishedGeohash() throws {
    let grid = CellGrid.geohash(try #require(GeohashGrid(length: 11)))
    #expect(grid.name(of: grid.code(longitude: 10.40744, latitude: 57.64911)) == "u4pruydqqvj")
  }
}
