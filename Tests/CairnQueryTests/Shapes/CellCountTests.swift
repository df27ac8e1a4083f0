import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnQuery

/// The numbers of geometries in cells, beside each cell compared with each geometry.
@Suite(.tags(.threads)) struct CellCountTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func geometriesInCells(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryStore()
    try SpatialWorld.create(in: temporary.store)
    try temporary.store.write { transaction in
      let parcels = try #require(transaction.table(SpatialWorld.name))
      for id in 0..<200 { try parcels.insert(SpatialWorld.row(id, &random)) }
    }
    let snapshot = try temporary.store.snapshot()
    let table = try #require(snapshot.table(SpatialWorld.name))
    let column = try #require(table.schema.column(named: "area"))
    for grid: CellGrid in [
      .degrees(try #require(DegreeGrid(size: 0.5))), .degrees(try #require(DegreeGrid(size: 3.3))),
      .squares(try #require(SquareGrid(width: 150_000))),
      .hexagons(try #require(HexagonGrid(width: 200_000))),
    ] {
      let counts = try CellCounts(grid, of: table.column(column.position))
        .counts(of: Array(0..<table.endKey)) { _ in }
      var expected: [Int64: Int] = [:]
      for key in 0..<table.endKey {
        guard case .geometry(let bytes) = table.value(column.position, at: key) else { continue }
        for code in Self.codes(Geometry(packed: bytes), in: grid) {
          expected[code, default: 0] += 1
        }
      }
      #expect(counts == expected, "seed \(seed), \(grid)")
    }
  }

  /// The cells that a geometry meets, of all cells where the geometries are.
  private static func codes(_ geometry: Geometry, in grid: CellGrid) -> [Int64] {
    if let point = geometry.point {
      return [grid.code(longitude: point.longitude, latitude: point.latitude)]
    }
    var codes: [Int64] = []
    let all = CellRectangle((west: -25, south: -20, east: 25, north: 20))
    geometry.withView { view in
      grid.forEachCode(near: all, touching: true) { code in
        let meets = grid.polygon(of: code).withView {
          PlanarRelation.holds(.intersects, view, to: $0)
        }
        if meets { codes.append(code) }
        return true
      }
    }
    return codes
  }

  @Test func cellsThatAreTooSmall() throws {
    let temporary = try TemporaryStore()
    try SpatialWorld.create(in: temporary.store)
    try temporary.store.write { transaction in
      let box = try Geometry(wkt: "POLYGON ((0 0, 50 0, 50 50, 0 50, 0 0))")
      try transaction.table(SpatialWorld.name)?.insert([
        .int(1), .geometry(box.bytes), .null, .null, .null, .null,
      ])
    }
    let snapshot = try temporary.store.snapshot()
    let table = try #require(snapshot.table(SpatialWorld.name))
    let grid = CellGrid.squares(try #require(SquareGrid(width: 10)))
    #expect(throws: QueryError.self) {
      try CellCounts(grid, of: table.column(1)).counts(of: [0]) { _ in }
    }
  }
}
