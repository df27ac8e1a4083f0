import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// Squares, and the cells of all grids in a rectangle.
@Suite struct CellLatticeTests {
  private static func location(
    _ random: inout SplitMix64
  ) -> (longitude: Double, latitude: Double) {
    if random.chance(0.2) {
      return (Double(random.below(25) - 12) * 15, Double(random.below(13) - 6) * 15)
    }
    return (
      Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random)
    )
  }

  private static func area(_ box: (west: Double, south: Double, east: Double, north: Double))
    -> Double
  {
    (box.east - box.west) * (sin(box.north * .pi / 180) - sin(box.south * .pi / 180))
  }

  @Test(arguments: [10.0, 1234.5, 50_000, 777_777, 5_000_000])
  func locationsLieInTheirSquares(width: Double) throws {
    var random = SplitMix64(seed: UInt64(width))
    let grid = CellGrid.squares(try #require(SquareGrid(width: width)))
    for _ in 0..<Soak.count(500, long: 5000) {
      let place = Self.location(&random)
      let code = grid.code(longitude: place.longitude, latitude: place.latitude)
      let box = try #require(grid.polygon(of: code).withView { $0.planarBounds })
      #expect(
        (box.west...box.east).contains(place.longitude)
          && (box.south...box.north).contains(place.latitude), "\(place)")
      let middle = (box.south + box.north) / 2
      let high = (box.north - box.south) * .pi / 180 * Sphere.radius
      let wide = (box.east - box.west) * .pi / 180 * Sphere.radius * cos(middle * .pi / 180)
      #expect(high < width * 1.001, "\(place)")
      // Far from the poles, many squares go around the earth.
      if abs(place.latitude) < 60, width < 100_000 { #expect(abs(wide / width - 1) < 0.01) }
    }
  }

  /// The squares of the world have its area, and each edge between two is one number.
  @Test(arguments: [5_000_000.0, 1_000_000, 300_000]) func squaresTileTheWorld(width: Double) throws
  {
    let grid = CellGrid.squares(try #require(SquareGrid(width: width)))
    let world = CellRectangle((west: -180, south: -90, east: 180, north: 90))
    var (area, last): (Double, (west: Double, south: Double, east: Double, north: Double)?) = (
      0, nil
    )
    grid.forEachCode(near: world, touching: false) { code in
      guard let box = grid.polygon(of: code).withView({ $0.planarBounds }) else { return false }
      area += Self.area(box)
      if box.west > -180 { #expect(last?.east == box.west && last?.south == box.south) }
      if box.west == -180, let last { #expect(last.east == 180 && last.north == box.south) }
      last = box
      return true
    }
    #expect(last?.east == 180 && last?.north == 90)
    #expect(abs(area - 720) < 1e-9)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func cellsInARectangle(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let grids: [CellGrid] = [
      .degrees(try #require(DegreeGrid(size: 7.5))), .geohash(try #require(GeohashGrid(length: 2))),
      .squares(try #require(SquareGrid(width: 800_000))),
      .hexagons(try #require(HexagonGrid(width: 800_000))),
    ]
    for round in 0..<40 {
      let grid = grids[round % grids.count]
      let (one, other) = (Self.location(&random), Self.location(&random))
      let box = CellRectangle(
        (
          west: min(one.longitude, other.longitude), south: min(one.latitude, other.latitude),
          east: max(one.longitude, other.longitude), north: max(one.latitude, other.latitude)
        ))
      let world = CellRectangle((west: -180, south: -90, east: 180, north: 90))
      let shape = try PreparedShape(.box(box.box))
      for touching in [false, true] {
        var codes: [Int64] = []
        grid.forEachCode(near: box, touching: touching) { code in
          codes.append(code)
          return true
        }
        let count = grid.count(near: box, touching: touching, upTo: .max)
        #expect(codes.count == count && Set(codes).count == count)
        let known = Set(codes)
        // Every location of the rectangle is in one of the cells.
        for _ in 0..<200 {
          let x = Double.random(in: box.west...box.east, using: &random)
          let y = Double.random(in: box.south...box.north, using: &random)
          #expect(known.contains(grid.code(longitude: x, latitude: y)), "seed \(seed), \(grid)")
        }
        // And, if cells count that only touch it, every cell that meets it.
        guard touching, box.west > -180, box.east < 180 else { continue }
        grid.forEachCode(near: world, touching: false) { code in
          let isNear = grid.meets(shape, code)
          #expect(!isNear || known.contains(code), "seed \(seed), \(grid.name(of: code))")
          if case .hexagons = grid { return true }
          #expect(isNear || !known.contains(code), "seed \(seed), \(grid.name(of: code))")
          return true
        }
      }
    }
  }
}
