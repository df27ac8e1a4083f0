import CairnTestSupport
import Foundation
import Testing

/// Formulas and measures in conditions, groups, figures, orders and updates, against the same
/// arithmetic on the written rows.
@Suite struct ComputedConditionTests {
  private func output(_ arguments: [String]) throws -> [String] {
    let outcome = try Command.run(arguments)
    try #require(outcome.code == 0, "\(arguments): \(outcome.errors)")
    return outcome.lines
  }

  private struct City {
    let id: Int
    let name: String
    let country: String
    let population: Int?
  }

  private func cities() throws -> [City] {
    try output([
      "query", SampleStores.citiesStore(), "cities", "--select", "id,name,country,population",
      "--format", "tsv", "--sort", "id",
    ]).dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return City(
        id: try #require(Int(fields[0])), name: fields[1], country: fields[2],
        population: Int(fields[3]))
    }
  }

  @Test func conditions() throws {
    let cities = try cities()
    let store = try SampleStores.citiesStore()
    let conditions: [(String, (City) -> Bool)] = [
      ("population / 1000 > 2500", { ($0.population.map(Double.init) ?? 0) / 1000 > 2500 }),
      ("(population + 1) * 2 >= 4000000", { (($0.population ?? -1) + 1) * 2 >= 4_000_000 }),
      ("length(name) == 4 AND country == 'FR'", { $0.name.count == 4 && $0.country == "FR" }),
      (
        "upper(name) == 'BERN' || lower(country) == 'sm'",
        { $0.name == "Bern" || $0.country == "SM" }
      ),
      ("NOT (length(name) < 20)", { $0.name.count >= 20 }),
      ("population > 1000 * 1000", { ($0.population ?? 0) > 1_000_000 }),
      ("population -1 > 999999", { ($0.population ?? 0) > 1_000_000 }),
      ("substring(name, 1, 1) IN {'X', 'Q'}", { "XQ".contains($0.name.first ?? " ") }),
      (
        "round(population / 1000) BETWEEN {900, 1000}",
        { 900...1000 ~= (Double($0.population ?? 0) / 1000).rounded() }
      ),
      ("name BEGINSWITH upper(country)", { $0.name.hasPrefix($0.country) }),
    ]
    for (text, meets) in conditions {
      let ids = try output([
        "query", store, "cities", text, "--select", "id", "--format", "csv", "--sort", "id",
      ]).dropFirst().compactMap { Int($0) }
      let wanted = cities.filter(meets).map(\.id)
      #expect(ids == wanted, "\(text)")
      #expect(try output(["count", store, "cities", text]) == ["\(wanted.count)"], "\(text)")
    }
  }

  /// Parts of locations in every place that takes a column, against the coordinates as written.
  @Test func partsOfLocations() throws {
    let store = try SampleStores.citiesStore()
    let rows = try output([
      "query", store, "cities", "--select", "id,location.latitude,location.longitude", "--format",
      "csv", "--sort", "id",
    ]).dropFirst().map { line in line.split(separator: ",").compactMap { Double($0) } }
    let conditions: [(String, ([Double]) -> Bool)] = [
      ("location.latitude > 60", { $0[1] > 60 }), ("60 < location.latitude", { $0[1] > 60 }),
      (
        "location.latitude BETWEEN {-1, 1} AND location.longitude < 0",
        { abs($0[1]) <= 1 && $0[2] < 0 }
      ),
      ("location.latitude > location.longitude", { $0[1] > $0[2] }),
      ("location.latitude + location.longitude > 200", { $0[1] + $0[2] > 200 }),
      ("location.altitude == 0", { _ in true }),
    ]
    for (text, meets) in conditions {
      #expect(
        try output(["count", store, "cities", text]) == ["\(rows.count(where: meets))"], "\(text)")
    }
    let northern = try output([
      "query", store, "cities", "--select", "id", "--sort", "location.latitude:desc,id", "--limit",
      "5", "--format", "csv",
    ]).dropFirst()
    let sorted = rows.sorted { ($1[1], $0[0]) < ($0[1], $1[0]) }.prefix(5).map { "\(Int($0[0]))" }
    #expect(Array(northern) == sorted)
    let figures = try output([
      "stats", store, "cities", "--of", "location.latitude", "--figures", "count,min,max",
      "--format", "csv",
    ])
    let latitudes = rows.map { $0[1] }
    #expect(
      figures.last?.hasSuffix(
        "\(rows.count),\(latitudes.min() ?? 0),\(latitudes.max() ?? 0)") == true, "\(figures)")
    let slip = try Command.run("count", store, "cities", "location.latitud > 60")
    #expect(
      slip.code == 64 && slip.errors.contains("its parts are latitude"))
    let east = try output([
      "stats", store, "cities", "--by", "location.longitude > 0 AS east", "--format", "csv",
    ])
    #expect(east.contains("true,\(rows.count { $0[2] > 0 })"), "\(east)")
  }

  @Test func groupsAndFigures() throws {
    let cities = try cities()
    let store = try SampleStores.citiesStore()
    let lines = try output([
      "stats", store, "cities", "--by", "substring(country, 1, 1) AS letter", "--of",
      "population / 1000 AS thousands", "--figures", "count,max", "--format", "csv",
    ])
    #expect(lines[0] == "letter,column,count,max")
    let groups = Dictionary(grouping: cities) { String($0.country.prefix(1)) }
    let wanted = groups.mapValues { $0.compactMap(\.population).max().map { Double($0) / 1000 } }
    #expect(lines.count == groups.count + 1)
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(fields[1] == "thousands")
      #expect(Int(fields[2]) == groups[fields[0]]?.count { $0.population != nil }, "\(line)")
      #expect(Double(fields[3]) == wanted[fields[0]] ?? nil, "\(line)")
    }
    let both = try output([
      "stats", store, "cities", "--by",
      "substring(country, 1, 1) AS letter, length(country) AS size,country AS land", "--of",
      "population / 1000 AS a,population + 1 AS b", "--figures", "max", "--format", "csv",
    ])
    #expect(both[0] == "letter,size,land,column,max")
    #expect(both.count == 2 * Set(cities.map(\.country)).count + 1)
    for line in both.dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(fields[0] == fields[2].prefix(1) && fields[1] == "2", "\(line)")
      let most = cities.filter { $0.country == fields[2] }.compactMap(\.population).max()
      let wanted = most.map { fields[3] == "a" ? Double($0) / 1000 : Double($0 + 1) }
      #expect(Double(fields[4]) == wanted, "\(line)")
    }
    let counts = try output([
      "count", store, "cities", "--by", "length(country)", "--format", "csv",
    ])
    #expect(counts == ["length(country),count", "2,\(cities.count)"])
  }

  /// Formulas in every position of a condition, also where a column has the name of their text.
  @Test func formsOfConditions() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "o.csv",
      "id,name,lat,lon,a,b,a-b,a + b\n1,x,1,2,5,3,9,0\n2,y,1,2,3,4,-9,100\n3,z,1,2,7,-7,0,0\n")
    _ = try output(["import", scratch["s"], file.path, "--class", "o", "--key", "id", "--quiet"])
    for (condition, ids) in [
      ("a-b > 0", "13"), ("a - b > 0", "13"), ("`a-b` > 0", "1"), ("a + b > 3", "12"),
      ("(a + b) > 3", "12"), ("((a + b) / 2) > 1", "12"), ("NOT (a + b) > 3", "3"),
      ("(a) == 5", "1"), ("(a + b) IN {8,7}", "12"), ("(a + b) BETWEEN {7,9}", "12"),
      ("a > (b + 0)", "13"), ("3 > (b)", "3"), ("a == -b", "3"), ("a > -b", "12"),
      ("length (name) == 1 AND a == 3", "2"), ("a == 5 || b == 4", "12"),
      ("(a == 5 OR b == 4) AND (a + b) * 2 > 14", "1"), ("a IN (5, 3)", "12"), ("a IN (5)", "1"),
      ("NOT (a == 5)", "23"), ("(a IN {5}) OR (b == 4)", "12"), ("a + null > 3", ""),
      ("a BETWEEN 1 AND 5", "12"), ("((a == 5))", "1"), ("(a) IS NULL", ""),
      ("cast(decimal128(9007199254740993) AS int) == 9007199254740993", "123"),
    ] {
      let found = try output([
        "query", scratch["s"], "o", condition, "--select", "id", "--sort", "id", "--format", "csv",
      ]).dropFirst().joined()
      #expect(found == ids, "\(condition)")
    }
    // A list names columns, and two formulas may have the same title.
    #expect(
      try output([
        "stats", scratch["s"], "o", "--by", "b + 100 AS k", "--of", "a + 1 AS k, a + b",
        "--figures",
        "max", "--format", "csv",
      ]) == [
        "k,column,max", "93,k,8", "93,a + b,0", "103,k,6", "103,a + b,0", "104,k,4",
        "104,a + b,100",
      ])
    #expect(
      try output([
        "stats", scratch["s"], "o", "--by", "upper(name) AS name", "--format", "csv",
      ]) == ["name,count", "X,1", "Y,1", "Z,1"])
    let tiles = try Command.run(
      "tiles", scratch["s"], "o", "cast(name AS int) > 3", "--output", scratch["t.pmtiles"])
    #expect(tiles.code == 65 && !scratch.exists("t.pmtiles"), "\(tiles.errors)")
  }

  @Test func namesOfSelectedFormulas() throws {
    let store = try SampleStores.placesStore()
    #expect(
      try output([
        "query", store, "places", "double > 4 AND double < 9", "--select", "id, id * 2 AS double",
        "--format", "csv", "--sort", "double:desc",
      ]) == ["id,double", "4,8", "3,6"])
    // A condition reads the column of the class, not the formula with its name.
    #expect(
      try output([
        "query", store, "places", "id == 4", "--select", "id * 2 AS id", "--format", "csv",
      ]) == ["id", "8"])
  }

  @Test func changes() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "a.csv", "id,price,latitude,longitude\n1,$12.50,1,1\n2,\"$1,000.00\",2,2\n3,,3,3\n")
    _ = try output(["import", scratch["s"], file.path, "--class", "a"])
    _ = try output([
      "update", scratch["s"], "a", "length(price) > 0", "--set",
      "amount = cast(regexp_replace(price, '[$,]', '') AS double)", "--add", "--quiet",
    ])
    #expect(
      try output([
        "query", scratch["s"], "a", "--select", "id,amount", "--format", "csv", "--sort", "id",
      ]) == ["id,amount", "1,12.5", "2,1000.0", "3,"])
    _ = try output(["delete", scratch["s"], "a", "amount * 2 == 25", "--quiet"])
    #expect(try output(["count", scratch["s"], "a"]) == ["2"])
  }

  @Test func mistakes() throws {
    let store = try SampleStores.placesStore()
    for (arguments, code, said) in [
      (["count", store, "places", "upper(nme) == 'X'"], 64, "Did you mean 'name'?"),
      (["count", store, "places", "name + 1 == 2"], 64, "takes numbers"),
      (["count", store, "places", "coalesce(location) != null"], 64, "is a point"),
      (["stats", store, "places", "--by", "coalesce(location) AS x"], 64, "is a point"),
      (["count", store, "places", "uper(name) == 'X'"], 64, "Functions are not supported"),
      (["count", store, "places", "cast(name AS int) > 2"], 65, "is not a valid int"),
      (["count", store, "places", "population * 9223372036854775807 > 2"], 65, "out of the range"),
      (["stats", store, "places", "--by", "upper(nme)"], 64, "Did you mean 'name'?"),
      (["stats", store, "places", "--of", "cast(name AS int)"], 65, "is not a valid int"),
      (["stats", store, "places", "--by", "foo(name)"], 64, "'foo' is not a function"),
      (["count", store, "places", "if(id == 1 || id == 2, 1, 0) == 1"], 64, "write OR"),
      (
        ["query", store, "places", "cast(name AS int) > 2", "--explain"], 65, "the row with the id"
      ),
      (["watch", store, "places", "length(name) > 2"], 64, "is a formula"),
    ] as [([String], Int32, String)] {
      let outcome = try Command.run(arguments)
      #expect(
        outcome.code == code && outcome.errors.contains(said), "\(arguments): \(outcome.errors)")
    }
  }

  @Test func measures() throws {
    let scratch = try TemporaryFolder()
    var rows = "id,wkt\n"
    for index in 1...200 {
      let (x, size) = (Double(index % 50), Double(index * 37 % 100 + 1) / 1000)
      rows +=
        "\(index),\"POLYGON ((\(x) 1, \(x + size) 1, \(x + size) \(1 + size), \(x) \(1 + size), \(x) 1))\"\n"
    }
    rows += "201,\n"
    let file = try scratch.file("a.csv", rows)
    _ = try output([
      "import", scratch["s"], file.path, "--class", "a", "--location-optional",
    ])
    let written = try Command.run(
      "query", scratch["s"], "a", "--select", "id,area", "--format", "csv", "--sort", "id")
    // Without PROJ, areas cannot be measured.
    guard written.code == 0 else {
      return #expect(written.errors.contains("PROJ"), "\(written.errors)")
    }
    let areas = written.lines.dropFirst().map { line -> (id: Int, area: Double?) in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return (Int(fields[0]) ?? 0, Double(fields[1]))
    }
    #expect(areas.count == 201 && areas[200].area == nil)
    func ids(_ arguments: String...) throws -> [Int] {
      try output(
        ["query", scratch["s"], "a", "--select", "id", "--format", "csv"] + arguments
      ).dropFirst().compactMap { Int($0) }
    }
    let large = areas.filter { $0.area ?? 0 > 2e7 }.map(\.id)
    #expect(try ids("area > 2e7", "--sort", "id") == large)
    #expect(try ids("area / 1e6 > 20", "--sort", "id") == large)
    let ordered = areas.filter { $0.area != nil }.sorted {
      ($0.area ?? 0, $1.id) > ($1.area ?? 0, $0.id)
    }.map(\.id)
    #expect(try ids("area != null", "--sort", "area:desc,id") == ordered)
    let millions = try output([
      "stats", scratch["s"], "a", "--of", "area / 1e6 AS area", "--figures", "max", "--format",
      "csv",
    ])
    let most = millions[1].split(separator: ",").last.flatMap { Double($0) }
    #expect(most == areas.compactMap(\.area).max().map { $0 / 1e6 })
    let sum = try output([
      "stats", scratch["s"], "a", "--of", "area", "--figures", "count,sum", "--format", "csv",
    ])
    let fields = sum[1].split(separator: ",")
    #expect(fields[0] == "area" || fields[0] == "200")
    #expect(fields.contains("200"))
    let total = areas.compactMap(\.area).reduce(0, +)
    let found = try #require(fields.last.flatMap { Double($0) })
    #expect(abs(found / total - 1) < 1e-12)
    let pairs = try output([
      "join", scratch["s"], "a", "a", "--as", "x,y", "--on", "intersects",
      "x.area < y.area", "--select", "x.id,y.id", "--format", "csv",
    ]).dropFirst().map { $0.split(separator: ",").compactMap { Int($0) } }
    #expect(!pairs.isEmpty)
    for pair in pairs {
      #expect((areas[pair[0] - 1].area ?? 0) < (areas[pair[1] - 1].area ?? 0), "\(pair)")
    }
    _ = try output([
      "update", scratch["s"], "a", "--all", "--set", "area = round(area / 1e6, 3)", "--add",
      "--quiet",
    ])
    #expect(
      try output([
        "query", scratch["s"], "a", "id == 1", "--select", "area", "--format", "csv",
      ])[1] == "\(((areas[0].area ?? 0) / 1e6 * 1000).rounded() / 1000)")
  }
}
