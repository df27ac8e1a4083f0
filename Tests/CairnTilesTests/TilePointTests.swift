import CairnGeometry
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnTiles
import CairnValues
import Testing

/// Locations in tiles against brute force.
@Suite struct TilePointTests {
  private static let seed = Soak.seed(144, of: "TilePointTests")

  /// Rows all over the world, most of them in clusters. Some have no location.
  private func rows(_ ids: Range<Int>, _ random: inout SplitMix64) -> [TileWorld.Row] {
    ids.map { id in
      let isClustered = random.chance(0.7)
      let longitude =
        isClustered
        ? Double.random(in: 7...9, using: &random) : Double.random(in: -180...180, using: &random)
      let latitude =
        isClustered
        ? Double.random(in: 46...47, using: &random) : Double.random(in: -90...90, using: &random)
      let spot = Position(latitude: latitude, longitude: longitude)
      return (id, id % 3, random.chance(0.05) ? nil : spot, nil)
    }
  }

  /// A bulk-loaded run, runs of edits with deleted rows, and rows that no run covers.
  private func world(_ random: inout SplitMix64) throws -> (TileWorld, [TileWorld.Row]) {
    let world = try TileWorld()
    var rows = rows(0..<5000, &random)
    try world.load(rows, by: "spot")
    let snapshot = try world.store.snapshot()
    let table = try #require(snapshot.table("rows"))
    var deleted: Set<Int> = []
    for round in 1...3 {
      let keys = Set((0..<40).map { _ in random.below(5000) }).subtracting(deleted).sorted()
      deleted.formUnion(keys)
      let gone = Set(keys.map { table.value(0, at: $0) })
      let first = round * 10_000
      let added = self.rows(first..<first + 500, &random)
      try world.edit(deleting: keys, inserting: added)
      rows = rows.filter { !gone.contains(.int(Int64($0.id))) } + added
    }
    return (world, rows)
  }

  private static let tiles = [
    (0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 0, 1), (2, 3, 2), (5, 16, 11), (8, 133, 90),
    (10, 534, 361),
    (12, 2137, 1445), (6, 0, 31), (6, 63, 20),
  ]

  @Test(arguments: [nil, "kind == 1"])
  func featuresAreWhereBruteForceFindsThem(_ predicate: String?) throws {
    var random = SplitMix64(seed: Self.seed)
    let (world, rows) = try world(&random)
    var options = TileOptions()
    options.geometry = "spot"
    options.limit = 20_000
    for (z, x, y) in Self.tiles {
      let features = try world.features(z, x, y, predicate, options: options)
      let found = Dictionary(uniqueKeysWithValues: features.map { ($0.id, $0) })
      for row in rows where predicate == nil || row.kind == 1 {
        guard let spot = row.spot else { continue }
        let unit = Plane.unit(spot.longitude, spot.latitude, z, x, y)
        let world = 4096.0 * Double(1 << z)
        let copies = [-world, 0, world].map { unit.x + $0 }.filter { $0 >= -63 && $0 <= 4159 }
        let feature = found[UInt64(row.id)]
        if !copies.isEmpty, unit.y >= -63, unit.y <= 4159 {
          let feature = try #require(feature, "\(z)/\(x)/\(y) lacks \(spot)")
          #expect(feature.type == 1)
          for copy in copies {
            #expect(
              feature.parts.contains {
                abs(Double($0[0].x) - copy) <= 0.51 && abs(Double($0[0].y) - unit.y) <= 0.51
              })
          }
          #expect(feature.tags["name"] == .text("row \(row.id)"))
          #expect(feature.tags["kind"] == .int(Int64(row.kind)))
        } else if let feature {
          #expect(
            feature.parts.allSatisfy { part in
              [part[0].x, part[0].y].contains { $0 <= -62 || $0 >= 4158 }
            })
        }
      }
    }
  }

  @Test(arguments: [nil, "kind == 1"])
  func cellsCountWhatBruteForceCounts(_ predicate: String?) throws {
    var random = SplitMix64(seed: Self.seed)
    let (world, rows) = try world(&random)
    for (limit, cells) in [(0, 64), (10, 16), (100, 1)] {
      var options = TileOptions()
      options.geometry = "spot"
      (options.limit, options.cells) = (limit, cells)
      for (z, x, y) in Self.tiles.prefix(8) {
        var expected: [VectorTile.Point: Int] = [:]
        for row in rows where predicate == nil || row.kind == 1 {
          guard let spot = row.spot else { continue }
          let unit = Plane.unit(spot.longitude, spot.latitude, z, x, y)
          guard unit.x >= 0, unit.x < 4096, unit.y >= 0, unit.y < 4096 else { continue }
          let side = 4096 / cells
          let cell = VectorTile.Point(
            x: Int(unit.x) / side * side + side / 2, y: Int(unit.y) / side * side + side / 2)
          expected[cell, default: 0] += 1
        }
        let features = try world.features(z, x, y, predicate, options: options)
        guard features.contains(where: { $0.id == nil }) else {
          #expect(features.count <= limit)
          continue
        }
        let found = features.map { ($0.parts[0][0], $0.tags["count"]) }
        #expect(found.count == expected.count, "\(z)/\(x)/\(y)")
        for (cell, count) in found {
          #expect(count == .int(Int64(expected[cell] ?? 0)), "\(z)/\(x)/\(y) at \(cell)")
        }
      }
    }
  }

  @Test func theAntimeridianIsInTheTilesOnBothSides() throws {
    let world = try TileWorld()
    try world.load(
      [
        (1, 0, Position(latitude: 1, longitude: 180), nil),
        (2, 0, Position(latitude: 1, longitude: -180), nil),
        (3, 0, Position(latitude: 1, longitude: 179.99), nil),
        (4, 0, Position(latitude: 90, longitude: 0), nil),
      ], by: "spot")
    var options = TileOptions()
    options.geometry = "spot"
    let west = try world.features(3, 0, 3, options: options)
    #expect(Set(west.map(\.id)) == [1, 2, 3])
    #expect(west.map { $0.parts[0][0].x }.sorted() == [-1, 0, 0])
    let east = try world.features(3, 7, 3, options: options)
    #expect(east.map { $0.parts[0][0].x }.sorted() == [4095, 4096, 4096])
    // Each of them is counted once.
    options.limit = 0
    options.cells = 1
    #expect(try world.features(3, 0, 3, options: options).map { $0.tags["count"] } == [.int(2)])
    #expect(try world.features(3, 7, 3, options: options).map { $0.tags["count"] } == [.int(1)])
    #expect(try world.features(0, 0, 0, options: options).map { $0.tags["count"] } == [.int(3)])
  }

  @Test func emptyTilesHaveNoBytes() throws {
    let world = try TileWorld()
    try world.load([(1, 0, Position(latitude: 47, longitude: 8), nil)], by: "spot")
    let builder = try TileRequest(className: "rows").builder(in: try world.store.snapshot())
    #expect(try builder.tile(TileID(z: 5, x: 0, y: 0)).isEmpty)
    #expect(try !builder.tile(TileID(z: 5, x: 16, y: 11)).isEmpty)
    let none = TileRequest(className: "rows", predicate: try .init(parsing: "kind == 7"))
    #expect(try none.builder(in: try world.store.snapshot()).tile(TileID(z: 0, x: 0, y: 0)).isEmpty)
  }
}
