import Foundation
import Testing

/// The command among other commands.
@Suite struct PipeTests {
  @Test func headEndsItQuietly() throws {
    let store = try World.citiesStore()
    let outcome = try Command.shell(
      "cairn query \(store) cities --format csv | head -n 2; echo ${PIPESTATUS[0]}")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines.last == "0")
  }

  @Test func aClosedOutputIsAnError() throws {
    let outcome = try Command.shell("cairn count \(World.placesStore()) places >&-")
    #expect(outcome.code == 74)
  }

  @Test func piecesFitTogether() throws {
    let scratch = try Scratch()
    let store = try World.placesStore()
    let outcome = try Command.shell(
      "cairn export \(store) places --output - --format geojsonl | cairn import b.cairn - --class again && cairn count b.cairn again",
      in: scratch.url)
    #expect(outcome.lines.last == "8", "\(outcome.errors)")
  }

  @Test func standardOutputByName() throws {
    let outcome = try Command.run(
      "query", World.placesStore(), "places", "id == 1", "--select", "name", "--output", "-",
      "--format", "csv")
    #expect(outcome.output == "name\nBrisbane\n")
  }

  @Test func noColoursAndNoProgressAwayFromATerminal() throws {
    let scratch = try Scratch()
    let outcome = try Command.run("import", scratch["s.cairn"], Command.data("earthquakes.geojson"))
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
    let scratch = try Scratch()
    let store = scratch["s.cairn"]
    try FileManager.default.copyItem(atPath: World.placesStore(), toPath: store)
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

  @Test func oneImportsWhileAnotherAsks() throws {
    let scratch = try Scratch()
    let store = scratch["s.cairn"]
    #expect(
      try Command.run("import", store, Command.data("truth/graticule5.csv"), "--class", "g").code
        == 0)
    let writer = Process()
    writer.executableURL = Command.executable
    writer.arguments = ["import", store, Command.data("cities.csv"), "--quiet"]
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
    let scratch = try Scratch()
    let store = scratch["s.cairn"]
    #expect(
      try Command.run("import", store, Command.data("truth/graticule5.csv"), "--class", "g").code
        == 0)
    for milliseconds in [5, 20, 60, 150] {
      let writer = Process()
      writer.executableURL = Command.executable
      writer.arguments = ["import", store, Command.data("cities.csv"), "--quiet"]
      try writer.run()
      usleep(UInt32(milliseconds) * 1000)
      kill(writer.processIdentifier, SIGKILL)
      writer.waitUntilExit()
      if writer.terminationReason == .exit { break }
      #expect(try Command.lines("count", store, "g") == ["2701"])
      let code = try Command.run("count", store, "cities").code
      #expect(code == 64 || code == 0)
    }
    #expect(
      try Command.run("import", store, Command.data("cities.csv"), "--class", "after").code == 0)
    #expect(try Command.lines("count", store, "after") == ["34024"])
  }
}
