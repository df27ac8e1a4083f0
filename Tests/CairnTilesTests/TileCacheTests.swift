import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnTiles
import CairnValues
import Foundation
import Testing

@Suite(.tags(.threads)) struct TileCacheTests {
  private func world() throws -> TileWorld {
    let world = try TileWorld()
    try world.load(
      (0..<50).map { ($0, $0 % 2, Position(latitude: 1, longitude: Double($0) / 10), nil) },
      by: "spot")
    return world
  }

  private func ids(_ bytes: [UInt8]) throws -> Set<UInt64?> {
    Set(try VectorTile(bytes).layers.first?.features.map(\.id) ?? [])
  }

  @Test func tilesAreCorrectRightAfterACommit() throws {
    let (world, cache) = (try world(), TileCache())
    let request = TileRequest(className: "rows")
    let tile = try TileID(z: 2, x: 2, y: 1)
    let before = try world.store.snapshot()
    let first = try cache.tile(tile, of: request, in: before)
    #expect(try ids(first) == Set((0..<50).map { UInt64($0) }))
    #expect(try cache.tile(tile, of: request, in: before) == first)
    #expect(cache.count == 1)
    try world.edit(
      deleting: [0], inserting: [(70, 0, Position(latitude: 2, longitude: 2), nil)])
    let after = try world.store.snapshot()
    let second = try ids(cache.tile(tile, of: request, in: after))
    #expect(second.contains(70) && second.count == 50)
    // The older snapshot keeps its tile.
    #expect(try cache.tile(tile, of: request, in: before) == first)
  }

  @Test func requestsDoNotShareTiles() throws {
    let (world, cache) = (try world(), TileCache())
    let snapshot = try world.store.snapshot()
    let tile = try TileID(z: 2, x: 2, y: 1)
    var request = TileRequest(className: "rows", predicate: try Predicate(parsing: "kind == 1"))
    #expect(try ids(cache.tile(tile, of: request, in: snapshot)).count == 25)
    request.predicate = .true
    #expect(try ids(cache.tile(tile, of: request, in: snapshot)).count == 50)
    request.options.limit = 0
    #expect(try ids(cache.tile(tile, of: request, in: snapshot)) == [nil])
    #expect(cache.count == 3)
  }

  @Test func theLeastRecentlyUsedTilesAreRemoved() throws {
    let world = try world()
    let snapshot = try world.store.snapshot()
    let cache = TileCache(capacity: 20_000)
    let request = TileRequest(className: "rows")
    let kept = try TileID(z: 7, x: 64, y: 63)
    for x in 0..<128 {
      _ = try cache.tile(TileID(z: 7, x: x, y: 0), of: request, in: snapshot)
      _ = try cache.tile(kept, of: request, in: snapshot)
    }
    #expect(cache.count < 128 && cache.count > 20)
    let none = TileCache(capacity: 0)
    _ = try none.tile(kept, of: request, in: snapshot)
    #expect(none.count == 0)
  }

  @Test func aTileIsCompressedOnce() throws {
    let world = try world()
    let snapshot = try world.store.snapshot()
    let cache = TileCache()
    let request = TileRequest(className: "rows")
    func packed(_ id: TileID, minSize: Int) throws -> (bytes: [UInt8], isPacked: Bool) {
      try cache.packedTile(id, of: request, in: snapshot, minSize: minSize)
    }
    let id = try TileID(z: 2, x: 2, y: 1)
    let tile = try cache.tile(id, of: request, in: snapshot)
    let plainSize = cache.byteCount
    let small = try packed(id, minSize: tile.count + 1)
    #expect(!small.isPacked && small.bytes == tile && cache.byteCount == plainSize)
    let first = try packed(id, minSize: tile.count)
    #expect(first.isPacked)
    let folder = try TemporaryFolder(inMemory: true)
    #expect(try folder.gunzipped(Data(first.bytes)) == Data(tile))
    #expect(cache.byteCount == plainSize + first.bytes.count && cache.count == 1)
    // The same memory, so nothing was compressed.
    let second = try packed(id, minSize: 1)
    func address(_ bytes: [UInt8]) -> UnsafeRawPointer? {
      bytes.withUnsafeBytes { $0.baseAddress }
    }
    #expect(address(first.bytes) == address(second.bytes))
    let empty = try packed(TileID(z: 9, x: 0, y: 0), minSize: 1)
    #expect(empty.bytes.isEmpty && !empty.isPacked)
  }

  @Test func compressedTilesCountToo() throws {
    let world = try world()
    let snapshot = try world.store.snapshot()
    let cache = TileCache(capacity: 20_000)
    let request = TileRequest(className: "rows")
    for x in 0..<512 {
      let id = try TileID(z: 9, x: x, y: 254)
      _ = try cache.packedTile(id, of: request, in: snapshot, minSize: 1)
      #expect(cache.byteCount <= 20_000)
    }
    #expect(cache.count > 10)
  }

  @Test func optionsThatDoNotFitAreErrors() throws {
    let snapshot = try world().store.snapshot()
    func error(_ change: (inout TileRequest) -> Void) -> TileError? {
      var request = TileRequest(className: "rows")
      change(&request)
      do {
        _ = try request.builder(in: snapshot)
        return nil
      } catch { return error as? TileError }
    }
    #expect(error { $0.className = "row" }?.message == "there is no class `row`")
    #expect(
      error { $0.options.attributes = ["nam"] }?.message
        == "`rows` has no property `nam`; did you mean `name`?")
    #expect(error { $0.options.geometry = "name" }?.kind == .usage)
    #expect(error { $0.options.extent = 10 }?.message.contains("256 to 65536") == true)
    #expect(error { $0.options.cells = 0 }?.kind == .usage)
    #expect(error { $0.options.limit = -1 }?.kind == .usage)
    #expect(error { $0.options.buffer = 5000 }?.kind == .usage)
    #expect(throws: CairnQuery.PredicateError.self) {
      try TileRequest(className: "rows", predicate: Predicate(parsing: "none == 1"))
        .builder(in: snapshot)
    }
  }
}
