import CairnTestSupport
import Foundation
import Testing

/// Computed columns of `query`, against the same arithmetic on the written rows.
@Suite struct ComputedColumnTests {
  private func lines(_ select: String, _ options: String...) throws -> [String] {
    let outcome = try Command.run(
      ["query", SampleStores.placesStore(), "places", "--select", select, "--format", "csv"]
        + options)
    try #require(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines
  }

  @Test func formulas() throws {
    #expect(
      try lines("id, id * 2 + 1 AS odd, name || '!' AS loud", "id < 3", "--sort", "id") == [
        "id,odd,loud", "1,3,Brisbane!", "2,5,Ipswich!",
      ])
    // Commas in functions and in texts do not end a column.
    #expect(
      try lines("round(population / 1000.0, 1) AS k,name || ', ' || kind as place", "id == 4") == [
        "k,place", "2102.7,\"Paris, city\"",
      ])
    #expect(
      try lines("location.latitude * -1 AS south, population / 0 AS none", "id == 1") == [
        "south,none", "27.4705,",
      ])
    #expect(try lines("population + 1 AS more", "id == 8") == ["more", ""])
  }

  @Test func manyRowsInOrder() throws {
    let store = try SampleStores.citiesStore()
    let rows = try Command.lines(
      "query", store, "cities", "--select", "id,population,population * 3 - id AS sum", "--format",
      "csv", "--sort", "population:desc")
    #expect(rows.count == 34025)
    for row in rows.dropFirst() {
      let numbers = row.split(separator: ",").compactMap { Int($0) }
      #expect(numbers.count == 3 && numbers[2] == numbers[1] * 3 - numbers[0], "\(row)")
    }
  }

  @Test func sortedByComputedColumns() throws {
    #expect(
      try lines("id, id * -1 AS minus", "id < 4", "--sort", "minus") == [
        "id,minus", "3,-3", "2,-2", "1,-1",
      ])
    // The computed column, not the property of the same name.
    #expect(
      try lines("name, 10 - id AS id", "id < 4", "--sort", "id", "--limit", "1").count == 2)
    let store = try SampleStores.citiesStore()
    func rows(_ options: String...) throws -> [[Substring]] {
      let select = "country, id, population / 1000 AS k, name || country AS label"
      let outcome = try Command.run(
        ["query", store, "cities", "--select", select, "--format", "tsv"] + options)
      try #require(outcome.code == 0, "\(outcome.errors)")
      return outcome.lines.dropFirst().map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
    }
    let all = try rows()
    let byK = all.enumerated().sorted {
      let (a, b) = (Double($0.element[2]) ?? -1, Double($1.element[2]) ?? -1)
      return a == b ? $0.offset < $1.offset : a > b
    }.map(\.element)
    #expect(try rows("--sort", "k:desc") == byK)
    #expect(try rows("--sort", "k:desc", "--offset", "5", "-n", "20") == Array(byK[5..<25]))
    let byCountry = all.enumerated().sorted {
      let (a, b) = ($0.element, $1.element)
      if a[0] != b[0] { return Array(a[0].utf8).lexicographicallyPrecedes(Array(b[0].utf8)) }
      let (x, y) = (Double(a[2]) ?? -1, Double(b[2]) ?? -1)
      return x == y ? $0.offset < $1.offset : x > y
    }.map(\.element)
    #expect(try rows("--sort", "country,k:desc") == byCountry)
    var seen: Set<Substring> = []
    #expect(
      try rows("--sort", "k:desc", "--distinct", "country", "-n", "7")
        == Array(byK.filter { seen.insert($0[0]).inserted }.prefix(7)))
    let byLabel = all.sorted { Array($0[3].utf8).lexicographicallyPrecedes(Array($1[3].utf8)) }
    #expect(try rows("--sort", "label,id").map { $0[3] } == byLabel.map { $0[3] })
    let sample = try rows("--sort", "k,id", "--sample", "50", "--seed", "3")
    #expect(sample.count == 50)
    #expect(sample.map { Double($0[2]) ?? -1 } == sample.map { Double($0[2]) ?? -1 }.sorted())
  }

  @Test func mistakesInSorting() throws {
    for (options, message) in [
      (["--sort", "k", "--explain"], "--explain has no plan"),
      (["--sort", "kk"], "no column 'kk'"),
      (["--sort", "where"], "have no order"),
    ] {
      let outcome = try Command.run(
        [
          "query", SampleStores.placesStore(), "places", "--select",
          "id * 2 AS k, location AS where",
        ] + options)
      #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }
  }

  @Test func distancesAndMeasures() throws {
    let rows = try lines(
      "id, distance, round(distance / 1000) AS km", "--near", "48.8566,2.3522", "-n", "3")
    for row in rows.dropFirst() {
      let numbers = row.split(separator: ",").compactMap { Double($0) }
      #expect(numbers[2] == (numbers[1] / 1000).rounded(), "\(row)")
    }
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "a.csv", "id,people,wkt\n1,500,\"POLYGON ((8 47, 8.1 47, 8.1 47.1, 8 47.1, 8 47))\"\n2,7,\n")
    #expect(try Command.run("import", scratch["s"], file.path, "--class", "a").code == 0)
    let areas = try Command.run(
      "query", scratch["s"], "a", "--select", "id, area, people / (area / 1000000) AS density",
      "--format", "csv", "--sort", "id")
    // Without PROJ, areas cannot be measured.
    guard areas.code == 0 else { return }
    let numbers = areas.lines[1].split(separator: ",").compactMap { Double($0) }
    #expect(abs(numbers[2] - 500 / (numbers[1] / 1e6)) < 1e-9)
    #expect(areas.lines[2] == "2,,")
  }

  @Test func otherFormats() throws {
    let json = try Command.lines(
      "query", SampleStores.placesStore(), "places", "id == 4", "--select", "id, id * 1.5 AS x",
      "--format", "jsonl")
    #expect(json == ["{\"id\":4,\"x\":6.0}"])
    let geojson = try Command.lines(
      "query", SampleStores.placesStore(), "places", "id == 4", "--select", "id + 1 AS x",
      "--format", "geojsonl")
    #expect(geojson[0].contains("\"properties\":{\"x\":5}"))
  }

  @Test func mistakes() throws {
    for (select, said) in [
      ("id * 2", "a computed column needs a name, as in id * 2 AS name"),
      ("populatoin * 2 AS x", "'population'"),
      ("name * 2 AS x", "takes numbers"),
      ("id * AS x", "Expected"),
      ("id AS name, name", "--select names 'name' twice"),
      ("id + 1 AS x, id + 2 AS x", "--select names 'x' twice"),
      ("nope", "has no column 'nope'"),
    ] {
      let outcome = try Command.run(
        "query", SampleStores.placesStore(), "places", "--select", select)
      #expect(outcome.code == 64 && outcome.errors.contains(said), "\(select): \(outcome.errors)")
    }
    let large = try Command.run(
      "query", SampleStores.placesStore(), "places", "id == 1", "--select",
      "population * 9223372036854775807 AS x")
    #expect(large.code == 65 && large.errors.contains("--select x:"), "\(large.errors)")
  }
}
