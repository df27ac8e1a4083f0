import CairnTestSupport
import Foundation
import Testing

/// `--sample`, `-n`, `-o`, `--near CLASS:CONDITION`, `--outside`, several boxes, and the dialects of
/// CSV output.
@Suite struct QueryOptionTests {
  private func ids(_ arguments: String...) throws -> [Int] {
    try queryPlaces(arguments).dropFirst().compactMap { Int($0) }
  }

  private func queryPlaces(_ arguments: [String]) throws -> [String] {
    let outcome = try Command.run(
      ["query", SampleStores.placesStore(), "places", "--select", "id", "--format", "csv"]
        + arguments)
    try #require(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines
  }

  @Test func shortOptions() throws {
    #expect(try ids("--sort", "id", "-n", "3") == [1, 2, 3])
    let scratch = try TemporaryFolder()
    for command in ["query", "export"] {
      let outcome = try Command.run(
        command, SampleStores.placesStore(), "places", "-o", scratch["a.csv"], "-n", "2",
        "--select", "id", "--sort", "id")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try scratch.text("a.csv") == "id\n1\n2\n")
    }
  }

  // MARK: Samples

  @Test func samplesAreSubsets() throws {
    let all = Set(1...8)
    for count in 0...9 {
      let sample = try ids("--sample", "\(count)", "--seed", "7")
      #expect(sample.count == min(count, 8) && Set(sample).count == sample.count)
      #expect(Set(sample).isSubset(of: all))
      // The same seed takes the same rows.
      #expect(try ids("--sample", "\(count)", "--seed", "7") == sample)
    }
    #expect(Set(try ids("kind == 'city'", "--sample", "3")).isSubset(of: [1, 2, 4, 6, 7]))
    #expect(try ids("--sample", "8", "--sort", "id:desc", "-n", "2") == [8, 7])
    #expect(
      try Set((0..<12).map { try ids("--sample", "4", "--seed", "\($0)") }).count > 6,
      "other seeds take other rows")
  }

  /// Every row is equally likely to be taken: over 300 samples of a quarter of 34 024 cities, the
  /// numbers of cities in each half of the ids differ little.
  @Test func samplesAreUniform() throws {
    let store = try SampleStores.citiesStore()
    let all = try Command.lines("query", store, "cities", "--select", "id", "--format", "csv")
      .dropFirst().compactMap { Int($0) }
    let sample = Set(
      try Command.lines(
        "query", store, "cities", "--select", "id", "--format", "csv", "--sample", "8000", "--seed",
        "3"
      ).dropFirst().compactMap { Int($0) })
    #expect(sample.count == 8000)
    // In each tenth of the table, the number taken is within five standard deviations of its mean.
    let size = all.count / 10
    for part in 0..<10 {
      let taken = all[part * size..<(part + 1) * size].count { sample.contains($0) }
      let (share, total) = (8000 / Double(all.count), Double(size))
      let deviation = (total * share * (1 - share)).squareRoot()
      #expect(abs(Double(taken) - total * share) < 5 * deviation, "\(part): \(taken)")
    }
  }

  // MARK: Areas

  @Test func severalBoxes() throws {
    let (australia, france) = ("--bbox=150,-30,155,-25", "--bbox=0,45,5,50")
    #expect(try ids(australia, "--sort", "id") == [1, 2, 3])
    #expect(try ids(australia, france, "--sort", "id") == [1, 2, 3, 4, 5])
    #expect(try ids(france, australia, "kind == 'town'", "--sort", "id") == [3, 5])
    #expect(
      try Command.lines("count", SampleStores.placesStore(), "places", australia, france) == ["5"])
    // A row in two boxes counts once.
    #expect(
      try Command.lines(
        "count", SampleStores.placesStore(), "places", australia, "--bbox=-180,-90,180,90") == ["8"]
    )
    let swapped = try Command.run(
      "count", SampleStores.placesStore(), "places", "--bbox=-30,40,-25,50", "--bbox=45,0,50,5")
    #expect(swapped.output == "0\n" && swapped.errors.contains("swapped"), "\(swapped.errors)")
  }

  @Test func outside() throws {
    let polygon = "POLYGON ((150 -30, 155 -30, 155 -25, 150 -25, 150 -30))"
    #expect(try ids("--outside", polygon, "--sort", "id") == [4, 5, 6, 7, 8])
    #expect(try ids("--outside", polygon, "--bbox=0,45,5,50", "--sort", "id") == [4, 5])
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.wkt", polygon)
    #expect(try ids("--outside", file.path, "--within", polygon).isEmpty)
    // A point on the boundary is inside, and a row without a location is neither.
    let rows = try scratch.file(
      "r.csv", "id,wkt\n1,POINT (150 -27)\n2,\n3,POINT (1 1)\n4,\"LINESTRING (149 -27, 151 -27)\"\n"
    )
    #expect(try Command.run("import", scratch["s"], rows.path, "--class", "r").code == 0)
    let found = try Command.lines(
      "query", scratch["s"], "r", "--outside", polygon, "--select", "id", "--format", "csv",
      "--sort", "id")
    #expect(found == ["id", "3", "4"])
  }

  @Test func nearARow() throws {
    let near = "places:name == 'Paris'"
    #expect(try ids("--near", near, "--radius", "30km", "--sort", "distance") == [4, 5])
    #expect(try ids("--near", near, "-n", "2") == [4, 5])
    #expect(
      try ids("--near", near, "-n", "3", "--sort", "distance")
        == ids(
          "--near", "48.8566,2.3522", "-n", "3", "--sort", "distance"))
    #expect(
      try Command.lines(
        "count", SampleStores.placesStore(), "places", "--near", near, "--radius", "30km") == ["2"])
    let stats = try Command.lines(
      "stats", SampleStores.placesStore(), "places", "--near", near, "--radius", "30km", "--format",
      "csv")
    #expect(stats == ["count", "2"])
  }

  @Test func nearALine() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "r.csv", "id,wkt\n1,\"LINESTRING (0 0, 10 0)\"\n2,\"LINESTRING (0 5, 1 5)\"\n3,\n")
    #expect(try Command.run("import", scratch["s"], file.path, "--class", "roads").code == 0)
    let points = try scratch.file("p.csv", "id,lat,lon\n1,0.5,9\n2,2,9\n3,5,0.5\n")
    #expect(try Command.run("import", scratch["s"], points.path, "--class", "p").code == 0)
    let found = try Command.lines(
      "query", scratch["s"], "p", "--near", "roads:id == 1", "--radius", "100km", "--select", "id",
      "--format", "csv")
    #expect(found == ["id", "1"])
    let none = try Command.run(
      "query", scratch["s"], "p", "--near", "roads:id == 3", "--radius", "1km")
    #expect(
      none.code == 64 && none.errors.contains("the row of 'roads' with id == 3 has no location"))
  }

  @Test func mistakes() throws {
    for (arguments, said) in [
      (["--near", "places:id > 90", "-n", "1"], "--near: no row of 'places' meets id > 90"),
      (["--near", "places:id > 6", "-n", "1"], "--near: several rows of 'places' meet id > 6"),
      (["--near", "place:id == 1", "-n", "1"], "has no class 'place'; did you mean 'places'?"),
      (["--near", "places:idd == 1", "-n", "1"], "Did you mean 'id'?"),
      (["--near", "places:id ==", "-n", "1"], "Expected"),
      (["--near", "places", "-n", "1"], "expected LATITUDE,LONGITUDE"),
      (["--seed", "1"], "--seed needs --sample"),
      (["--sample", "-1"], "a whole number, 0 or more"),
      (["--sample", "1", "--explain"], "--sample has no query plan"),
      (["--edges", "planar"], "--edges applies only to --within, --outside"),
      (["--outside", "POLYGON ((0 0))"], "--outside: the outer ring has 1 points"),
      (["--format", "json", "--bom"], "--bom applies only to the formats csv and tsv"),
      (["--format", "json", "--delimiter", ";"], "--delimiter applies only to the formats csv"),
      (["--decimal-comma"], "--decimal-comma applies only to the formats csv and tsv"),
      (
        ["--format", "csv", "--decimal-comma", "--delimiter", "comma"],
        "--decimal-comma needs another --delimiter"
      ),
      (["-o", "a.csv.zip"], "only gzip (.gz) is written directly"),
    ] {
      let outcome = try Command.run(["query", SampleStores.placesStore(), "places"] + arguments)
      #expect(
        [64, 65].contains(outcome.code) && outcome.errors.contains(said),
        "\(arguments): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  // MARK: CSV

  @Test func dialectsOfCSV() throws {
    func csv(_ options: String...) throws -> String {
      try Command.run(
        ["query", SampleStores.placesStore(), "places", "id == 3", "--select", "name,location"]
          + options
      ).output
    }
    #expect(
      try csv("--format", "csv", "--delimiter", "semicolon")
        == "name;latitude;longitude\nByron Bay, NSW;-28.6434;153.6122\n")
    #expect(
      try csv("--format", "csv", "--decimal-comma")
        == "name;latitude;longitude\nByron Bay, NSW;-28,6434;153,6122\n")
    #expect(
      try csv("--format", "tsv", "--decimal-comma")
        == "name\tlatitude\tlongitude\nByron Bay, NSW\t-28,6434\t153,6122\n")
    #expect(
      try csv("--format", "csv", "--delimiter", "|", "--bom")
        == "\u{FEFF}name|latitude|longitude\nByron Bay, NSW|-28.6434|153.6122\n")
  }

  /// What is written for Excel imports again, number for number.
  @Test func dialectsAreReadBack() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.placesStore()
    let file = scratch["excel.csv"]
    #expect(
      try Command.run("export", store, "places", "--decimal-comma", "--bom", "-o", file).code == 0)
    let back = try Command.run(
      "import", scratch["s"], file, "--class", "places", "--decimal-comma", "--key", "id")
    #expect(back.code == 0, "\(back.errors)")
    for path in [store, scratch["s"]] {
      let outcome = try Command.run(
        "export", path, "places", "--sort", "id", "-o", scratch["\(path == store)"], "--format",
        "jsonl")
      #expect(outcome.code == 0)
    }
    #expect(try scratch.text("true") == scratch.text("false"))
  }

  @Test func compressedFiles() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.citiesStore()
    for name in ["c.csv", "c.geojson", "c.jsonl"] {
      let plain = try Command.run("export", store, "cities", "--output", scratch[name])
      let packed = try Command.run("export", store, "cities", "--output", scratch[name + ".gz"])
      #expect(plain.code == 0 && packed.code == 0, "\(packed.errors)")
      let unpacked = try Command.shell("gunzip -c \(name).gz | cmp - \(name)", in: scratch.url)
      #expect(unpacked.code == 0, "\(unpacked.output)\(unpacked.errors)")
      let sizes = try [name, name + ".gz"].map {
        try FileManager.default.attributesOfItem(atPath: scratch[$0])[.size] as? Int ?? 0
      }
      #expect(sizes[1] < sizes[0] / 2)
    }
    let empty = try Command.run(
      "query", store, "cities", "FALSEPREDICATE", "--select", "id", "-o", scratch["e.csv.gz"])
    #expect(empty.code == 0)
    #expect(try Command.shell("gunzip -c e.csv.gz", in: scratch.url).output == "id\n")
  }
}
