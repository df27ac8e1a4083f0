import CairnTestSupport
import Foundation
import Testing

/// The command in pipelines with other commands.
@Suite struct PipeTests {
  @Test func aClosedPipeEndsTheCommandQuietly() throws {
    let store = try SampleStores.citiesStore()
    let outcome = try Command.shell(
      "cairn query \(store) cities --format csv | head -n 2; echo ${PIPESTATUS[0]}")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines.last == "0")
  }

  @Test func aClosedOutputIsAnError() throws {
    let outcome = try Command.shell("cairn count \(SampleStores.placesStore()) places >&-")
    #expect(outcome.code == 74)
  }

  @Test(arguments: [
    "table", "csv", "tsv", "json", "jsonl", "geojson", "geojsonl", "wkt", "markdown", "map", "svg",
    "html",
  ])
  func aClosedPipeEndsEveryFormatQuietly(format: String) throws {
    let store = try SampleStores.citiesStore()
    let outcome = try Command.shell(
      "cairn query \(store) cities --format \(format) | head -n 1; echo ${PIPESTATUS[0]}")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.last == "0")
  }

  /// Every kind of command that writes data.
  private static let writers = [
    "count STORE places", "query STORE places", "stats STORE places --of id", "schema STORE",
    "schema STORE --json", "stats STORE places --of id --histogram", "query STORE places --explain",
    "export STORE places --output - --format svg", "query STORE places --format html",
    "completions bash", "man query",
  ]

  @Test(arguments: writers) func aClosedOutputIsAnError(line: String) throws {
    let line = line.replacing("STORE", with: try SampleStores.placesStore())
    let closed = try Command.shell("cairn \(line) >&-")
    #expect(closed.code == 74 && !closed.errors.isEmpty, "\(line): \(closed.errors)")
  }

  @Test(
    .enabled(if: Machine.hasFullDevice, "no /dev/full on this machine"),
    arguments: writers)
  func aFullDiskIsAnError(line: String) throws {
    let line = line.replacing("STORE", with: try SampleStores.placesStore())
    let full = try Command.shell("cairn \(line) > /dev/full")
    #expect(full.code == 74 && full.errors.contains("full"), "\(line): \(full.errors)")
  }

  /// Reading creates at most a lock file.
  @Test func readingCreatesNoFile() throws {
    let scratch = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: SampleStores.placesStore(), toPath: scratch["s"])
    let lines = [
      "count s places", "query s places", "stats s places --of id --by kind --histogram",
      "schema s", "query s places --format html --output -", "query s places --explain",
      "count none places", "query none places", "schema none", "query s nothing",
      "query s places 'nope ==' --output out.csv", "query s places --select nope --output out.csv",
      "export s places --output out.dat", "query s places --within none.geojson --output out.csv",
    ]
    for line in lines { _ = try Command.shell("cairn \(line)", in: scratch.url) }
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    #expect(Set(left).subtracting(["in", "out", "err", "s-lock"]) == ["s"], "\(left)")
  }

  @Test func polygonsAreReadFromStandardInput() throws {
    let polygon = #"{"type":"Polygon","coordinates":[[[1,48],[3,48],[3,50],[1,50],[1,48]]]}"#
    let outcome = try Command.run(
      "count", SampleStores.placesStore(), "places", "--within", "-", input: polygon)
    #expect(outcome.output == "2\n", "\(outcome.errors)")
  }

  @Test(arguments: ["C", "POSIX", "xx_YY.UTF-8", "de_DE.ISO-8859-1", "", "no such locale"])
  func theLocaleChangesNothing(locale: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("ä.csv", "name,v,lat,lon\nZürich 東京,1.5,47.4,8.5\n")
    let environment = ["LC_ALL": locale, "LANG": locale]
    let made = try Command.run(["import", scratch["s"], file.path], environment: environment)
    #expect(made.code == 0 && made.errors.contains("imported into ä"), "\(made.errors)")
    let outcome = try Command.run(
      ["query", scratch["s"], "ä", "name CONTAINS[c] 'ZÜR'", "--format", "csv"],
      environment: environment)
    #expect(
      outcome.output == "name,v,latitude,longitude\nZürich 東京,1.5,47.4,8.5\n", "\(outcome.errors)")
    let table = try Command.run(["query", scratch["s"], "ä"], environment: environment)
    #expect(table.lines.last == "Zürich 東京  1.5  47.4, 8.5")
  }

  @Test func aDumbTerminalGetsPlainErrors() throws {
    let colour = try Command.terminal("nonsense")
    #expect(colour.code == 64 && colour.errors.contains("\u{1B}[1;31mError:"))
    for variable in [("TERM", "dumb"), ("NO_COLOR", "1")] {
      let plain = try Command.terminal("nonsense", environment: [variable.0: variable.1])
      #expect(plain.errors.hasPrefix("Error: "), "\(plain.errors)")
    }
  }

  @Test func exportsPipeIntoImports() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.placesStore()
    let outcome = try Command.shell(
      "cairn export \(store) places --output - --format geojsonl | cairn import b.cairn - --class again && cairn count b.cairn again",
      in: scratch.url)
    #expect(outcome.lines.last == "8", "\(outcome.errors)")
  }

  @Test func standardOutputByName() throws {
    let outcome = try Command.run(
      "query", SampleStores.placesStore(), "places", "id == 1", "--select", "name", "--output", "-",
      "--format", "csv")
    #expect(outcome.output == "name\nBrisbane\n")
  }

  @Test func noColoursAndNoProgressAwayFromATerminal() throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      "import", scratch["s.cairn"], Repository.data("earthquakes.geojson"))
    #expect(outcome.code == 0)
    #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\r"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(!(try Command.run("nonsense")).errors.contains("\u{1B}"))
  }

  @Test func helpAndVersionGoToStandardOutput() throws {
    for arguments in [["--help"], ["help"], ["query", "--help"], ["help", "import"], []] {
      let outcome = try Command.run(arguments)
      #expect(outcome.code == 0 && outcome.errors.isEmpty)
      #expect(outcome.output.contains("EXAMPLES"))
    }
    let version = try Command.run("--version")
    #expect(version.output.hasPrefix("cairn ") && version.code == 0)
  }

  @Test func aReadOnlyFolderCanBeRead() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    try FileManager.default.copyItem(atPath: SampleStores.placesStore(), toPath: store)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: scratch.url.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
    }
    let outcome = try Command.run("count", store, "places")
    #expect(outcome.output == "8\n", "\(outcome.errors)")
  }

  @Test func queriesRunDuringAnImport() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    #expect(
      try Command.run("import", store, Repository.data("truth/graticule5.csv"), "--class", "g").code
        == 0)
    let writer = Process()
    writer.executableURL = Command.executable
    writer.arguments = ["import", store, Repository.data("cities.csv"), "--quiet"]
    try writer.run()
    var answers: [String] = []
    repeat {
      let outcome = try Command.run("count", store, "g", "--near", "0,0", "--radius", "1000km")
      #expect(outcome.code == 0, "\(outcome.errors)")
      answers.append(outcome.output)
    } while writer.isRunning
    writer.waitUntilExit()
    #expect(writer.terminationStatus == 0)
    #expect(Set(answers).count == 1)
    #expect(try Command.lines("count", store, "cities") == ["34024"])
  }

  @Test func aKilledImportLeavesTheStoreAsItWas() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    #expect(
      try Command.run("import", store, Repository.data("truth/graticule5.csv"), "--class", "g").code
        == 0)
    try FileManager.default.copyItem(atPath: store, toPath: scratch["whole.cairn"])
    var killed = 0
    let moments = try Moments(on: scratch.url.lastPathComponent) { environment in
      let outcome = try Command.run(
        "import", scratch["whole.cairn"], Repository.data("cities.csv"), "--quiet",
        environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    for moment in [0.05, 0.2, 0.5, 0.8] {
      let writer = Process()
      writer.executableURL = Command.executable
      writer.arguments = ["import", store, Repository.data("cities.csv"), "--quiet"]
      try moments.end(writer, at: moment)
      if writer.terminationReason == .uncaughtSignal { killed += 1 }
      #expect(try Command.lines("count", store, "g") == ["2701"])
      let code = try Command.run("count", store, "cities").code
      #expect(code == 64 || code == 0)
    }
    #expect(killed > 0)
    #expect(
      try Command.run("import", store, Repository.data("cities.csv"), "--class", "after").code == 0)
    #expect(try Command.lines("count", store, "after") == ["34024"])
  }
}
