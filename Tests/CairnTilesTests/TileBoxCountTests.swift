import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnTiles
import CairnValues
import Testing

/// Counts of small geometries against brute force, in a store with runs of edits and deleted rows.
@Suite struct TileBoxCountTests {
  private static let seed = Soak.seed(143, of: "TileBoxCountTests")

  /// A square, with the longitude and latitude of its centre; null for some.
  private func row(
    _ id: Int, _ random: inout SplitMix64
  ) throws -> (row: TileWorld.Row, x: Double, y: Double) {
    let x = Double.random(in: -179...179, using: &random)
    let y = Double.random(in: -84...84, using: &random)
    let ring = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)].map {
      "\(x + $0.0 * 1e-4) \(y + $0.1 * 1e-4)"
    }
    let area =
      random.chance(0.05)
      ? nil : try Geometry(wkt: "POLYGON((\(ring.joined(separator: ", "))))")
    return ((id, id % 3, nil, area), x, y)
  }

  @Test(arguments: [nil, "kind == 1"])
  func cellsCountWhatBruteForceCounts(_ predicate: String?) throws {
    var random = SplitMix64(seed: Self.seed)
    let world = try TileWorld()
    var rows = try (0..<5000).map { try row($0, &random) }
    try world.load(rows.map(\.row), by: "area")
    let table = try #require(try world.store.snapshot().table("rows"))
    var deleted: Set<Int> = []
    for round in 1...2 {
      let keys = Set((0..<60).map { _ in random.below(5000) }).subtracting(deleted).sorted()
      deleted.formUnion(keys)
      let gone = Set(keys.map { table.value(0, at: $0) })
      let added = try (round * 10_000..<round * 10_000 + 300).map { try row($0, &random) }
      try world.edit(deleting: keys, inserting: added.map(\.row))
      rows = rows.filter { !gone.contains(.int(Int64($0.row.id))) } + added
    }
    let shown = rows.filter { $0.row.area != nil && (predicate == nil || $0.row.kind == 1) }
    var options = TileOptions()
    options.geometry = "area"
    (options.limit, options.cells) = (0, 16)
    for (z, x, y) in [(0, 0, 0), (1, 1, 0), (2, 0, 3), (3, 5, 2)] {
      var expected: [VectorTile.Point: Int] = [:]
      for row in shown {
        let unit = Plane.unit(row.x, row.y, z, x, y)
        guard unit.x >= 0, unit.x < 4096, unit.y >= 0, unit.y < 4096 else { continue }
        let cell = VectorTile.Point(
          x: Int(unit.x) / 256 * 256 + 128, y: Int(unit.y) / 256 * 256 + 128)
        expected[cell, default: 0] += 1
      }
      let features = try world.features(z, x, y, predicate, options: options)
      var found: [VectorTile.Point: Int] = [:]
      for feature in features {
        guard case .int(let count)? = feature.tags["count"] else { continue }
        found[feature.parts[0][0]] = Int(count)
      }
      #expect(found == expected, "seed \(Self.seed): \(z)/\(x)/\(y)")
      // Below the limit, each of them is a feature.
      var all = options
      all.limit = 10_000
      let ids = Set(try world.features(z, x, y, predicate, options: all).map(\.id))
      #expect(!ids.contains(nil))
      for row in shown {
        let unit = Plane.unit(row.x, row.y, z, x, y)
        guard (1...4095).contains(unit.x), (1...4095).contains(unit.y) else { continue }
        #expect(ids.contains(UInt64(row.row.id)), "seed \(Self.seed): \(row.row.id)")
      }
    }
  }
}
