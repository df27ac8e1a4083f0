import CairnTestSupport
import CairnTiles
import Foundation
import Testing

/// `cairn tiles`, through the executable.
@Suite struct TilesCommandTests {
  /// The numbers of the tiles of data/cities.csv at levels 0 to 3, by the formulas of the projection.
  private func tilesOfCities() throws -> Set<String> {
    let lines = try Command.run(
      "query", SampleStores.citiesStore(), "cities", "--select",
      "location.latitude,location.longitude", "--format", "csv"
    ).lines
    var tiles: Set<String> = []
    for line in lines.dropFirst() {
      let numbers = line.split(separator: ",").compactMap { Double($0) }
      let sine = sin(numbers[0] * .pi / 180)
      let x = (numbers[1] + 180) / 360
      let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
      for z in 0...3 {
        let side = Double(1 << z)
        tiles.insert("\(z)/\(Int(x * side))/\(Int(y * side))")
      }
    }
    return tiles
  }

  private func write(_ name: String, _ options: String...) throws -> (TemporaryFolder, Data) {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      ["tiles", SampleStores.citiesStore(), "cities", "-o", folder[name]] + options)
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    return (folder, try Data(contentsOf: URL(fileURLWithPath: folder[name])))
  }

  @Test func aPMTilesArchiveHasTheTilesOfTheRows() throws {
    let (folder, data) = try write("cities.pmtiles", "--max-zoom", "3")
    let archive = try PMTiles(data, in: folder)
    let tiles = try tilesOfCities()
    #expect(Set(archive.tiles.keys).isSuperset(of: tiles))
    // The other tiles have rows in their margins.
    #expect(archive.tiles.count < tiles.count + 20)
    #expect(archive.zooms == 0...3 && archive.tileCount == archive.tiles.count)
    #expect(archive.metadata.contains(#""vector_layers":[{"id":"cities""#))
    #expect(archive.metadata.contains(#""population":"Number""#))
    let root = try #require(archive.tiles["0/0/0"])
    #expect(try folder.gunzipped(root).count > 1000)
  }

  @Test func anMBTilesArchiveHasTheSameTiles() throws {
    let (folder, data) = try write("cities.pmtiles", "--max-zoom", "3", "--select", "name")
    let archive = try PMTiles(data, in: folder)
    let (other, _) = try write("cities.mbtiles", "--max-zoom", "3", "--select", "name")
    let database = try SQLiteFile(other["cities.mbtiles"])
    let rows = try database.rows(
      "SELECT zoom_level || '/' || tile_column || '/' || ((1 << zoom_level) - 1 - tile_row), "
        + "hex(tile_data) FROM tiles")
    #expect(rows.count == archive.tiles.count)
    for row in rows {
      let hex = archive.tiles[row[0]]?.map { String(format: "%02X", $0) }.joined()
      #expect(hex == row[1], "\(row[0])")
    }
    let metadata = Dictionary(
      uniqueKeysWithValues: try database.rows("SELECT name, value FROM metadata").map {
        ($0[0], $0[1])
      })
    #expect(metadata["format"] == "pbf" && metadata["maxzoom"] == "3")
    #expect(metadata["json"]?.contains(#""fields":{"name":"String","count":"Number"}"#) == true)
  }

  @Test func filtersAndCountsApply() throws {
    let (folder, data) = try write(
      "few.pmtiles", "--max-zoom", "0", "--bbox", "5,45,11,48", "--layer-name", "alps")
    let archive = try PMTiles(data, in: folder)
    let tile = try folder.gunzipped(try #require(archive.tiles["0/0/0"]))
    #expect(String(decoding: tile, as: UTF8.self).contains("alps"))
    let (cells, counted) = try write("cells.pmtiles", "--max-zoom", "0", "--max-features", "0")
    let small = try PMTiles(counted, in: cells)
    let text = String(
      decoding: try cells.gunzipped(try #require(small.tiles["0/0/0"])), as: UTF8.self)
    #expect(text.contains("count") && !text.contains("population"))
  }

  @Test func noRowsAreAnArchiveWithoutTiles() throws {
    for name in ["none.pmtiles", "none.mbtiles"] {
      let folder = try TemporaryFolder()
      let outcome = try Command.run(
        "tiles", try SampleStores.citiesStore(), "cities", "FALSEPREDICATE", "-o", folder[name])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(FileManager.default.fileExists(atPath: folder[name]))
    }
  }

  @Test(arguments: [
    (["-o", "a.csv"], "ends in .pmtiles or .mbtiles"), (["-o", "-"], ".pmtiles or .mbtiles"),
    (["-o", "a.pmtiles", "--max-zoom", "25"], "at most 24"),
    (["-o", "a.pmtiles", "--min-zoom", "9", "--max-zoom", "3"], "above --max-zoom"),
    (["-o", "a.pmtiles", "--select", "nam"], "name"),
    (["-o", "a.pmtiles", "--geometry", "name"], "--geometry"),
    (["-o", "a.pmtiles", "--max-features", "1000001"], "limit"),
  ])
  func mistakesAreUsageErrors(_ options: [String], _ reason: String) throws {
    let folder = try TemporaryFolder()
    var words = options
    if words[1].hasPrefix("a.") { words[1] = folder[words[1]] }
    let outcome = try Command.run(
      ["tiles", try SampleStores.citiesStore(), "cities"] + words)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func aFolderThatDoesNotExistIsAnIOError() throws {
    let folder = try TemporaryFolder()
    for name in ["none/a.pmtiles", "none/a.mbtiles"] {
      let outcome = try Command.run(
        "tiles", try SampleStores.citiesStore(), "cities", "-o", folder[name], "--max-zoom", "0")
      #expect(outcome.code == 74, "\(outcome.errors)")
    }
  }

  @Test func theStoreIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let store = folder["cities.pmtiles"]
    try FileManager.default.copyItem(atPath: SampleStores.citiesStore(), toPath: store)
    let outcome = try Command.run("tiles", store, "cities", "-o", store)
    #expect(outcome.code == 64 && outcome.errors.contains("the store itself"))
  }

  @Test func theSummaryNamesTheTiles() throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      "tiles", try SampleStores.citiesStore(), "cities", "-o", folder["a.pmtiles"], "--max-zoom",
      "1", "--progress", "json")
    #expect(outcome.errors.contains(#""event":"done""#) && outcome.errors.contains(#""tiles":5"#))
  }
}
