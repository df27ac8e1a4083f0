import CairnGeometry
import CairnTestSupport
import CairnTiles
import Foundation
import Testing

/// Polygons in tiles whose borders are shared.
@Suite struct SharedBorderTests {
  private typealias Edge = [VectorTile.Point]

  private func options(buffer: Int = TileOptions().buffer) -> TileOptions {
    var options = TileOptions()
    options.geometry = "area"
    options.buffer = buffer
    return options
  }

  /// A map of cells between borders with many details, which cover the world from 64° west and south
  /// to 64° east and north.
  private func map(cells: Int, seed: UInt64) throws -> TileWorld {
    var random = SplitMix64(seed: seed)
    func border(_ fixed: Int, isVertical: Bool) -> [[SIMD2<Double>]] {
      let size = 128 / Double(cells)
      let isEdge = fixed == 0 || fixed == cells
      return (0..<cells).map { cell in
        (0...40).map { step in
          let along = (Double(cell) + Double(step) / 40) * size - 64
          let isCorner = step == 0 || step == 40
          let shift = isCorner || isEdge ? 0 : Double.random(in: -0.02...0.02, using: &random)
          let across = (Double(fixed) + shift) * size - 64
          return isVertical ? SIMD2(across, along) : SIMD2(along, across)
        }
      }
    }
    let columns = (0...cells).map { border($0, isVertical: true) }
    let rows = (0...cells).map { border($0, isVertical: false) }
    let world = try TileWorld()
    let polygons = try (0..<cells * cells).map { number in
      let (x, y) = (number % cells, number / cells)
      let ring =
        rows[y][x].dropLast() + columns[x + 1][y].dropLast()
        + rows[y + 1][x].reversed().dropLast() + columns[x][y].reversed()
      let text = ring.map { "\($0.x) \($0.y)" }.joined(separator: ", ")
      let geometry = try Geometry(wkt: "POLYGON((\(text)))")
      return (number + 1, 0, nil, geometry) as TileWorld.Row
    }
    try world.load(polygons, by: "area")
    return world
  }

  /// The edges of rings, each in its direction, without those that another ring has in the other.
  private func singleEdges(_ features: [VectorTile.Feature]) -> [Edge] {
    var counts: [Edge: Int] = [:]
    for ring in features.flatMap(\.parts) {
      for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        counts[[start, end], default: 0] += 1
        counts[[end, start], default: 0] -= 1
      }
    }
    return counts.filter { $0.value > 0 }.map(\.key)
  }

  /// Where polygons cover a whole tile, their edges cancel each other but for those on its margin.
  @Test(arguments: [0, 64])
  func polygonsThatCoverATileLeaveNoGaps(buffer: Int) throws {
    let (least, greatest) = (-buffer, 4096 + buffer)
    for seed: UInt64 in 1...3 {
      let world = try map(cells: 12, seed: seed)
      for (z, x, y) in [(3, 4, 3), (3, 3, 4), (4, 7, 9), (5, 13, 17)] {
        let features = try world.features(z, x, y, options: options(buffer: buffer))
        #expect(features.count > 1)
        let inner = singleEdges(features).filter { edge in
          let (a, b) = (edge[0], edge[1])
          return
            !((a.x == b.x && [least, greatest].contains(a.x))
            || (a.y == b.y && [least, greatest].contains(a.y)))
        }
        #expect(inner.isEmpty, "seed \(seed), \(z)/\(x)/\(y)")
        let side = Double(greatest - least)
        #expect(features.map(\.area).reduce(0, +) == side * side)
      }
    }
  }

  /// An edge from one tile to the next has the same ends in both.
  @Test func linesGoOnInTheNextTile() throws {
    let world = try map(cells: 12, seed: 4)
    var count = 0
    for y in 3...4 {
      let sides = try (3...4).map { x in
        try world.features(3, x, y, options: options()).flatMap(\.parts)
      }
      let edges = zip(sides, [4096, 0]).map { rings, side in
        Set(
          rings.flatMap { ring in
            zip(ring, ring.dropFirst() + ring.prefix(1)).compactMap { a, b -> Edge? in
              guard (a.x < side) != (b.x < side), abs(a.x - side) < 64, abs(b.x - side) < 64
              else { return nil }
              return [a, b].map { VectorTile.Point(x: $0.x - side, y: $0.y) }
            }
          })
      }
      #expect(edges[0] == edges[1])
      count += edges[0].count
    }
    #expect(count > 10)
  }

  /// The overlaps and the gaps between the countries of the world, in parts of their area.
  @Test(.enabled(if: SharedData.isAvailable, "\(SharedData.reason)"))
  func countries() throws {
    let path = "\(SharedData.root ?? "")/data/countries_50m.geojson"
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    let features = (json as? [String: Any])?["features"] as? [[String: Any]] ?? []
    let world = try TileWorld()
    try world.load(
      features.compactMap { $0["geometry"] as? [String: Any] }.enumerated().map { index, geometry in
        (index + 1, 0, nil, try Geometry(wkt: wkt(geometry))) as TileWorld.Row
      }, by: "area")
    var (area, overlaps, gaps) = (0.0, 0.0, 0.0)
    for (x, y) in (0..<16).map({ ($0 % 4, $0 / 4) }) {
      let features = try world.features(2, x, y, options: options())
      let polygons = try features.map { try geometry($0.polygons).repaired() }
      let union = try Geometry.union(of: polygons)
      let sum = polygons.map(area(of:)).reduce(0, +)
      area += sum
      overlaps += sum - self.area(of: union)
      gaps += smallHoles(of: union)
    }
    #expect(overlaps / area < 0.2e-6)
    #expect(gaps / area < 0.2e-6)
  }

  private func wkt(_ geometry: [String: Any]) -> String {
    func text(_ value: Any) -> String {
      guard let values = value as? [Any] else { return "" }
      if let numbers = values as? [Double] { return "\(numbers[0]) \(numbers[1])" }
      return "(" + values.map(text).joined(separator: ", ") + ")"
    }
    let kind = (geometry["type"] as? String)?.uppercased() ?? ""
    return kind + text(geometry["coordinates"] ?? "")
  }

  /// Polygons of a tile as a geometry, with 64 units in a degree.
  private func geometry(_ polygons: [[[VectorTile.Point]]]) throws -> Geometry {
    let texts = polygons.map { polygon in
      let rings = polygon.map { ring in
        let points = (ring + ring.prefix(1)).map { "\(Double($0.x) / 64) \(Double($0.y) / 64)" }
        return "(" + points.joined(separator: ", ") + ")"
      }
      return "(" + rings.joined(separator: ", ") + ")"
    }
    return try Geometry(wkt: "MULTIPOLYGON(" + texts.joined(separator: ", ") + ")")
  }

  private func rings(of geometry: Geometry) -> [(isOuter: Bool, area: Double)] {
    geometry.withView { view in
      view.parts.flatMap { part -> [(Bool, Double)] in
        guard case .polygon(let rings) = part else { return [] }
        return rings.enumerated().map { number, ring in
          let twice = ring.dropLast().reduce(0.0) { sum, index in
            sum + view.longitude(index) * view.latitude(index + 1) - view.longitude(index + 1)
              * view.latitude(index)
          }
          return (number == 0, abs(twice) / 2)
        }
      }
    }
  }

  private func area(of geometry: Geometry) -> Double {
    rings(of: geometry).reduce(0) { $0 + ($1.isOuter ? $1.area : -$1.area) }
  }

  /// The area of the holes that are smaller than any sea between countries.
  private func smallHoles(of geometry: Geometry) -> Double {
    rings(of: geometry).filter { !$0.isOuter && $0.area < 100 / 4096 }.map(\.area).reduce(0, +)
  }
}
