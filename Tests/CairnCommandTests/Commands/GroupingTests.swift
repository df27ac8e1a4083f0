import CairnTestSupport
import Foundation
import Testing

/// Groups by time and location, further figures, and the order of the rows of `stats` and `count`.
@Suite struct GroupingTests {
  private func run(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(["stats", SampleStores.placesStore(), "places"] + arguments)
  }

  private func rows(_ arguments: [String], of command: String = "stats") throws -> [[String: Any]] {
    let outcome = try Command.run(
      [command, SampleStores.placesStore(), "places", "--format", "json"] + arguments)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
  }

  private func rows(_ arguments: String...) throws -> [[String: Any]] { try rows(arguments) }

  @Test func rowsAreCountedWithoutColumns() throws {
    #expect(try run("--format", "json").output == "{\"count\":8}\n")
    #expect(try run("kind == 'city'", "--format", "csv").lines == ["count", "5"])
    #expect(
      try run("--by", "kind", "--format", "csv").lines == [
        "kind,count", "city,5", "station,1", "town,2",
      ])
  }

  @Test func sortAndLimit() throws {
    #expect(
      try run("--by", "kind", "--sort", "count:desc", "-n", "2", "--format", "csv").lines == [
        "kind,count", "city,5", "town,2",
      ])
    #expect(
      try run("--by", "kind", "--sort", "count,kind:desc", "--limit", "1", "--format", "csv").lines
        == ["kind,count", "station,1"])
    let sums = try rows("--of", "population,id", "--by", "kind", "--sort", "column,sum:desc")
    #expect(
      sums.map { "\($0["column"] ?? "")/\($0["kind"] ?? "")" } == [
        "id/city", "id/station", "id/town", "population/city", "population/town",
        "population/station",
      ])
    #expect(try run("--by", "kind", "-n", "0", "--format", "csv").lines == ["kind,count"])
    // A group whose first line is elsewhere is named on each of its lines.
    let table = try run("--of", "population,id", "--by", "kind", "--sort", "column").lines
    #expect(table.dropFirst(2).allSatisfy { !$0.hasPrefix(" ") }, "\(table)")
  }

  @Test func figures() throws {
    let values = [2_560_720, 229_208, 6330, 2_102_650, 84808, 93970, 37391].map(Double.init)
    let sorted = values.sorted()
    let mean = values.reduce(0, +) / 7
    let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 6).squareRoot()
    let outcome = try run(
      "--of", "population", "--figures", "median,p25,p90", "--figures", "stddev,distinct,max,count",
      "--format", "json")
    let stats = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(stats["median"] as? Double == sorted[3])
    #expect(stats["p25"] as? Double == (sorted[1] + sorted[2]) / 2)
    let p90 = try #require(stats["p90"] as? Double)
    #expect(abs(p90 - (sorted[5] * 0.6 + sorted[6] * 0.4)) < 1e-6)
    let found = try #require(stats["stddev"] as? Double)
    #expect(abs(found - deviation) < 1e-6)
    #expect(stats["distinct"] as? Int == 7 && stats["count"] as? Int == 7)
    #expect(stats["max"] as? Int == 2_560_720 && stats["sum"] == nil)
    let kinds = try run(
      "--of", "kind,founded", "--figures", "distinct,median,stddev", "--format", "csv")
    #expect(
      kinds.lines == [
        "column,distinct,median,stddev", "kind,3,,", "founded,5,1827-05-01,",
      ], "\(kinds.output)")
    let empty = try run(
      "id == 9", "--of", "id", "--figures", "median,distinct,stddev", "--format", "csv")
    #expect(empty.lines == ["column,median,distinct,stddev", "id,,0,"])
    let single = try run("id == 4", "--of", "id", "--figures", "median,stddev", "--format", "csv")
    #expect(single.lines == ["column,median,stddev", "id,4.0,"])
  }

  @Test func partsOfDates() throws {
    #expect(
      try run("--by", "year(founded)", "--format", "csv").lines == [
        "year(founded),count", ",3", "1038,1", "1825,1", "1827,1", "1849,1", "1957,1",
      ])
    // Midnight in Greenwich is the evening before in New York.
    #expect(
      try run(
        "id == 6", "--by", "year(founded),month(founded),day(founded),hour(founded),date(founded)",
        "--timezone", "-05:00", "--format", "tsv"
      ).lines.last == "1848\t12\t31\t19\t1848-12-31\t1")
    #expect(
      try rows(["--by", "month(founded)", "--sort", "count:desc", "-n", "1"], of: "count")[0][
        "count"] as? Int == 3)
  }

  @Test func timeZonesWithSummerTime() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "t.csv", "time,lat,lon\n2024-01-15T12:00:00Z,1,1\n2024-07-15T12:00:00Z,1,1\n")
    #expect(try Command.run("import", scratch["s"], file.path, "--class", "t").code == 0)
    let outcome = try Command.run(
      "count", scratch["s"], "t", "--by", "hour(time)", "--timezone", "Europe/Zurich", "--format",
      "csv")
    #expect(outcome.lines == ["hour(time),count", "13,1", "14,1"])
  }

  @Test func cells() throws {
    let cells = try run("--by", "cell(10)", "--sort", "count:desc", "-n", "1", "--format", "json")
    #expect(
      try #require(
        try JSONSerialization.jsonObject(with: Data(cells.output.utf8)) as? [[String: Any]])[0][
          "cell(10)"] as? String == "150,-30,160,-20")
    let hashes = try rows("--by", "geohash(3)", "id IN {4, 5}")
    #expect(hashes.map { $0["geohash(3)"] as? String } == ["u09"])
    #expect(hashes[0]["count"] as? Int == 2)
    // A cell can be given back as a box, and a hexagon as a centre.
    let box = try run("--by", "cell(0.5)", "id == 4", "--format", "csv").lines[1]
    let parts = box.split(separator: "\"")
    #expect(
      try Command.lines(
        "count", SampleStores.placesStore(), "places", "id == 4", "--bbox=\(parts[0])") == ["1"])
    let hexagon = try run("--by", "hex(100km)", "id == 4", "--format", "csv").lines[1]
    let centre = hexagon.split(separator: "\"")[0]
    #expect(
      try Command.lines(
        "count", SampleStores.placesStore(), "places", "id == 4", "--near=\(centre)", "--radius",
        "80km") == ["1"])
  }

  /// Every city lies in the polygon of its cell, and the polygons have the counts.
  @Test(arguments: ["cell(5)", "cell(500km)", "geohash(2)", "hex(400km)"])
  func cellsArePolygons(key: String) throws {
    let store = try SampleStores.citiesStore()
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      "stats", store, "cities", "--by", key, "--of", "population", "--figures", "count,sum", "-o",
      scratch["cells.geojson"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(scratch.text("cells.geojson").utf8))
        as? [String: Any])
    let features = try #require(json["features"] as? [[String: Any]])
    let counts = features.compactMap {
      ($0["properties"] as? [String: Any])?["count"] as? Int
    }
    #expect(counts.count == features.count && counts.reduce(0, +) == 34024)
    // The busiest cells, counted again with the polygon itself.
    let busiest = zip(counts, features).sorted { $0.0 > $1.0 }.prefix(4)
    for (count, feature) in busiest {
      let geometry = try JSONSerialization.data(withJSONObject: feature["geometry"] ?? "")
      let found = try Command.lines(
        "count", store, "cities", "--within", String(decoding: geometry, as: UTF8.self))
      // Edges of hexagons are slightly curved, and a city on an edge counts in both rectangles.
      let number = try #require(Int(found[0]))
      #expect(abs(number - count) <= max(2, count / 50), "\(key): \(number), \(count)")
    }
  }

  /// Maps draw each cell in a colour for its figure.
  @Test func cellsArePictures() throws {
    let store = try SampleStores.citiesStore()
    let scratch = try TemporaryFolder()
    let options = ["stats", store, "cities", "--by", "hex(800km)", "--of", "population"]
    let rows = try Command.run(options + ["--format", "csv"]).lines.count - 1
    for name in ["a.svg", "a.html"] {
      let outcome = try Command.run(options + ["--figures", "sum,count", "-o", scratch[name]])
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let svg = try scratch.text("a.svg")
    #expect(svg.matches(of: /class="area"/).count >= rows && svg.contains(">sum:"))
    #expect(try scratch.text("a.html").contains("sum"))
    let map = try Command.run("count", store, "cities", "--by", "hex(800km)", "--format", "map")
    #expect(map.code == 0 && map.output.contains("\(rows) rows"), "\(map.errors)")
  }

  @Test func mistakes() throws {
    for (arguments, said) in [
      (["--by", "year(kind)"], "--by year(kind): 'kind' is not a date"),
      (["--by", "year(foundet)"], "did you mean 'founded'?"),
      (["--by", "yeer(founded)"], "'yeer' is not a function; did you mean 'year'?"),
      (["--by", "cell(0)"], "--by: cell needs a size in degrees, up to 90, as in cell(1)"),
      (["--by", "cell(91)"], "as in cell(1)"),
      (["--by", "cell(1m)"], "--by: cell needs a width from 10 m to 5000 km, as in cell(50km)"),
      (["--by", "geohash(13)"], "--by: geohash needs a length from 1 to 12, as in geohash(5)"),
      (["--by", "hex(50)"], "--by: hex: a radius needs a unit"),
      (["--by", "hex(1m)"], "--by: hex needs a width from 10 m to 5000 km, as in hex(50km)"),
      (["--by", "kinds"], "did you mean 'kind'?"),
      (["--by", "kind", "--timezone", "+01:00"], "--timezone applies only to dates in --by"),
      (["--timezone", "+01:00"], "--timezone applies only to dates in --by"),
      (["--figures", "sum"], "--figures needs --of COL,..."),
      (["--of", "id", "--figures", "medain"], "'medain' is not a figure; did you mean 'median'?"),
      (["--of", "id", "--figures", "p101"], "'p101' is not a figure"),
      (["--of", "id", "--figures", "sum,sum"], "--figures names 'sum' twice"),
      (["--by", "kind", "--sort", "cuont"], "no column 'cuont'; did you mean 'count'?"),
      (["--by", "kind", "--format", "geojson"], "needs groups by location, as in --by hex(50km)"),
      (["--by", "kind", "-o", "a.html"], "needs groups by location"),
      (["--histogram"], "--histogram needs --of COL,..."),
      (
        ["--of", "id", "--by", "year(founded)", "--histogram"],
        "--histogram takes only columns of the class in --by"
      ),
      (
        ["--of", "id", "--histogram", "-n", "1"],
        "--limit does not apply to the bars of --histogram"
      ),
    ] {
      let outcome = try Command.run(["stats", SampleStores.placesStore(), "places"] + arguments)
      #expect(
        outcome.code == 64 && outcome.errors.contains(said), "\(arguments): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
    let count = try Command.run("count", SampleStores.placesStore(), "places", "--sort", "count")
    #expect(count.code == 64 && count.errors.contains("--sort applies only to --by"))
  }

  @Test func linesAndAreasHaveNoCell() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "id,wkt\n1,\"LINESTRING (1 1, 2 2)\"\n")
    #expect(try Command.run("import", scratch["s"], file.path, "--class", "a").code == 0)
    let outcome = try Command.run("count", scratch["s"], "a", "--by", "cell(1)")
    #expect(outcome.code == 64 && outcome.errors.contains("which may lie in several cells"))
  }
}
