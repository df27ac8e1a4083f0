import CairnTestSupport
import Foundation
import Testing

/// `cairn delete` and `cairn update`.
@Suite struct ChangeTests {
  /// A copy of the sample places.
  private struct Places {
    let scratch: TemporaryFolder
    var path: String { scratch["places.cairn"] }

    init() throws {
      scratch = try TemporaryFolder(inMemory: true)
      try FileManager.default.copyItem(atPath: SampleStores.placesStore(), toPath: path)
    }

    /// Runs a command on the class, and expects the exit code.
    @discardableResult
    func run(_ command: String, _ words: String..., code: Int32 = 0) throws -> Command.Outcome {
      let outcome = try Command.run([command, path, "places"] + words)
      #expect(outcome.code == code, "\(words): \(outcome.errors)")
      return outcome
    }

    /// The values of columns, sorted by id, as CSV without its header.
    func values(_ columns: String, _ condition: String = "TRUEPREDICATE") throws -> [String] {
      Array(
        try run("query", condition, "--select", columns, "--sort", "id", "--format", "csv").lines
          .dropFirst())
    }

    func expectSound() throws { #expect(try Command.run("verify", path).code == 0) }
  }

  @Test func deletesByConditionAndArea() throws {
    let places = try Places()
    let dry = try places.run("delete", "kind == 'town'", "--dry-run")
    #expect(dry.output == "2 rows would be deleted from places, 6 left; nothing was written\n")
    #expect(try places.values("id").count == 8)
    let outcome = try places.run("delete", "kind == 'town'")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("2 rows deleted from places, 6 left, in "))
    #expect(try places.values("id") == ["1", "2", "4", "6", "7", "8"])
    #expect(
      try places.run("delete", "--near", "-27.5,153", "--radius", "100km", "--quiet").errors.isEmpty
    )
    try places.run("delete", "--bbox", "175,-20,-170,-15")
    try places.run(
      "delete", "--within", "POLYGON ((-180 -15, -170 -15, -170 -10, -180 -10, -180 -15))")
    #expect(try places.values("id") == ["4", "8"])
    try places.expectSound()
    try places.run("delete", "--all")
    #expect(try places.run("count").output == "0\n")
    #expect(try Command.lines("schema", places.path)[0].hasPrefix("places: 0 rows"))
    try places.expectSound()
  }

  @Test func deletesAroundARow() throws {
    let places = try Places()
    try places.run("delete", "--near", "places:id == 1", "--radius", "1m")
    #expect(try places.values("id") == ["2", "3", "4", "5", "6", "7", "8"])
  }

  @Test func deletingNothingSaysSo() throws {
    let places = try Places()
    #expect(
      try places.run("delete", "id == 99").errors.hasPrefix("0 rows deleted from places, 8 left"))
    let swapped = try places.run("delete", "--near", "2.35,48.85", "--radius", "5km")
    #expect(swapped.errors.contains("would with latitude and longitude swapped"))
    #expect(try places.values("id").count == 8)
  }

  @Test(arguments: [
    (["delete"], "give a condition, an area such as --bbox, or --all for every row"),
    (["delete", "id == 1", "--all"], "--all means every row"),
    (["delete", "--all", "--bbox", "1,2,3,4"], "--all means every row"),
    (["delete", "--near", "1,2"], "--near needs --radius"),
    (["delete", "idd == 1"], "did you mean 'id'"),
    (["delete", "--all", "--dry-run", "--quiet"], "contradict each other"),
    (["update", "--all"], "give at least one --set"),
    (["update", "--set", "name = 'x'"], "--all for every row"),
    (["update", "--all", "--set", "name"], "expected COLUMN=FORMULA"),
    (["update", "--all", "--set", "= 1"], "expected COLUMN=FORMULA"),
    (["update", "--all", "--set", "nme = 'x'"], "has no column 'nme'; did you mean 'name'?"),
    (["update", "--all", "--set", "x = id"], "has no column 'x'; --add adds it, as int"),
    (["update", "--all", "--set", "x = null", "--add"], "a new column needs a value"),
    (["update", "--all", "--set", "name = 1"], "'name' is of type string, and 1 of type int"),
    (["update", "--all", "--set", "name = Paris"], "--set \"name = 'Paris'\""),
    (["update", "--all", "--set", "name = 'x' +"], "found the end of the formula"),
    (["update", "--all", "--set", "id = 1", "--set", "id=2"], "--set names 'id' twice"),
    (["update", "--all", "--set", "id = null"], "'id' cannot be null"),
    (["update", "--all", "--set", "founded = 'soon'"], "'soon' is not a date"),
    (["update", "--all", "--set", "population = 1.5"], "1.5 is not an int; round() rounds it"),
    (
      ["update", "--all", "--set", "location = '95,10'"], "latitude 95.0 is not between -90 and 90"
    ),
    (["update", "--all", "--set", "location = 'POINT (1 95)'"], "95"),
    (["update", "--all", "--set", "location = 'LINESTRING (1 1, 2 2)'"], "is not a point"),
  ])
  func usageErrors(words: [String], message: String) throws {
    let store = try SampleStores.placesStore()
    let outcome = try Command.run([words[0], store, "places"] + words.dropFirst())
    #expect(outcome.code == 64, "\(words): \(outcome.errors)")
    #expect(outcome.errors.lowercased().contains(message.lowercased()), "\(outcome.errors)")
  }

  @Test func updatesWithFormulas() throws {
    let places = try Places()
    let outcome = try places.run(
      "update", "kind == 'city'", "--set", "population = round(population / 1000)",
      "--set", "name=name || ' (' || kind || ')'", "--set", "`odd name, really` = null")
    #expect(outcome.errors.hasPrefix("5 rows updated in places, in "), "\(outcome.errors)")
    #expect(
      try places.values("id,name,population", "kind == 'city'") == [
        "1,Brisbane (city),2561", "2,Ipswich (city),229", "4,Paris (city),2103",
        "6,Suva (city),94", "7,Apia (city),37",
      ])
    #expect(try places.values("population", "kind == 'town'") == ["6330", "84808"])
    #expect(try places.run("count", "`odd name, really` == nil").output == "7\n")
    try places.run(
      "update", "id == 8", "--set", "open = true", "--set", "founded = 2024-05-01T12:30:00Z",
      "--set", "population = -3 + 2 * (4 - 1)")
    #expect(
      try places.values("open,founded,population", "id == 8") == ["true,2024-05-01T12:30:00Z,3"])
    try places.run("update", "id == 8", "--set", "founded = founded + 90")
    #expect(try places.values("founded", "id == 8") == ["2024-05-01T12:31:30Z"])
    try places.expectSound()
  }

  /// All formulas read the values before the change.
  @Test func columnsAndKeysCanBeExchanged() throws {
    let places = try Places()
    try places.run("update", "id <= 2", "--set", "name = kind", "--set", "kind = name")
    #expect(try places.values("name,kind", "id <= 2") == ["city,Brisbane", "city,Ipswich"])
    try places.run("update", "id <= 2", "--set", "id = 3 - id")
    #expect(try places.values("id,kind", "id <= 2") == ["1,Ipswich", "2,Brisbane"])
    for condition in ["id <= 2", "id == 2"] {
      let clash = try places.run("update", condition, "--set", "id = 8", code: 65)
      #expect(
        clash.errors.contains("two rows would have the same id, which is the primary key"),
        "\(clash.errors)")
    }
    let formula = try places.run("update", "id == 2", "--set", "id = id + 6", code: 65)
    #expect(formula.errors.contains("the row with the id 2: two rows would have the same id"))
    #expect(try places.values("id") == (1...8).map(String.init))
    try places.expectSound()
  }

  @Test func locationsMove() throws {
    let places = try Places()
    let near = ["--near", "47.5,7.5", "--radius", "1km"]
    func count() throws -> String {
      try Command.run(["count", places.path, "places"] + near).output
    }
    try places.run("update", "id <= 2", "--set", "location = '47.5, 7.5'")
    #expect(try count() == "2\n")
    try places.run("update", "id == 3", "--set", "location = 'POINT Z (7.5 47.5 -12)'")
    try places.run("update", "id == 4", "--set", "name = 'POINT (7.5 47.5)'")
    try places.run("update", "id == 4", "--set", "location = name")
    #expect(try count() == "4\n")
    try places.run("update", "id == 1", "--set", "population = location.latitude * 2")
    #expect(try places.values("population", "id == 1") == ["95"])
    try places.run("update", "--near", "47.5,7.5", "--radius", "1km", "--set", "location = null")
    #expect(try count() == "0\n")
    try places.expectSound()
  }

  @Test func columnsAreAdded() throws {
    let places = try Places()
    let words = [
      "population > 0", "--set", "density = population / 7", "--set", "label = name || '!'",
      "--add",
    ]
    let dry = try Command.run(["update", places.path, "places"] + words + ["--dry-run"])
    #expect(
      dry.output == "7 rows would be updated in places with the new columns density (double), "
        + "label (string); nothing was written\n")
    #expect(try places.run("query", "--select", "density", code: 64).output.isEmpty)
    _ = try Command.lines("update", places.path, "places", words[0], "--set", words[2], "--add")
    try places.run("update", "population > 0", "--set", words[4], "--add")
    #expect(
      try places.values("density,label", "id == 3 OR id == 8")
        == ["904.2857142857143,\"Byron Bay, NSW!\"", ","])
    try places.expectSound()
  }

  @Test func faultsNameTheRowAndChangeNothing() throws {
    let places = try Places()
    let before = try places.values("*")
    let faults: [(String, String)] = [
      ("population = population / 2", "the row with the id"),
      ("population = population * 9000000000000000", "is out of the range of integers"),
      ("id = population", "cannot be null"),
      ("location = name", "': expected LATITUDE,LONGITUDE, as in 48.85,2.35"),
    ]
    for (formula, message) in faults {
      let outcome = try places.run("update", "--all", "--set", formula, code: 65)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
      #expect(try places.values("*") == before)
    }
    try places.expectSound()
  }

  @Test func geometriesAreSetFromText() throws {
    let scratch = try TemporaryFolder(inMemory: true)
    let store = scratch["areas.cairn"]
    let csv = try scratch.file(
      "areas.csv", "id,wkt\n1,\"POLYGON ((0 0, 1 0, 1 1, 0 0))\"\n2,\"LINESTRING (5 5, 6 6)\"\n")
    _ = try Command.lines("import", store, csv.path, "--key", "id", "--wkt", "wkt", "--quiet")
    let name = "geometry"
    #expect(try Command.lines("count", store, "areas", "--bbox", "20,20,30,30") == ["0"])
    _ = try Command.lines(
      "update", store, "areas", "id == 1", "--set",
      "\(name) = 'POLYGON ((20 20, 25 20, 25 25, 20 20))'")
    #expect(try Command.lines("count", store, "areas", "--bbox", "20,20,30,30") == ["1"])
    #expect(try Command.lines("count", store, "areas", "--bbox", "0,0,2,2") == ["0"])
    let bad = try Command.run(
      "update", store, "areas", "id == 1", "--set",
      "\(name) = 'POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))'")
    #expect(bad.code == 64, "\(bad.errors)")
    _ = try Command.lines("delete", store, "areas", "--intersects", "POINT (22 20)")
    #expect(try Command.lines("count", store, "areas") == ["1"])
    #expect(try Command.run("verify", store).code == 0)
  }
}
