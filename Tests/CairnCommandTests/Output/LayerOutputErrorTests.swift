import CairnTestSupport
import Foundation
import Testing

/// Files that GDAL cannot write, or not completely.
@Suite(.enabled(if: GDALTools.hasConverter, "ogr2ogr is not installed"))
struct LayerOutputErrorTests {
  private func store(_ scratch: TemporaryFolder, rows: Int = 3) throws -> String {
    let lines = (0..<rows).map { "\($0),name \($0),\(Double($0 % 90)),\(Double($0 % 180))" }
    let csv = try scratch.file("p.csv", "id,name,lat,lon\n" + lines.joined(separator: "\n")).path
    let imported = try Command.run("import", scratch["s.cairn"], csv, "--quiet")
    #expect(imported.code == 0, "\(imported.errors)")
    return scratch["s.cairn"]
  }

  @Test func onlyFilesAreWritten() throws {
    let scratch = try TemporaryFolder()
    let store = try store(scratch)
    let before = try scratch.names()
    for (arguments, part) in [
      (["-o", "-", "--format", "gpkg"], "is written to a file only"),
      (["-o", "/dev/null", "--format", "fgb"], "/dev/null is a device"),
      (["-o", scratch["a.gpkg.gz"]], "is not compressed"),
      (["-o", scratch["a.bin"], "--format", "shp"], "ends in .shp, .shz or .shp.zip"),
    ] {
      let outcome = try Command.run(["export", store, "p"] + arguments)
      #expect(outcome.code == 64 && outcome.errors.contains(part), "\(outcome.errors)")
    }
    let plain = try Command.run("query", store, "p", "--format", "kml")
    #expect(plain.code == 64 && plain.output.isEmpty)
    let own = try Command.run("export", store, "p", "-o", store, "--format", "gpkg")
    #expect(own.code == 64, "\(own.errors)")
    let missing = try Command.run("export", store, "p", "-o", scratch["no/a.gpkg"])
    #expect(missing.code == 74 && missing.errors.contains("cannot write"), "\(missing.errors)")
    #expect(try scratch.names() == before)
    let plan = try Command.run("query", store, "p", "--explain", "--format", "gpkg")
    #expect(plan.code == 0 && plan.output.contains("p: "), "\(plan.output)")
  }

  @Test func aMissingDriverIsSaid() throws {
    let formats = try Command.shell("ogrinfo --formats")
    let scratch = try TemporaryFolder()
    let outcome = try Command.run("export", try store(scratch), "p", "-o", scratch["a.parquet"])
    if formats.output.contains("Parquet") {
      #expect(outcome.code == 0, "\(outcome.errors)")
    } else {
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("GDAL does not write Parquet"), "\(outcome.errors)")
      #expect(try scratch.names().filter { $0.hasPrefix("a.") } == [])
    }
  }

  @Test func rowsWithoutALocationAreNullsOrErrors() throws {
    let scratch = try TemporaryFolder()
    let csv = try scratch.file("p.csv", "id,lat,lon\n1,47,8\n2,,\n").path
    let store = scratch["s"]
    let options = ["--location-optional", "--quiet"]
    #expect(try Command.run(["import", store, csv] + options).code == 0)
    for format in ["gpkg", "shp", "kml"] {
      let file = scratch["a.\(format)"]
      #expect(try Command.run("export", store, "p", "-o", file).code == 0)
      let geometries = try LayerOutputTests.features(file).map { $0["geometry"] is NSNull }
      #expect(geometries.sorted { !$0 && $1 } == [false, true], "\(format)")
    }
    for format in ["fgb", "gpx"] {
      let file = scratch["b.\(format)"]
      let outcome = try Command.run("export", store, "p", "-o", file)
      #expect(outcome.code == 65 && outcome.errors.contains("has no location"))
      #expect(!scratch.exists("b.\(format)"))
      #expect(try Command.run("export", store, "p", "location != nil", "-o", file).code == 0)
    }
  }

  @Test func anEmptyResultIsALayerWithoutRows() throws {
    let scratch = try TemporaryFolder()
    let store = try store(scratch)
    for format in ["gpkg", "fgb", "shp", "kml", "gpx"] {
      let file = scratch["e.\(format)"]
      let outcome = try Command.run("export", store, "p", "id < 0", "-o", file)
      #expect(outcome.code == 0, "\(format): \(outcome.errors)")
      #expect(scratch.exists("e.\(format)"))
    }
  }

  @Test func anExistingFileIsReplacedWithItsParts() throws {
    let scratch = try TemporaryFolder()
    let store = try store(scratch)
    for name in ["a.shp", "a.qix", "a.dbf", "b.gpkg", "b.gpkg-wal"] {
      try scratch.file(name, "old")
    }
    _ = try Command.shell("chmod 600 b.gpkg; ln -s b.gpkg c.gpkg", in: scratch.url)
    #expect(try Command.run("export", store, "p", "-o", scratch["a.shp"]).code == 0)
    #expect(try Command.run("export", store, "p", "-o", scratch["c.gpkg"]).code == 0)
    #expect(!scratch.exists("a.qix") && !scratch.exists("b.gpkg-wal"))
    #expect(try LayerOutputTests.features(scratch["a.shp"]).count == 3)
    #expect(try LayerOutputTests.features(scratch["b.gpkg"]).count == 3)
    let mode = try FileManager.default.attributesOfItem(atPath: scratch["b.gpkg"])[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: scratch["c.gpkg"])
    #expect(link == "b.gpkg")
    // Row numbers that repeat cannot number the features, and the old file stays.
    let twice = try Command.run(
      "query", store, "p", "--select", "location, id - id AS fid", "-o", scratch["b.gpkg"])
    #expect(twice.code == 74 && twice.errors.contains("UNIQUE"), "\(twice.errors)")
    #expect(try LayerOutputTests.features(scratch["b.gpkg"]).count == 3)
  }

  /// A limit on the size of files acts like a full disk.
  @Test(arguments: ["gpkg", "fgb", "shp", "shz", "kml", "gpx"])
  func aFullDiskLeavesNothing(format: String) throws {
    let scratch = try TemporaryFolder()
    _ = try store(scratch, rows: 20_000)
    let before = try scratch.names()
    let outcome = try Command.shell(
      "ulimit -f 200; cairn export s.cairn p -o a.\(format)", in: scratch.url)
    #expect(outcome.code == 74, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("Error: "), "\(outcome.errors)")
    #expect(try scratch.names() == before)
  }

  /// The name of the folder of a running output; nil if there is none yet.
  private func folder(_ scratch: TemporaryFolder) throws -> String? {
    try scratch.names().first { $0.hasPrefix("a.fgb.") }
  }

  /// Starts an export, and waits until GDAL has begun to write.
  private func start(_ scratch: TemporaryFolder, _ store: String) throws -> Process {
    let process = Process()
    process.executableURL = Command.executable
    process.arguments = ["export", store, "p", "-o", scratch["a.fgb"]]
    process.standardError = FileHandle.nullDevice
    try Moments.start(process)
    try eventually("GDAL has begun to write, or the export has ended") {
      guard process.isRunning, let folder = try folder(scratch) else { return !process.isRunning }
      let files = try? FileManager.default.contentsOfDirectory(atPath: scratch[folder])
      return files?.isEmpty == false
    }
    return process
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
  func aSignalLeavesNothing(number: Int32) throws {
    let scratch = try TemporaryFolder()
    let store = try store(scratch, rows: 100_000)
    let before = try scratch.names()
    // An export may end before the signal.
    try eventually("the signal ends an export") {
      let process = try start(scratch, store)
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      guard process.terminationReason == .uncaughtSignal else {
        try FileManager.default.removeItem(atPath: scratch["a.fgb"])
        return false
      }
      return true
    }
    // If the command itself was killed, the process that writes removes its folder.
    if number == SIGKILL {
      try eventually("the folder is removed") {
        try folder(scratch)
      } until: {
        $0 == nil
      }
    }
    #expect(try scratch.names() == before)
  }
}
