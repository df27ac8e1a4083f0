import CairnTestSupport
import Foundation
import Testing

@Suite struct ImportTests {
  @Test func theClassIsNamedAfterTheFile() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("shops.in.town.csv", "name,lat,lon\na,1,2\n")
    let outcome = try Command.run("import", scratch["s.cairn"], file.path)
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("1 row imported into shops.in.town"))
    #expect(try Command.lines("count", scratch["s.cairn"], "shops.in.town") == ["1"])
  }

  @Test func quietPrintsNothing() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "lat,lon\n1,2\n")
    let outcome = try Command.run("import", scratch["s.cairn"], file.path, "--quiet")
    #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.output.isEmpty)
  }

  @Test func filesAreReadFromStandardInput() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    let outcome = try Command.run(
      "import", store, "-", "--class", "points", "--format", "csv", input: "y,x\n1,2\n3,4\n")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Command.lines("count", store, "points") == ["2"])
  }

  @Test func coordinatesAndLocationCanBeNamed() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "breite,länge,lat,lon\n48,11,0,0\n")
    let store = scratch["s.cairn"]
    let outcome = try Command.run(
      "import", store, file.path, "--lat", "breite", "--lon", "länge", "--location", "place")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let lines = try Command.lines(
      "query", store, "a", "--bbox", "10,47,12,49", "--format", "csv", "--select", "place,lat")
    #expect(lines == ["latitude,longitude,lat", "48.0,11.0,0"])
  }

  @Test func severalFilesFillOneClass() throws {
    let scratch = try TemporaryFolder()
    let one = try scratch.file("one.csv", "id,lat,lon\n1,1,2\n")
    let two = try scratch.file("two.csv", "id,lat,lon\n2,1,2\n")
    let outcome = try Command.run(
      "import", scratch["s.cairn"], one.path, two.path, "--class", "all")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Command.lines("count", scratch["s.cairn"], "all") == ["2"])
  }

  @Test func conflictsFailSkipOrReplace() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    let first = try scratch.file("p.csv", "id,v,lat,lon\n1,old,1,2\n2,old,1,2\n")
    let second = try scratch.file("q.csv", "id,v,lat,lon\n2,new,1,2\n3,new,1,2\n")
    #expect(try Command.run("import", store, first.path, "--key", "id").code == 0)
    let arguments = ["import", store, second.path, "--class", "p", "--key", "id"]
    func values() throws -> [String] {
      try Command.lines("query", store, "p", "--sort", "id", "--select", "v", "--format", "csv")
    }

    let refused = try Command.run(arguments)
    #expect(refused.code == 65)
    #expect(try values() == ["v", "old", "old"])

    let skipped = try Command.run(arguments + ["--on-conflict", "skip"])
    #expect(skipped.code == 0, "\(skipped.errors)")
    #expect(try values() == ["v", "old", "old", "new"])

    let replaced = try Command.run(arguments + ["--on-conflict", "replace"])
    #expect(replaced.code == 0, "\(replaced.errors)")
    #expect(try values() == ["v", "old", "new", "new"])
  }

  @Test func invalidRowsFailTheImportOrAreLeftOut() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("p.csv", "id,lat,lon\n1,1,2\n2,91,2\n3,,2\n4,1,nan\n")
    let refused = try Command.run("import", scratch["s.cairn"], file.path)
    #expect(refused.code == 65)
    #expect(refused.errors.contains("p.csv") && refused.errors.contains("3"))
    #expect(!scratch.exists("s.cairn"), "a failed import removes the store that it created")

    let skipped = try Command.run("import", scratch["s.cairn"], file.path, "--on-error", "skip")
    #expect(skipped.code == 0)
    #expect(skipped.errors.contains("3 left out"))
    #expect(try Command.lines("count", scratch["s.cairn"], "p") == ["1"])
  }

  @Test func aFailedImportLeavesTheStoreAsItWas() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    let good = try scratch.file("good.csv", "id,lat,lon\n1,1,2\n")
    let bad = try scratch.file("bad.csv", "id,lat,lon\n1,1,2\n2,1,200\n")
    #expect(try Command.run("import", store, good.path).code == 0)
    #expect(try Command.run("import", store, bad.path).code == 65)
    #expect(try Command.run("import", store, bad.path, "--class", "good").code == 65)
    #expect(try Command.lines("count", store, "good") == ["1"])
    #expect(try Command.run("count", store, "bad").code == 64)
  }

  @Test func missingFilesAreExitCode66() throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run("import", scratch["s.cairn"], scratch["none.csv"])
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("none.csv"))
    #expect(!scratch.exists("s.cairn") && !scratch.exists("s.cairn-lock"))
  }

  @Test func missingCoordinatesAreBadData() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("p.csv", "id,lon\n1,a\n")
    let outcome = try Command.run("import", scratch["s.cairn"], file.path)
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("--lat"))
  }

  @Test(arguments: [
    ["--lat", "y"], ["--on-conflict", "replace"], ["--on-error", "ignore"], ["--format", "xml"],
    ["--lat", "nope", "--lon", "x"], ["--key", "nope"], ["--index", "nope"],
  ])
  func conflictingOptionsAreUsageErrors(options: [String]) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("p.csv", "id,y,x\n1,1,2\n")
    let outcome = try Command.run(["import", scratch["s.cairn"], file.path] + options)
    #expect(outcome.code == 64, "\(outcome.errors)")
    #expect(!scratch.exists("s.cairn"))
  }

  @Test func geoJSONKeepsIdsAltitudesAndNestedValues() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "f.geojson",
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[153.0,-27.5,-12.5]},
       "properties":{"n":1,"tags":{"x":[1,2]}}},
      {"type":"Feature","id":"b","geometry":{"type":"Point","coordinates":[2.0,48.0]},
       "properties":{"n":null,"tags":null}}]}
      """)
    let store = scratch["s.cairn"]
    let outcome = try Command.run("import", store, file.path)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let lines = try Command.lines("query", store, "f", "--sort", "id", "--format", "geojsonl")
    #expect(lines.count == 2)
    #expect(lines[0].contains(#""id":"a""#))
    #expect(lines[0].contains("[153.0,-27.5,-12.5]"))
    #expect(lines[1].contains("[2.0,48.0]"))
  }

  @Test func aStoreNeedsAFolder() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "lat,lon\n1,2\n").path
    let outcome = try Command.run("import", scratch["none/s.cairn"], file)
    #expect(
      outcome.code == 66 && outcome.errors.contains("its folder does not exist"),
      "\(outcome.errors)")
  }

  /// Conflicts use the primary key of the class without `--key`.
  @Test func conflictsUseTheKeyOfTheClass() throws {
    let scratch = try TemporaryFolder()
    let first = try scratch.file("a.csv", "id,v,lat,lon\n1,old,1,2\n2,old,3,4\n").path
    let second = try scratch.file("b.csv", "id,v,lat,lon\n2,new,1,2\n3,new,3,4\n").path
    func values() throws -> String {
      try Command.lines(
        "query", scratch["s"], "a", "--sort", "id", "--select", "id,v", "--format", "csv"
      )
      .dropFirst().joined(separator: " ")
    }
    #expect(try Command.run("import", scratch["s"], first, "--key", "id").code == 0)
    #expect(try Command.run("import", scratch["s"], second, "--class", "a").code == 65)
    let skipped = try Command.run(
      "import", scratch["s"], second, "--class", "a", "--on-conflict", "skip")
    #expect(try skipped.code == 0 && values() == "1,old 2,old 3,new", "\(skipped.errors)")
    let replaced = try Command.run(
      "import", scratch["s"], second, "--class", "a", "--on-conflict", "replace")
    #expect(try replaced.code == 0 && values() == "1,old 2,new 3,new", "\(replaced.errors)")
    // The option needs a primary key, in an existing class as in a new one.
    #expect(try Command.run("import", scratch["s"], first, "--class", "b").code == 0)
    for name in ["b", "c"] {
      let outcome = try Command.run(
        "import", scratch["s"], first, "--class", name, "--on-conflict", "skip")
      #expect(outcome.code == 64 && outcome.errors.contains("--on-conflict"), "\(outcome.errors)")
    }
    #expect(try Command.lines("count", scratch["s"], "b") == ["2"])
  }
}
