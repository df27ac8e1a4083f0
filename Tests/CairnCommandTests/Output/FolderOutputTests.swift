import CairnTestSupport
import Foundation
import Testing

/// `--partition-by`: folders of Parquet, one for each value.
@Suite struct FolderOutputTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func lines(_ words: [String]) throws -> [String] {
    let outcome = try scratch.run(words)
    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
    return outcome.lines
  }

  /// The names in a folder, hidden ones too.
  private func names(_ folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch[folder]).sorted()
  }

  @Test func citiesByCountry() throws {
    let store = try SampleStores.citiesStore()
    _ = try lines(["export", store, "cities", "-o", "lake", "--partition-by", "country"])
    #expect(try names() == ["lake"])
    let counts = try lines(["count", store, "cities", "--by", "country", "--format", "csv"])
    #expect(counts.count > 200)
    #expect(
      try names("lake") == counts.dropFirst().map { "country=\($0.split(separator: ",")[0])" })
    for country in ["CH", "FR", "US"] {
      let file = "lake/country=\(country)/part-0.parquet"
      #expect(try names("lake/country=\(country)") == ["part-0.parquet"])
      let columns = try lines(["query", file, "--limit", "0", "--format", "csv"])
      #expect(columns == ["id,name,admin1,population,latitude,longitude"])
      let select = ["--select", "id,name,population,location", "--sort", "id", "--format", "csv"]
      #expect(
        try lines(["query", file] + select)
          == lines(["query", store, "cities", "country == '\(country)'"] + select))
    }
  }

  /// A table without locations keeps the order of its file when it is read.
  @Test(arguments: [
    [], ["--sort", "population:desc"], ["--sort", "name", "--limit", "5000", "--offset", "100"],
    ["population > 10000", "--sort", "country,id:desc"], ["--distinct", "name"],
  ])
  func rowsKeepTheirOrder(options: [String]) throws {
    let store = try SampleStores.citiesStore()
    let words = ["cities"] + options
    _ = try lines(
      ["export", store] + words
        + ["--select", "id,name", "--partition-by", "country", "-o", "lake"])
    let all = try lines(
      ["query", store] + words + ["--select", "country,id,name", "--format", "tsv"])
    var wanted: [Substring: [String]] = [:]
    for line in all.dropFirst() {
      let parts = line.split(separator: "\t", maxSplits: 1)
      wanted[parts[0], default: []].append(String(parts[1]))
    }
    #expect(try names("lake") == wanted.keys.sorted().map { "country=\($0)" })
    for country in ["CH", "FR", "AR", "GB"] {
      let file = "lake/country=\(country)/part-0.parquet"
      let found = try lines(["query", file, "--format", "tsv"])
      #expect(Array(found.dropFirst()) == wanted[Substring(country)], "\(country)")
    }
  }

  @Test(arguments: [
    ("cities", "cell(10)", "cell"), ("cities", "cell(500km) AS zone", "zone"),
    ("cities", "population > 100000 AS large", "large"), ("earthquakes", "year(time)", "year"),
    ("earthquakes", "month(time) AS m", "m"), ("cities", "hex(500km)", "hex"),
  ])
  func derivedValuesNameFolders(file: String, key: String, name: String) throws {
    let data = Repository.data(file == "cities" ? "cities.csv" : "earthquakes.geojson")
    let types = file == "cities" ? [] : ["--type", "time=epoch-ms"]
    _ = try lines(["import", "s", data, "--class", "rows"] + types)
    _ = try lines(["export", "s", "rows", "-o", "lake/", "--partition-by", key])
    let inner = key.components(separatedBy: " AS ")[0]
    let wanted = try lines(["count", "s", "rows", "--by", inner, "--format", "csv"])
    let found = try lines(["count", "lake", "--by", name, "--format", "csv"])
    #expect(found.dropFirst().sorted() == wanted.dropFirst().sorted())
    #expect(wanted.count > 1)
    // The columns of the rows stay.
    #expect(try lines(["count", "lake", "location != null"]) == lines(["count", "s", "rows"]))
  }

  @Test func foldersNest() throws {
    let store = try SampleStores.citiesStore()
    _ = try lines([
      "query", store, "cities", "country BEGINSWITH 'A'", "-o", "lake", "--partition-by",
      "country, admin1",
    ])
    #expect(try names("lake/country=AT").contains("admin1=01"))
    let wanted = try lines([
      "count", store, "cities", "country BEGINSWITH 'A'", "--by", "country,admin1", "--format",
      "csv",
    ])
    #expect(try lines(["count", "lake", "--by", "country,admin1", "--format", "csv"]) == wanted)
  }

  /// Values that names of folders cannot have as they are.
  @Test func oddValuesAreReadBack() throws {
    let texts = [
      "plain", "a b", "x=y/z", "100%", "%41", "Zürich", "Ω?*", ".", "..", "\"q\"", "a:b", "{[^]}",
      "'",
      "true", "1", "01", "1.5", "-", "~", "😀", "a+b", "_x", String(repeating: "ü", count: 120),
    ]
    var csv = "id,text\n"
    for (id, text) in texts.enumerated() {
      csv += "\(id),\"\(text.replacing("\"", with: "\"\""))\"\n"
    }
    csv += "\(texts.count),\n"
    _ = try scratch.file("t.csv", csv)
    _ = try lines(["import", "s", "t.csv", "--type", "text=text"])
    _ = try lines(["export", "s", "t", "-o", "lake", "--partition-by", "text"])
    let query = ["--select", "id,text", "--sort", "id", "--format", "jsonl"]
    let found = try lines(["query", "lake"] + query)
    #expect(try found == lines(["query", "s", "t"] + query))
    #expect(found.count == texts.count + 1)
  }

  @Test func emptyTextsAreNull() throws {
    _ = try scratch.file("t.json", #"[{"id":1,"t":""},{"id":2,"t":null},{"id":3,"t":"x"}]"#)
    _ = try lines(["import", "s", "t.json", "--no-location"])
    let outcome = try scratch.run(["export", "s", "t", "-o", "lake", "--partition-by", "t"])
    #expect(
      outcome.code == 0 && outcome.errors.contains("empty values of 't'"), "\(outcome.errors)")
    #expect(try names("lake/t=__HIVE_DEFAULT_PARTITION__") == ["part-0.parquet", "part-1.parquet"])
    #expect(
      try lines(["query", "lake", "--select", "id,t", "--sort", "id", "--format", "csv"])
        == ["id,t", "1,", "2,", "3,x"])
  }

  @Test func otherCommandsWriteFolders() throws {
    _ = try scratch.file(
      "areas.csv",
      "name,wkt\na,\"POLYGON((0 0,4 0,4 4,0 4,0 0))\"\nb,\"POLYGON((6 0,9 0,9 4,6 4,6 0))\"\n")
    _ = try lines(["import", "s", "areas.csv"])
    _ = try lines([
      "clip", "s", "areas", "--to", "POLYGON((0 0,2 0,2 9,0 9,0 0))", "-o", "cut", "--partition-by",
      "name",
    ])
    #expect(try names("cut") == ["name=a"])
    _ = try lines([
      "simplify", "s", "areas", "--tolerance", "1m", "-o", "simple", "--partition-by", "name",
      "--quiet",
    ])
    let query = ["--select", "name,geometry.area", "--sort", "name", "--format", "csv"]
    #expect(try lines(["query", "simple"] + query) == lines(["query", "s", "areas"] + query))
  }

  @Test func foldersThatExist() throws {
    _ = try scratch.file("t.csv", "id,k\n1,a\n2,b\n")
    try FileManager.default.createDirectory(
      atPath: scratch["empty"], withIntermediateDirectories: false)
    _ = try lines(["export", "t.csv", "-o", "empty", "--partition-by", "k"])
    #expect(try names("empty") == ["k=a", "k=b"])
    let again = try scratch.run(["export", "t.csv", "-o", "empty", "--partition-by", "k"])
    #expect(again.code == 64 && again.errors.contains("not empty"), "\(again.errors)")
    let file = try scratch.run(["export", "t.csv", "-o", "t.csv", "--partition-by", "k"])
    #expect(file.code == 64, "\(file.errors)")
    let missing = try scratch.run(["export", "t.csv", "-o", "none/lake", "--partition-by", "k"])
    #expect(missing.code == 74 && missing.errors.contains("cannot write"), "\(missing.errors)")
    #expect(try names() == ["empty", "t.csv"])
    let mode = try FileManager.default.attributesOfItem(atPath: scratch["empty"])[.posixPermissions]
    let inner = try FileManager.default.attributesOfItem(atPath: scratch["empty/k=a"])[
      .posixPermissions]
    #expect(mode as? Int == inner as? Int)
  }

  @Test(arguments: [
    (["-o", "lake", "--partition-by", "kk"], "has no column 'kk'; did you mean 'k'?"),
    (["-o", "lake", "--partition-by", "k,k"], "names 'k' twice"),
    (["-o", "lake.csv", "--partition-by", "k"], "not of csv"),
    (["-o", "lake", "--format", "geojson", "--partition-by", "k"], "not of geojson"),
    (["-o", "-", "--partition-by", "k"], "--output names"),
    (["-o", "lake", "--partition-by", "k", "--explain"], "--explain"),
    (["-o", "lake", "--partition-by", "n + 1"], "n + 1 AS name"),
    (["-o", "lake", "--partition-by", "location"], "cell(1)"),
    (["-o", "lake", "--partition-by", "cell(200)"], "--partition-by: cell needs a size"),
    (["-o", "lake", "--partition-by", "yeer(k)"], "'yeer' is not a function"),
    (["-o", "lake", "--partition-by", "n AS id"], "another column 'id'"),
    (["-o", "lake", "--partition-by", "k", "--select", "k"], "no column is left"),
    (["-o", "lake", "--partition-by", "k", "--delimiter", ";"], "--delimiter"),
    (["-o", "lake", "--partition-by", "wide"], "too long"),
    (["-o", "lake", "--partition-by", "mark"], "means null"),
  ])
  func mistakes(options: [String], said: String) throws {
    let long = String(repeating: "x", count: 300)
    _ = try scratch.file(
      "t.csv",
      "id,k,n,wide,mark,lat,lon\n1,a,5,\(long),__HIVE_DEFAULT_PARTITION__,1,2\n2,b,6,y,z,3,4\n")
    let outcome = try scratch.run(["export", "t.csv"] + options)
    #expect(outcome.code == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    #expect(try names() == ["t.csv"])
  }

  @Test func tooManyValues() throws {
    _ = try scratch.file("t.csv", "id,k\n" + (0...10_000).map { "\($0),\($0)\n" }.joined())
    let outcome = try scratch.run(["export", "t.csv", "-o", "lake", "--partition-by", "k"])
    #expect(
      outcome.code == 64 && outcome.errors.contains("more than 10000 values"), "\(outcome.errors)")
    #expect(try names() == ["t.csv"])
  }

  /// The third folder does not fit: nothing is left of the others.
  @Test func nothingIsLeftOfAFailure() throws {
    var csv = "id,k,text\n"
    for id in 0..<20_000 {
      csv += "\(id),\(id < 2 ? id : 9),\(String(UInt64(id) &* 0x9E37_79B9_7F4A_7C15, radix: 36))\n"
    }
    _ = try scratch.file("t.csv", csv)
    _ = try lines(["import", "s", "t.csv", "--no-location"])
    let before = try names()
    let outcome = try Command.shell(
      "ulimit -f 20; trap '' XFSZ; cairn export s t -o lake --partition-by k", in: scratch.url)
    #expect(outcome.code != 0 && !outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try names() == before)
  }
}
