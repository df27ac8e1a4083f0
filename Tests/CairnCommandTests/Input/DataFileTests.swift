import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// Files of data in place of a store: the answers are those of a store into which they were imported.
@Suite struct DataFileTests {
  private let scratch: TemporaryFolder

  private static let towns =
    "name,code,pop,lat,lon\nA,x,5,47,8\nB,y,50,46,7\nC,x,500,45,6\nD,,7,,\n"
  private static let zones = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"zone":"north"},"geometry":{"type":"Polygon","coordinates":\
    [[[0,45.5],[10,45.5],[10,50],[0,50],[0,45.5]]]}},
    {"type":"Feature","properties":{"zone":"south"},"geometry":{"type":"Polygon","coordinates":\
    [[[0,40],[10,40],[10,45.5],[0,45.5],[0,40]]]}}]}
    """

  init() throws {
    scratch = try TemporaryFolder()
    _ = try scratch.file("towns.csv", Self.towns)
    _ = try scratch.file("zones.geojson", Self.zones)
    _ = try Command.lines(
      "import", scratch["w.cairn"], scratch["towns.csv"], "--location-optional")
    _ = try Command.lines("import", scratch["w.cairn"], scratch["zones.geojson"])
  }

  /// Runs a command in the folder.
  private func run(_ words: String..., input: String? = nil) throws -> Command.Outcome {
    try Command.run(words, input: input, folder: scratch.url)
  }

  private func lines(_ words: [String], input: String? = nil) throws -> [String] {
    let outcome = try Command.run(words, input: input, folder: scratch.url)
    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(words): \(outcome.errors)")
    return outcome.lines
  }

  // MARK: One class

  @Test(arguments: [
    ["count"], ["count", "pop > 6"], ["count", "--by", "code"],
    ["count", "--near", "47,8", "--radius", "5km"],
    ["query", "--format", "csv"], ["query", "pop > 6", "--sort", "pop:desc", "--select", "name"],
    ["query", "--within", "zones.geojson", "--select", "name,location.wkt"],
    ["stats", "--of", "pop"], ["stats", "pop < 100", "--of", "pop", "--by", "code"],
    ["export", "--output", "-", "--format", "geojson"],
    ["cluster", "--count", "2", "--format", "csv"],
    ["dissolve", "--by", "code", "--how", "hull", "--format", "csv"], ["sql", "pop > 6"],
    ["query", "pop > 6", "--explain"],
  ])
  func fileAnswersLikeTheStore(words: [String]) throws {
    func answer(_ source: [String]) throws -> [String] {
      let lines = try lines([words[0]] + source + words.dropFirst())
      // A plan tells how long it took, and where.
      return words.contains("--explain")
        ? lines.filter { $0.hasPrefix("matches") } : lines
    }
    let expected = try answer(["w.cairn", "towns"])
    #expect(!expected.isEmpty)
    for source in [
      ["towns.csv"], ["./towns.csv"], ["towns.csv", "towns"], ["towns.csv:towns"],
      ["w.cairn:towns"],
      [scratch["towns.csv"]], [".", "towns"],
    ] {
      #expect(try answer(source) == expected, "\(source)")
    }
  }

  @Test func formatsAndCompression() throws {
    for name in ["t.parquet", "t.arrow", "t.geojson", "t.csv.gz", "t.jsonl"] {
      _ = try lines(["export", "towns.csv", "-o", name, "--quiet"])
      #expect(try lines(["count", name, "pop > 6"]) == ["3"], "\(name)")
      #expect(try lines(["count", name, "--bbox", "6.5,45,9,48"]) == ["2"], "\(name)")
    }
    // What a file is shows in its first bytes.
    try FileManager.default.copyItem(atPath: scratch["t.parquet"], toPath: scratch["file"])
    #expect(try lines(["count", "file"]) == ["4"])
    #expect(try lines(["count", "file", "code == 'x'"]) == ["2"])
  }

  /// Only the rows that match and the columns that are named are read, with the same answers.
  @Test(arguments: [
    "grid.csv", "grid.geojson", "grid.jsonl", "grid.arrow", "1/grid.parquet", "7/grid.parquet",
    "1000/grid.parquet",
  ])
  func partsAnswerLikeAll(name: String) throws {
    let rows = (0..<400).map { "\($0),\($0 % 20),name \($0 % 7),\($0 / 20),\($0 % 20)\n" }
    _ = try scratch.file("grid.csv", "id,column,name,lat,lon\n" + rows.joined())
    _ = try lines(["import", "w.cairn", "grid.csv", "--quiet"])
    if name.hasSuffix(".parquet") {
      let size = String(name.split(separator: "/")[0])
      try FileManager.default.createDirectory(
        atPath: scratch[size], withIntermediateDirectories: false)
      _ = try lines([
        "export", "w.cairn", "grid", "-o", name, "--row-group-size", size, "--quiet",
      ])
    } else if name != "grid.csv" {
      _ = try lines(["export", "w.cairn", "grid", "-o", name, "--quiet"])
    }
    for words in [
      // Rows that an option names are found among all.
      ["count", "id < 20", "--near", "grid:id == 399", "--radius", "2500km"],
      ["count", "id < 20", "--within", "grid:id > 380"],
      ["count"], ["count", "--bbox", "3,4,5,6"], ["count", "id < 20"], ["count", "id > 1000"],
      ["count", "name == 'name 3' AND id < 50", "--bbox", "0,0,9,9"],
      ["count", "--near", "4,4", "--radius", "250km"], ["count", "length(name) == id"],
      ["count", "location.latitude > 4 AND id < 200"], ["count", "NOT name CONTAINS '3'"],
      ["count", "id < 10 OR column == 19"], ["query", "id BETWEEN {30, 35}", "--format", "csv"],
      ["query", "--bbox", "3,4,5,6", "--format", "geojson"],
      ["query", "--bbox", "170,4,5,6", "--format", "geojson", "--select", "name"],
      ["query", "--select", "name,id * 2 AS double", "double < 9", "--format", "jsonl"],
      ["query", "--select", "id", "--sort", "column:desc", "--limit", "5", "--offset", "2"],
      ["query", "--distinct", "name", "--select", "id", "--format", "csv"],
      ["query", "id < 100", "--sample", "5", "--seed", "7", "--select", "column"],
      ["query", "id < 9", "--format", "svg", "--select", "name", "--colour-by", "column"],
      ["stats", "id >= 380", "--of", "column", "--by", "name"],
      ["stats", "--of", "column", "--by", "cell(5)", "--format", "csv"],
      ["count", "--by", "name", "--sort", "count:desc"],
      ["stats", "--of", "id", "--histogram"],
      ["query", "--near", "4,4", "--limit", "3", "id < 100", "--select", "id"],
      ["query", "--near", "4,4", "--radius", "200km", "--select", "id,distance"],
      ["dissolve", "id < 50", "--by", "name", "--how", "hull", "--format", "csv"],
      ["cluster", "--bbox", "0,0,9,9", "--count", "2", "--format", "csv"],
    ] {
      let options = words.dropFirst()
      #expect(
        try lines([words[0], name, "grid"] + options)
          == lines([words[0], "w.cairn", "grid"] + options), "\(words)")
    }
  }

  /// A note on swapped coordinates looks for rows that were not read.
  @Test(arguments: ["towns.csv", "towns.parquet"]) func swappedCoordinatesAreSuggested(name: String)
    throws
  {
    if name != "towns.csv" { _ = try lines(["export", "towns.csv", "-o", name, "--quiet"]) }
    for (words, count) in [
      (["count", name, "towns", "--bbox", "46,7,48,9"], "2 rows"),
      (["query", name, "towns", "pop > 40", "--near", "7,46", "--radius", "5km"], "1 row"),
    ] {
      let swapped = try Command.run(words, folder: scratch.url)
      #expect(
        swapped.errors.contains("no rows match, but \(count) would with"), "\(swapped.errors)")
    }
  }

  /// So are the rows that the area of a cut is made of.
  @Test func cutsOfPartsOfParquet() throws {
    let squares = (0..<8).map { square in
      let (west, east) = (square * 10, square * 10 + 15)
      return #"{"type":"Feature","properties":{"id":\#(square)},"geometry":{"type":"Polygon","#
        + #""coordinates":[[[\#(west),0],[\#(east),0],[\#(east),9],[\#(west),9],[\#(west),0]]]}}"#
    }
    _ = try scratch.file(
      "squares.geojson",
      #"{"type":"FeatureCollection","features":["# + squares.joined(separator: ",") + "]}")
    _ = try lines([
      "export", "squares.geojson", "-o", "squares.parquet", "--row-group-size", "1", "--quiet",
    ])
    let cut = ["id == 3", "--to", "squares:id == 4", "--select", "id,area", "--format", "csv"]
    let expected = try lines(["clip", "squares.geojson"] + cut)
    #expect(expected.count == 2)
    #expect(try lines(["clip", "squares.parquet"] + cut) == expected)
  }

  /// Input that can be read once is read once, and errors are those of a store.
  @Test func inputThatCannotBeReadAgain() throws {
    let swapped = try run("count", "-", "--bbox", "46,7,48,9", input: Self.towns)
    #expect(swapped.code == 0 && swapped.output == "0\n", "\(swapped.errors)")
    #expect(swapped.errors.contains("2 rows would with latitude and longitude swapped"))
    let zone = "--within <(cat zones.geojson)"
    for (line, message) in [
      ("cairn query towns.csv \(zone) --select name --sort nosuch", "has no column 'nosuch'"),
      ("echo 'nosuch > 3' | cairn count towns.csv @- --bbox 0,0,50,50", "Property 'nosuch'"),
      ("cairn query towns.csv 'popp > 1' --select name --output -", "Did you mean 'pop'?"),
      ("cairn query towns.csv --select names --output -", "did you mean 'name'?"),
    ] {
      let outcome = try Command.shell(line, in: scratch.url)
      #expect(outcome.code == 64 && outcome.errors.contains(message), "\(line): \(outcome.errors)")
    }
    #expect(Shell.namesOnlyFiles(["query", "a.csv", "--output", "-", "-o", "-", "--output=-"]))
    for word in ["-", "@-", "--within=-", "/dev/null", "@/dev/stdin", "--near-shape=/dev/null"] {
      #expect(!Shell.namesOnlyFiles(["count", "a.csv", word]), "\(word)")
    }
  }

  /// A column that a question does not name may still be an error, and notes are printed once.
  @Test func columnsThatAreNotRead() throws {
    _ = try scratch.file("place.csv", "id,lat,lon,location\n1,2,3,x\n")
    for words in [["count", "place.csv"], ["query", "place.csv"]] {
      let outcome = try Command.run(words, folder: scratch.url)
      #expect(outcome.code == 65, "\(words)")
      #expect(outcome.errors.contains("already a property `location`"), "\(outcome.errors)")
    }
    _ = try scratch.file("twice.csv", "id,id,lat,lon\n1,2,3,4\n")
    let twice = try run("count", "twice.csv", "nosuch > 5")
    #expect(twice.code == 64)
    #expect(
      twice.errors.components(separatedBy: "repeats the name").count == 2, "\(twice.errors)")
  }

  @Test func standardInputAndPipesAreRead() throws {
    #expect(try lines(["count", "-"], input: Self.towns) == ["4"])
    #expect(try lines(["count", "-", "pop > 6"], input: Self.towns) == ["3"])
    #expect(try lines(["query", "-", "--select", "zone"], input: Self.zones).count == 4)
    let piped = try Command.shell("cairn count <(cat towns.csv) 'pop > 6'", in: scratch.url)
    #expect(piped.output == "3\n", "\(piped.errors)")
    let empty = try run("count", "-", input: "")
    #expect(empty.code == 65, "\(empty.errors)")
  }

  @Test func tablesWithoutCoordinates() throws {
    _ = try scratch.file("figures.csv", "code,value\nx,1\ny,2\n")
    _ = try scratch.file("column.csv", "word\none\ntwo\n")
    #expect(try lines(["count", "figures.csv", "value > 1"]) == ["1"])
    _ = try scratch.file("blank.csv", ",,code\n,,\n,1,\n,2,\n")
    for name in ["figures.csv", "figures.jsonl", "figures.parquet", "figures.arrow"] {
      if name != "figures.csv" {
        _ = try lines(["export", "figures.csv", "-o", name, "--quiet"])
      }
      #expect(try lines(["count", name]) == ["2"], "\(name)")
      #expect(try lines(["count", name, "code == 'y'"]) == ["1"], "\(name)")
    }
    let rows = try run("query", "blank.csv", "--format", "csv").lines.count - 1
    #expect(try run("count", "blank.csv").lines == ["\(rows)"])
    #expect(try lines(["query", "column.csv", "--format", "csv"]) == ["word", "one", "two"])
    #expect(
      try lines([
        "join", "towns.csv", "figures.csv", "--on", "towns.code == figures.code", "--select",
        "towns.name,figures.value", "--sort", "towns.name", "--format", "csv",
      ]) == ["towns.name,figures.value", "A,1", "B,2", "C,1"])
  }

  @Test(.enabled(if: GDALTools.hasLibrary, "libgdal is not installed")) func layersAreClasses()
    throws
  {
    _ = try scratch.file(
      "walk.gpx",
      """
      <?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
      <wpt lat="47" lon="8"><name>Hut</name></wpt><wpt lat="46" lon="7"><name>Peak</name></wpt>
      <trk><name>Way</name><trkseg><trkpt lat="47" lon="8"/><trkpt lat="46" lon="7"/></trkseg></trk></gpx>
      """)
    #expect(try lines(["count", "walk.gpx:waypoints"]) == ["2"])
    #expect(try lines(["count", "walk.gpx", "waypoints"]) == ["2"])
    #expect(try lines(["count", "walk.gpx", "waypoints", "name == 'Hut'"]) == ["1"])
    #expect(try lines(["count", "walk.gpx:tracks", "name == 'Way'"]) == ["1"])
    #expect(try lines(["schema", "walk.gpx"]).filter { $0.contains("row") }.count >= 2)
    #expect(
      try lines([
        "join", "walk.gpx:waypoints", "walk.gpx:tracks", "--on", "distance", "--radius", "1m",
      ]).count
        == 4)
    let several = try run("count", "walk.gpx")
    #expect(several.code == 64)
    #expect(several.errors.contains("name a layer with `walk.gpx:NAME`"), "\(several.errors)")
    let wrong = try run("count", "walk.gpx:routs")
    #expect(
      wrong.code == 64 && wrong.errors.contains("no layer is named `routs`"), "\(wrong.errors)")
    // A file of one layer needs no name, and takes that of its class.
    let areas = Repository.root.appendingPathComponent("data/foreign/geopandas-areas.shp").path
    #expect(try lines(["count", areas]) == lines(["count", areas, "geopandas-areas"]))
  }

  // MARK: Folders and pairs

  @Test func foldersHoldClasses() throws {
    #expect(try lines(["count", scratch.path, "zones", "zone == 'north'"]) == ["1"])
    let schema = try lines(["schema", "."])
    #expect(schema.filter { $0.contains(" rows, ") }.count == 2, "\(schema)")
    #expect(try lines(["schema", "w.cairn:zones"]).filter { $0.contains(" rows, ") }.count == 1)
    #expect(try lines(["schema", ".", "zones"]).filter { $0.contains(" rows, ") }.count == 1)
    // Two files of one name have their extensions.
    _ = try scratch.file("towns.jsonl", "{\"name\":\"E\",\"lat\":1,\"lon\":2}\n")
    #expect(try lines(["count", ".", "towns.jsonl"]) == ["1"])
    let unknown = try run("count", ".", "towns")
    #expect(unknown.code == 64)
    #expect(unknown.errors.contains("it has towns.csv, towns.jsonl, zones"), "\(unknown.errors)")
    let unnamed = try run("count", ".")
    #expect(unnamed.code == 64 && unnamed.errors.contains("name a class"), "\(unnamed.errors)")
    let bare = try TemporaryFolder()
    let none = try run("schema", bare.path)
    #expect(none.code == 66 && none.errors.contains("no files of data"), "\(none.errors)")
  }

  @Test func pairsOfFilesAndStores() throws {
    let options = ["--on", "within", "--select", "towns.name,zones.zone", "--sort", "towns.name"]
    let expected = try lines(["join", "w.cairn", "towns", "zones"] + options)
    for sources in [
      ["towns.csv", "zones.geojson"], ["w.cairn", "towns", "zones.geojson"],
      [".", "towns", "zones"],
      ["towns.csv", "w.cairn:zones"], ["w.cairn:towns", "w.cairn:zones"],
      ["towns.csv", "w.cairn", "zones"],
      [".", "towns", "zones.geojson"],
    ] {
      #expect(try lines(["join"] + sources + options) == expected, "\(sources)")
    }
    let condition = ["towns.csv", "zones.geojson", "towns.pop > 6 AND zones.zone == 'north'"]
    #expect(try lines(["join"] + condition + options).count == 3)
    let cut = try lines([
      "overlay", "zones.geojson", "w.cairn:zones", "--how", "intersection", "--format", "csv",
    ])
    #expect(cut.count == 3)
  }

  @Test func classesOfOneNameGetOthers() throws {
    let other = try TemporaryFolder()
    let moved = try other.file("towns.csv", Self.towns.replacing("A,", with: "Z,")).path
    let options = [
      "--on", "equals", "--select", "a.name,b.name", "--sort", "a.name", "--format", "csv",
    ]
    #expect(
      try lines(["join", "towns.csv", moved] + options + ["--as", "a,b"])
        == ["a.name,b.name", "A,Z", "B,B", "C,C"])
    let unnamed = try run("join", "towns.csv", moved, "--on", "equals")
    #expect(unnamed.code == 64)
    #expect(unnamed.errors.contains("both classes have the name 'towns'"), "\(unnamed.errors)")
    let same = try run("join", "towns.csv", "towns.csv", "--on", "equals")
    #expect(same.code == 64 && same.errors.contains("joined with itself"), "\(same.errors)")
    #expect(
      try lines([
        "join", "towns.csv", "towns.csv", "a.pop < b.pop", "--on", "a.code == b.code", "--as",
        "a,b",
        "--select", "a.name,b.name", "--format", "csv",
      ]) == ["a.name,b.name", "A,C"])
  }

  // MARK: Output

  @Test func newClassesNeedAStore() throws {
    #expect(try run("query", "towns.csv", "pop > 6", "--into", "n.cairn:big").code == 0)
    #expect(try lines(["count", "n.cairn:big"]) == ["3"])
    #expect(try run("query", "w.cairn:towns", "pop > 6", "--into", "big").code == 0)
    #expect(try lines(["count", "w.cairn", "big"]) == ["3"])
    let beside = try run("query", "towns.csv", "--into", "big")
    #expect(beside.code == 64)
    #expect(beside.errors.contains("--into world.cairn:big"), "\(beside.errors)")
  }

  @Test func filesAreNotReplacedWhileTheyAreRead() throws {
    let outcome = try run("export", "towns.csv", "pop > 6", "--output", "towns.csv")
    #expect(outcome.code == 64, "\(outcome.errors)")
    #expect(try scratch.text("towns.csv") == Self.towns)
  }

  @Test func filesAreServedAsAStore() throws {
    let folder = try TemporaryFolder()
    let command = folder.url.appendingPathComponent("cairn")
    try FileManager.default.copyItem(at: Command.built, to: command)
    _ = try folder.script("printf '%s\\n' \"$@\"", as: "cairn-server")
    func serve(_ words: String...) throws -> Command.Outcome {
      try Command.launch(
        command, ["serve"] + words, input: nil,
        environment: ["PATH": folder.path, "CAIRN_CACHE": folder["cache"]], folder: scratch.url)
    }
    let served = try serve("towns.csv", "zones.geojson", "--port", "0").lines
    #expect(served.dropFirst() == ["--port", "0", "--title", "towns.csv, zones.geojson"])
    let store = try #require(served.first)
    #expect(try lines(["count", "\(store):towns"]) == ["4"])
    #expect(try lines(["count", "\(store):zones"]) == ["2"])
    #expect(try serve(".", "--title", "all").lines.dropFirst() == ["--title", "all"])
    let twice = try serve("towns.csv", scratch["towns.csv"])
    #expect(
      twice.code == 64 && twice.errors.contains("both hold a class 'towns'"), "\(twice.errors)")
    for (words, message) in [
      (["towns.csv", "w.cairn"], "w.cairn cannot be served together with towns.csv"),
      (["towns.csv", "--writable"], "--writable needs a store"),
      (["--port", "0", "towns.csv"], "come before the options"),
    ] {
      let outcome = try Command.launch(
        command, ["serve"] + words, input: nil,
        environment: ["PATH": folder.path, "CAIRN_CACHE": folder["cache"]], folder: scratch.url)
      #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }
    let piped = try serve("-")
    #expect(piped.code == 66, "\(piped.errors)")
  }

  /// A file or a folder with the name of a class does not change what a command line means.
  @Test func classesComeBeforeFilesOfTheirName() throws {
    let options = ["--on", "within", "--select", "towns.name", "--sort", "towns.name"]
    let expected = try lines(["join", "w.cairn", "towns", "zones"] + options)
    for make in ["mkdir zones", "touch zones"] {
      _ = try Command.shell(make, in: scratch.url)
      #expect(try lines(["join", "w.cairn", "towns", "zones"] + options) == expected)
      #expect(try lines(["join", ".", "towns", "zones"] + options) == expected)
      _ = try Command.shell("rm -r zones", in: scratch.url)
    }
  }

  @Test func aNewClassMayLieBesideEitherClass() throws {
    _ = try lines(["import", "v.cairn", "zones.geojson", "--quiet"])
    for (number, words) in [
      ["towns.csv", "v.cairn:zones"], ["v.cairn:zones", "w.cairn:towns"],
      ["w.cairn", "towns", "v.cairn:zones"],
    ].enumerated() {
      let relation = number == 1 ? "contains" : "within"
      let made = try Command.run(
        ["join"] + words + ["--on", relation, "--into", "v.cairn:p\(number)"], folder: scratch.url)
      #expect(made.code == 0, "\(made.errors)")
      #expect(try lines(["count", "v.cairn:p\(number)"]) == ["3"])
    }
    let cut = try run("overlay", "w.cairn:zones", "v.cairn:zones", "--into", "v.cairn:cut")
    #expect(cut.code == 0, "\(cut.errors)")
  }

  // MARK: Errors

  @Test(arguments: [
    (["delete", "towns.csv", "--all"], 64, "needs a store"),
    (
      ["update", "towns.csv", "--all", "--set", "pop = 1"], 64, "cairn import world.cairn towns.csv"
    ),
    (["watch", "towns.csv"], 64, "needs a store"),
    (["drop", "towns.csv", "towns"], 74, "import it into one first"),
    (["count", "none.csv"], 66, "none.csv does not exist"),
    (["count", "none.csv:layer"], 66, "none.csv:layer does not exist"),
    (["count", "w.cairn"], 64, "missing expected argument '<class>'; w.cairn has towns, zones"),
    (
      ["count", "https://example.org/a.csv"], 66,
      "curl -L 'https://example.org/a.csv' | cairn query -"
    ),
    (["count", "towns.csv", "pop > 6", "pop < 9"], 64, "unexpected argument 'pop < 9'"),
    (["count", "towns.csv", "people > 6"], 64, "There are 'name', 'code', 'pop', 'location'"),
    (["query", "towns.csv", "--select", "nam"], 64, "name"),
    (["stats", "towns.csv", "--of", "popp"], 64, "pop"),
    (["join", "towns.csv", "--on", "within"], 64, "two classes are needed"),
    (["overlay", "zones.geojson", "zones.geojson", "x"], 64, "unexpected argument 'x'"),
    (["count", "bad.csv"], 65, "bad.csv:3"),
    (
      ["count", "towns.csv", "x"], 64,
      "'x' is neither a condition nor a class of towns.csv, which has towns"
    ),
    (["count", "grid.csv", "--bbox", "1,2,3,4"], 64, "has no location"),
    (["count", "lines.csv"], 65, "`cairn import STORE lines.csv --"),
    (["count", "empty.csv"], 65, "empty.csv"),
    (["count", "text"], 74, "text is not a Cairn store"),
  ])
  func mistakesAreExplained(words: [String], code: Int, message: String) throws {
    _ = try scratch.file("bad.csv", "name,lat,lon\nA,1,2\nB,95,2\n")
    _ = try scratch.file("grid.csv", "name,easting,northing\nA,600000,200000\n")
    _ = try scratch.file("lines.csv", "a,b\n1,2\n1,2,3\n")
    _ = try scratch.file("empty.csv", "")
    _ = try scratch.file("text", "These are words, and no data at all.\n")
    let outcome = try Command.run(words, folder: scratch.url)
    #expect(outcome.code == Int32(code), "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }
}
