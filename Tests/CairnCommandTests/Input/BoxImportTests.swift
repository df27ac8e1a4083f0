import CairnTestSupport
import Foundation
import Testing

/// `import --bbox`, and the row groups of Parquet that an import leaves out.
@Suite struct BoxImportTests {
  private static let boxes = [
    ["5,45,11,48"], ["5,45,11,48", "140,-40,155,-25"], ["170,-50,-170,0"], ["-180,-90,180,90"],
    ["0,0,0,0"],
  ]

  /// The names of a class's rows in order.
  private func names(_ store: String, _ name: String, _ options: [String] = []) throws -> [String] {
    let outcome = try Command.run(
      ["query", store, name, "--select", "id,name", "--sort", "id", "--format", "csv"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines
  }

  private func options(_ boxes: [String]) -> [String] { boxes.map { "--bbox=\($0)" } }

  @Test(arguments: ["csv", "geojson", "jsonl", "parquet", "arrow"])
  func boxesAreThoseOfQueries(format: String) throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.citiesStore()
    let groups = format == "parquet" ? ["--row-group-size", "100"] : []
    let file = scratch["cities.\(format)"]
    let written = try Command.run(["query", store, "cities", "--output", file] + groups)
    #expect(written.code == 0, "\(written.errors)")
    let total = try names(store, "cities").count
    for (index, boxes) in Self.boxes.enumerated() {
      let outcome = try Command.run(
        ["import", scratch["s\(index)"], file, "--class", "cities", "--progress", "json"]
          + options(boxes))
      #expect(outcome.code == 0, "\(outcome.errors)")
      let wanted = try names(store, "cities", options(boxes))
      #expect(try names(scratch["s\(index)"], "cities") == wanted, "\(boxes)")
      let skipped = "\"unmatched\":\(total - wanted.count),"
      #expect(outcome.errors.contains(skipped), "\(outcome.errors)")
    }
  }

  @Test func geometriesReachIntoBoxes() throws {
    let scratch = try TemporaryFolder()
    let shapes = [
      ("crossing", "LINESTRING(-5 5, 5 5)"), ("outside", "LINESTRING(-5 5, -1 5)"),
      ("around", "POLYGON((-9 -9, 9 -9, 9 9, -9 9, -9 -9))"), ("inside", "POINT(1 1)"),
      ("across", "LINESTRING(179 1, 180 1)"),
    ]
    let text = shapes.map { "\($0.0),\"\($0.1)\"\n" }.joined()
    let file = try scratch.file("shapes.csv", "name,wkt\n\(text)")
    #expect(try Command.run("import", scratch["s"], file.path).code == 0)
    for format in ["parquet", "geojson"] {
      let path = scratch["a.\(format)"]
      let groups = format == "parquet" ? ["--row-group-size", "1"] : []
      #expect(
        try Command.run(["query", scratch["s"], "shapes", "--output", path] + groups).code == 0)
      for (index, box) in ["0,0,2,2", "0,0,9,9", "175,0,-175,9", "-180,0,-179,2"].enumerated() {
        let name = "\(format)\(index)"
        let outcome = try Command.run(
          "import", scratch["t"], path, "--class", name, "--bbox=\(box)")
        #expect(outcome.code == 0, "\(outcome.errors)")
        func rows(_ store: String, _ name: String, _ options: [String] = []) throws -> [String] {
          try Command.run(
            ["query", store, name, "--select", "name", "--sort", "name", "--format", "csv"]
              + options
          ).lines
        }
        #expect(
          try rows(scratch["t"], name) == rows(scratch["s"], "shapes", ["--bbox=\(box)"]),
          "\(format), \(box)")
      }
    }
  }

  /// The first row group is damaged, in a column whose values do not determine a type.
  @Test func rowGroupsThatCannotMatchAreNotRead() throws {
    let scratch = try TemporaryFolder()
    let (store, file) = (try SampleStores.citiesStore(), scratch["a.parquet"])
    let written = try Command.run(
      "query", store, "cities", "--select", "name,population,location", "--sort", "population",
      "--row-group-size", "1000", "--output", file)
    #expect(written.code == 0, "\(written.errors)")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes.replaceSubrange(4..<24, with: Data(repeating: 0xFF, count: 20))
    try bytes.write(to: URL(fileURLWithPath: file))
    let whole = try Command.run("import", scratch["s"], file, "--class", "c")
    #expect(whole.code == 65 && whole.errors.contains("row group 1"), "\(whole.errors)")
    let outcome = try Command.run(
      "import", scratch["s"], file, "--class", "c", "--where", "population > 1000000", "--progress",
      "json")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let wanted = try Command.lines("count", store, "cities", "population > 1000000")
    #expect(try Command.lines("count", scratch["s"], "c") == wanted)
    let all = try #require(Int(try Command.lines("count", store, "cities")[0]))
    let count = try #require(Int(wanted[0]))
    #expect(outcome.errors.contains("\"unmatched\":\(all - count),"), "\(outcome.errors)")
    let none = try Command.run(
      "import", scratch["s"], file, "--class", "none", "--where", "population < 0")
    #expect(none.code == 0, "\(none.errors)")
    let columns = try Command.lines("query", scratch["s"], "none", "--format", "csv")
    #expect(columns == ["name,population,latitude,longitude"])
  }

  @Test(arguments: [
    (["--bbox", "0,0,1,1", "--no-location"], "`--bbox` needs locations"),
    (["--bbox", "0,5,1,1"], "south 5.0 is north of north 1.0"),
  ])
  func mistakes(options: [String], said: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "id,lat,lon\n1,2,3\n")
    let outcome = try Command.run(["import", scratch["s"], file.path] + options)
    #expect(outcome.code == 64 && outcome.errors.contains(said), "\(outcome.errors)")
    let table = try scratch.file("b.csv", "id,n\n1,2\n")
    let missing = try Command.run("import", scratch["s"], table.path, "--bbox", "0,0,1,1")
    #expect(
      missing.code == 65 && missing.errors.contains("no columns are known to hold"),
      "\(missing.errors)")
  }
}
