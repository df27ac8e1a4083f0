import CairnTestSupport
import Foundation
import Testing

/// The options for the columns and rows of an import: `--columns`, `--drop`, `--rename`, `--where`,
/// `--file-name-as`, `--location-optional` and `--deduplicate`.
@Suite struct ImportSelectionTests {
  private static let csv = """
    id,name,lat,lon,pop,note
    1,Bern,46.948,7.447,133883,capital
    2,Köniz,46.924,7.414,41784,
    3,Thun,46.751,7.621,43734,lake
    4,Basel,47.558,7.573,178120,rhine

    """

  private static let json = """
    [{"id":1,"name":"Bern","lat":46.948,"lon":7.447,"pop":133883,"note":"capital"},
     {"id":2,"name":"Köniz","lat":46.924,"lon":7.414,"pop":41784},
     {"id":3,"name":"Thun","lat":46.751,"lon":7.621,"pop":43734,"note":"lake"},
     {"id":4,"name":"Basel","lat":47.558,"lon":7.573,"pop":178120,"note":"rhine"}]
    """

  private static let geojson = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[7.447,46.948]},
     "properties":{"name":"Bern","pop":133883,"note":"capital"}},
    {"type":"Feature","id":2,"geometry":{"type":"Point","coordinates":[7.414,46.924]},
     "properties":{"name":"Köniz","pop":41784}},
    {"type":"Feature","id":3,"geometry":{"type":"Point","coordinates":[7.621,46.751]},
     "properties":{"name":"Thun","pop":43734,"note":"lake"}},
    {"type":"Feature","id":4,"geometry":{"type":"Point","coordinates":[7.573,47.558]},
     "properties":{"name":"Basel","pop":178120,"note":"rhine"}}]}
    """

  /// The same rows in three formats.
  private static let files = ["towns.csv": csv, "towns.json": json, "towns.geojson": geojson]

  /// Imports a file into a new store, and returns the rows as CSV and the summary.
  private func imported(
    _ file: String, _ text: String, _ options: String...
  ) throws -> (rows: [String], summary: String) {
    let scratch = try TemporaryFolder()
    let path = try scratch.file(file, text).path
    let outcome = try Command.run(["import", scratch["s"], path, "--class", "t"] + options)
    try #require(outcome.code == 0, "\(file) \(options): \(outcome.errors)")
    let rows = try Command.lines(
      "query", scratch["s"], "t", "--format", "csv", "--sort", "name")
    return (rows, outcome.errors)
  }

  @Test(arguments: ["towns.csv", "towns.json", "towns.geojson"])
  func columns(file: String) throws {
    let text = try #require(Self.files[file])
    let (rows, _) = try imported(file, text, "--columns", "name,pop")
    #expect(Set(rows[0].split(separator: ",")) == ["name", "latitude", "longitude", "pop"])
    #expect(rows.count == 5 && rows[1].contains("Basel") && rows[1].contains("178120"))
    let (others, _) = try imported(file, text, "--drop", "note", "--drop", "id")
    #expect(Set(others[0].split(separator: ",")) == ["name", "latitude", "longitude", "pop"])
    #expect(others.sorted() == rows.sorted())
  }

  @Test(arguments: ["towns.csv", "towns.json", "towns.geojson"])
  func renaming(file: String) throws {
    let text = try #require(Self.files[file])
    let (rows, _) = try imported(
      file, text, "--rename", "pop=people", "--rename", "id=key", "--key", "key", "--drop", "note",
      "--type", "people=text")
    #expect(
      Set(rows[0].split(separator: ",")) == ["key", "name", "latitude", "longitude", "people"])
    #expect(rows[1].contains("Basel") && rows[1].contains("178120") && rows[1].contains("4"))
    // Two columns may exchange their names.
    let (swapped, _) = try imported(
      file, text, "--rename", "note=pop", "--rename", "pop=note", "--columns", "name,note,pop")
    #expect(swapped[1].contains("rhine"))
    let names = swapped[0].split(separator: ",")
    let values = swapped[1].split(separator: ",")
    let note = try #require(names.firstIndex(of: "note"))
    #expect(values[note] == "178120")
  }

  @Test func locationsCanBeNamedAndRenamed() throws {
    let (rows, _) = try imported(
      "a.csv", "name,y1,x1,z\na,1,2,3\n", "--lat", "y1", "--lon", "x1", "--rename", "z=lat",
      "--columns", "name,y1,x1,z")
    #expect(rows[1].contains("a") && rows[0].contains("lat"))
  }

  @Test func conditions() throws {
    for (file, text) in Self.files {
      let (rows, summary) = try imported(
        file, text, "--where", "pop > 43000 AND name != 'Thun'", "--drop", "id")
      #expect(rows.count == 3 && rows[1].contains("Basel") && rows[2].contains("Bern"))
      #expect(summary.contains("2 skipped by the condition"), "\(summary)")
      #expect(summary.contains("2 rows imported"))
    }
    // A condition sees nulls, the new names, and the location.
    let (rows, _) = try imported(
      "towns.csv", Self.csv, "--rename", "note=text", "--where",
      "text == nil OR location GEOWITHIN geoCircle([7.573, 47.558], 1km)")
    #expect(rows.dropFirst().count == 2)
  }

  /// Conditions of an import and of a query agree, for values of every type and many rows.
  @Test func conditionsAgreeWithQueries() throws {
    let scratch = try TemporaryFolder()
    var random = SplitMix64(seed: 9)
    var text = "id,lat,lon,n,d,t,b,w\n"
    for id in 0..<20_000 {
      func value(_ value: String) -> String { random.chance(0.1) ? "" : value }
      text += "\(id),\(random.below(90)),\(random.below(180)),"
      text += value("\(random.below(100))") + "," + value("\(Double(random.below(1000)) / 8)") + ","
      text += value("w\(random.below(50))") + "," + value(random.chance(0.5) ? "true" : "false")
      text += "," + value("2024-0\(1 + random.below(9))-11") + "\n"
    }
    let file = try scratch.file("a.csv", text)
    #expect(try Command.run("import", scratch["all"], file.path, "--class", "t").code == 0)
    for (index, condition) in [
      "n < 30 OR d > 100", "t MATCHES[c] 'W\\\\d+[02468]'", "NOT (t LIKE 'w?' OR n > d)",
      "t BEGINSWITH 'w1' AND b == true", "w >= 2024-05-01", "t == nil",
      "NOT (n BETWEEN {10, 90}) AND location GEOWITHIN geoBox([10, 10], [100, 60])",
    ].enumerated() {
      let store = scratch["s\(index)"]
      let outcome = try Command.run(
        "import", store, file.path, "--class", "t", "--where", condition)
      #expect(outcome.code == 0, "\(outcome.errors)")
      func rows(_ store: String, _ arguments: String...) throws -> [String] {
        try Command.lines(
          "query", store, "t", arguments.first ?? "TRUEPREDICATE", "--sort", "id", "--format", "csv"
        )
      }
      #expect(try rows(store) == rows(scratch["all"], condition), "\(condition)")
    }
  }

  @Test func fileNames() throws {
    let scratch = try TemporaryFolder()
    let files = try Self.files.map { try scratch.file($0.key, $0.value).path }
    let outcome = try Command.run(
      ["import", scratch["s"]] + files + ["--class", "t", "--file-name-as", "file"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let counts = try Command.lines(
      "count", scratch["s"], "t", "--by", "file", "--format", "csv")
    #expect(counts == ["file,count", "towns.csv,4", "towns.geojson,4", "towns.json,4"])
    // A second import fills the same property.
    let again = try Command.run(
      "import", scratch["s"], files[0], "--class", "t", "--file-name-as", "file")
    #expect(again.code == 0, "\(again.errors)")
    #expect(try Command.lines("count", scratch["s"], "t", "file == nil") == ["0"])
  }

  @Test func missingLocations() throws {
    let csv = "name,lat,lon\na,1,2\nb,,\nc,3,4\n"
    let json = #"[{"name":"a","lat":1,"lon":2},{"name":"b"},{"name":"c","lat":3,"lon":4}]"#
    let geojson = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"name":"a"}},
      {"type":"Feature","geometry":null,"properties":{"name":"b"}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[4,3]},"properties":{"name":"c"}}]}
      """
    for (file, text) in ["a.csv": csv, "a.json": json, "a.geojson": geojson] {
      let (rows, _) = try imported(file, text, "--location-optional")
      #expect(
        rows.dropFirst().map { $0.filter { $0 != "\"" } } == ["a,1.0,2.0", "b,,", "c,3.0,4.0"]
          || rows.dropFirst() == ["1.0,2.0,a", ",,b", "3.0,4.0,c"], "\(file): \(rows)")
      let scratch = try TemporaryFolder()
      let path = try scratch.file(file, text).path
      #expect(try Command.run("import", scratch["s"], path).code == 65)
    }
    // A coordinate that is wrong is still an error.
    let scratch = try TemporaryFolder()
    let bad = try scratch.file("b.csv", "name,lat,lon\na,1,2\nb,99,2\n").path
    #expect(try Command.run("import", scratch["s"], bad, "--location-optional").code == 65)
  }

  // MARK: Duplicates

  private static func metres(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
    let (p, q) = (a.0 * .pi / 180, b.0 * .pi / 180)
    let across = sin((a.1 - b.1) * .pi / 360)
    let h = pow(sin((p - q) / 2), 2) + cos(p) * cos(q) * across * across
    return 2 * 6_378_100 * asin(min(1, h.squareRoot()))
  }

  /// The rows that stay are those of a plain loop, near the poles and the antimeridian too.
  @Test(arguments: [("50m", 50.0), ("3km", 3000.0), ("400km", 400_000.0)])
  func duplicates(text: String, metres: Double) throws {
    let scratch = try TemporaryFolder()
    var random = SplitMix64(seed: UInt64(metres))
    let centres: [(Double, Double)] = [(47, 8), (89.999, 0), (-10, 179.9999), (0, 0), (-89.5, 90)]
    let spread = metres / 111_000 * 4
    let places = (0..<1500).map { _ -> (Double, Double) in
      let centre = random.pick(centres)
      let latitude = min(
        90, max(-90, centre.0 + Double.random(in: -spread...spread, using: &random)))
      var longitude = centre.1 + Double.random(in: -spread...spread, using: &random)
      if longitude > 180 { longitude -= 360 }
      let scale = 1e7
      return ((latitude * scale).rounded() / scale, (longitude * scale).rounded() / scale)
    }
    func file(_ name: String, _ rows: Range<Int>) throws -> String {
      try scratch.file(
        name,
        "id,lat,lon\n" + rows.map { "\($0),\(places[$0].0),\(places[$0].1)\n" }.joined()
      ).path
    }
    var kept: [Int] = []
    for row in places.indices
    where !kept.contains(where: { Self.metres(places[$0], places[row]) < metres }) {
      kept.append(row)
    }
    let first = try Command.run(
      "import", scratch["s"], try file("a.csv", 0..<700), "--class", "p", "--deduplicate", text)
    #expect(first.code == 0, "\(first.errors)")
    let second = try Command.run(
      "import", scratch["s"], try file("b.csv", 700..<1500), "--class", "p", "--deduplicate", text)
    #expect(second.errors.contains("skipped as duplicates"), "\(second.errors)")
    let ids = try Command.lines(
      "query", scratch["s"], "p", "--select", "id", "--sort", "id", "--format", "csv")
    #expect(ids.dropFirst().compactMap { Int($0) } == kept)
  }

  @Test func dryRunsCountSkippedRows() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.file("towns.csv", Self.csv).path
    let outcome = try Command.run(
      "import", scratch["s"], path, "--where", "pop > 42000", "--deduplicate", "30km", "--dry-run")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("2 rows would be imported"), "\(outcome.output)")
    #expect(
      outcome.errors.contains("1 skipped by the condition, 1 skipped as duplicates"),
      "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch["s"]))
    let progress = try Command.run(
      "import", scratch["s"], path, "--where", "pop > 42000", "--deduplicate", "30km", "--progress",
      "json")
    #expect(
      progress.errors.contains("\"unmatched\":1") && progress.errors.contains("\"duplicates\":1"),
      "\(progress.errors)")
  }

  @Test func mistakes() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.file("towns.csv", Self.csv).path
    for (options, said) in [
      (["--columns", "nmae"], "the files have no column `nmae`; did you mean `name`?"),
      (["--drop", "lat"], "`lat` holds coordinates, which are neither left out nor renamed"),
      (["--rename", "lon=x"], "`lon` holds coordinates"),
      (["--drop", "x"], "the files have no column `x`"),
      (["--rename", "nmae=a"], "the files have no column `nmae`"),
      (["--rename", "name"], "expected COLUMN=NAME, as in Ort=city"),
      (["--rename", "pop=name"], "two columns would become the property `name`"),
      (["--rename", "pop=a", "--rename", "pop=b"], "--rename names 'pop' twice"),
      (["--rename", "pop=a", "--rename", "id=a"], "--rename makes two columns 'a'"),
      (["--columns", "id", "--drop", "name"], "--columns and --drop cannot be used together"),
      (["--where", "popp > 1"], "popp"),
      (["--where", "pop >"], "Expected"),
      (["--where", "pop > 1", "--drop", "pop"], "pop"),
      (["--file-name-as", "name"], "the files have a column `name` already"),
      (["--deduplicate", "50"], "needs a unit"),
      (["--deduplicate", "0m"], "--deduplicate needs a distance above 0"),
      (
        ["--deduplicate", "5m", "--key", "id", "--on-conflict", "replace"],
        "--deduplicate and --on-conflict replace cannot be used together"
      ),
      (["--rename", "id=key", "--key", "id"], "no property is named `id`"),
    ] {
      let outcome = try Command.run(["import", scratch["s"], path] + options)
      #expect(outcome.code == 64 && outcome.errors.contains(said), "\(options): \(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: scratch["s"]), "\(options)")
    }
    let lines = try scratch.file("l.csv", "id,wkt\n1,\"LINESTRING (1 1, 2 2)\"\n").path
    let outcome = try Command.run("import", scratch["s"], lines, "--deduplicate", "5m")
    #expect(outcome.code == 64 && outcome.errors.contains("needs locations"), "\(outcome.errors)")
  }
}
