import CairnIO
import CairnTestSupport
import CairnTiles
import Foundation
import Testing

@Suite(.tags(.threads)) struct PMTilesArchiveTests {
  /// An archive of tiles of random lengths, some of which are the same.
  private func archive(
    _ tiles: [(TileID, [UInt8])], in folder: TemporaryFolder
  ) throws -> PMTiles {
    let path = folder["\(UUID()).pmtiles"]
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let archive = PMTilesArchive(
      OutputSink(descriptor: file.fileDescriptor), descriptor: file.fileDescriptor)
    for (id, tile) in tiles { try archive.add(id, compressed: tile) }
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
    let archive = try archive(tiles, in: try TemporaryFolder())
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
    let archive = try archive(tiles, in: try TemporaryFolder())
    #expect(Set(archive.tiles.keys) == ["1/0/0", "1/0/1", "1/1/1", "1/1/0"])
    #expect(archive.leafCount == 0)
  }
}
