import CairnIO
import CairnTestSupport
import Foundation
import Testing

@testable import CairnTiles

@Suite(.tags(.threads)) struct PMTilesArchiveTests {
  /// An archive of tiles of random lengths, some of which are the same.
  private func archive(
    _ tiles: [PackedTile], in folder: TemporaryFolder
  ) throws -> PMTiles {
    let path = folder["\(UUID()).pmtiles"]
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let archive = PMTilesArchive(
      OutputSink(descriptor: file.fileDescriptor), descriptor: file.fileDescriptor, path: path)
    for tile in tiles { try archive.add(tile) }
    try archive.finish(
      TileSetDescription(
        layerName: "a", fields: [], zooms: 9...9, bounds: (-180, -85, 180, 85)))
    return try PMTiles(Data(contentsOf: URL(fileURLWithPath: path)), in: folder)
  }

  @Test func manyTilesHaveLeafDirectories() throws {
    let seed = Soak.seed(142)
    var random = SplitMix64(seed: seed)
    let same = [UInt8](repeating: 7, count: 30)
    var tiles: [(TileID, [UInt8])] = []
    for x in 0..<512 {
      for y in 0..<512 where random.chance(0.1) {
        let length = 1 + random.below(60)
        let bytes =
          random.chance(0.2)
          ? same : (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        tiles.append((try TileID(z: 9, x: x, y: y), bytes))
      }
    }
    tiles.sort { HilbertTile.number($0.0) < HilbertTile.number($1.0) }
    let archive = try archive(
      tiles.map { PackedTile($0.0, compressed: $0.1) }, in: try TemporaryFolder())
    #expect(archive.leafCount > 1 && archive.tileCount == tiles.count)
    #expect(archive.tiles.count == tiles.count)
    for (id, bytes) in tiles where archive.tiles["\(id)"] != Data(bytes) {
      Issue.record("seed \(seed): \(id) differs")
    }
  }

  @Test func equalNeighboursAreOneEntry() throws {
    let tiles = try (0..<4).map {
      (try TileID(z: 1, x: $0 % 2, y: $0 / 2), [UInt8](repeating: 1, count: 9))
    }
    .sorted { HilbertTile.number($0.0) < HilbertTile.number($1.0) }
    #expect(tiles.map { HilbertTile.number($0.0) } == [1, 2, 3, 4])
    let archive = try archive(
      tiles.map { PackedTile($0.0, compressed: $0.1) }, in: try TemporaryFolder())
    #expect(Set(archive.tiles.keys) == ["1/0/0", "1/0/1", "1/1/1", "1/1/0"])
    #expect(archive.leafCount == 0)
  }

  /// Tiles that are the same down to a zoom level, between others, and more bytes than are kept in
  /// memory.
  @Test func tilesOfSeveralLevelsAreWrittenLevelByLevel() throws {
    var random = SplitMix64(seed: 147)
    var tiles: [PackedTile] = []
    var expected: [String: Data] = [:]
    func add(_ id: TileID, to last: Int, size: Int) throws {
      let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      tiles.append(PackedTile(id, zooms: id.z...last, compressed: bytes))
      for zoom in id.z...last {
        let side = 1 << (zoom - id.z)
        for x in id.x * side..<(id.x + 1) * side {
          for y in id.y * side..<(id.y + 1) * side { expected["\(zoom)/\(x)/\(y)"] = Data(bytes) }
        }
      }
    }
    /// The four tiles within a tile, along the curve.
    func children(_ id: TileID) throws -> [TileID] {
      try (0..<4).map { try TileID(z: id.z + 1, x: 2 * id.x + $0 % 2, y: 2 * id.y + $0 / 2) }
        .sorted { HilbertTile.number($0) < HilbertTile.number($1) }
    }
    let root = try TileID(z: 0, x: 0, y: 0)
    try add(root, to: 0, size: 10)
    for (number, tile) in try children(root).enumerated() {
      try add(tile, to: number == 1 ? 5 : 1, size: 700_000)
      if number == 1 { continue }
      for child in try children(tile) { try add(child, to: 2, size: 300_000) }
    }
    let archive = try archive(tiles, in: try TemporaryFolder())
    #expect(archive.tileCount == expected.count && archive.tiles == expected)
  }

  /// An entry has a run length of 32 bits.
  @Test func longRunsAreSeveralEntries() {
    #expect(PMTilesArchive.runs(of: 5..<9) == [5..<9])
    let most = UInt64(UInt32.max)
    #expect(
      PMTilesArchive.runs(of: 7..<7 + 2 * most + 3)
        == [7..<7 + most, 7 + most..<7 + 2 * most, 7 + 2 * most..<7 + 2 * most + 3])
  }
}
