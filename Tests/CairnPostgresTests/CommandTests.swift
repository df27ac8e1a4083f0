import CairnPostgres
import CairnQuery
import CairnSQL
import CairnTestSupport
import Foundation
import Testing

/// The command reads a table like a file: every line of output is that of the store from which the
/// table was pushed.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct CommandTests {
  /// A store with places, and a table of them on the server.
  private static let pushed = Result { try Pushed() }

  private struct Pushed {
    let folder: TemporaryFolder
    let store: String

    init() throws {
      folder = try TemporaryFolder()
      store = folder.file()
      let seed = Soak.seed(17)
      var random = SplitMix64(seed: seed)
      var csv = "id,name,size,weight,day,latitude,longitude\n"
      for id in 0..<1500 {
        let name = random.pick(["Zürich", "zurich", "Bern", "", "a_b", "50%", "Ærø", "bern"])
        let size = random.chance(0.1) ? "" : "\(random.below(1000))"
        let weight = random.chance(0.1) ? "" : "\(Double(random.below(100000)) / 64)"
        let latitude = (Double(random.below(1_800_000)) - 900_000) / 10000
        let longitude = (Double(random.below(3_600_000)) - 1_800_000) / 10000
        csv += "\(id),\(name),\(size),\(weight),2020-01-\(10 + id % 20),\(latitude),\(longitude)\n"
      }
      let file = try folder.file("places.csv", csv)
      try succeed("import", store, file.path, "--key", "id", "--quiet")
      try succeed("push", store, "places", Cluster.url(), "--replace", "--quiet")
      print("The places have the seed \(seed).")
    }
  }

  @discardableResult
  private static func succeed(_ arguments: String...) throws -> Command.Outcome {
    let outcome = try Command.run(arguments)
    guard outcome.code == 0 else { throw Problem(text: outcome.errors) }
    return outcome
  }

  @Test(arguments: [
    ["count"], ["count", "size > 500 AND name == 'Bern'"], ["count", "name ==[c] 'BERN'"],
    ["count", "name CONTAINS[cd] 'zur' OR size == nil"], ["count", "--bbox", "170,-50,-170,50"],
    ["count", "--near", "47,8", "--radius", "2500km"], ["count", "--by", "hex(2000km)"],
    ["count", "--datetime", "2020-01-12"],
    ["query", "--datetime", "2020-01-20/..", "--select", "id", "--sort", "id"],
    ["count", "NOT (weight < 300)", "--near", "-80,179", "--radius", "3000km"],
    ["query", "name BEGINSWITH 'Z'", "--sort", "id"],
    ["query", "--sort", "size:desc,id", "--limit", "7", "--offset", "3"],
    ["query", "--near", "47,8", "--limit", "9"],
    ["query", "--near", "47,8", "--limit", "4", "--offset", "6"],
    ["query", "--near", "47,8", "--limit", "2000", "--select", "id,distance"],
    ["query", "name ==[c] 'BERN'", "--near", "-90,0", "--limit", "3", "--select", "id,distance"],
    ["query", "weight > 1000", "--near", "0,-179.5", "--limit", "5", "--select", "id,distance"],
    ["query", "name LIKE 'B*'", "--sort", "id", "--select", "id,size * 2 AS twice"],
    ["query", "--distinct", "name", "--sort", "name,id", "--select", "name"],
    ["query", "day > 2020-01-15T00:00:00Z AND size BETWEEN {10, 30}", "--sort", "id"],
    ["query", "--sort", "id", "--limit", "20", "--crs", "EPSG:3857", "--bbox", "-80,-60,80,60"],
    ["stats", "--of", "size,weight", "--figures", "count,min,max,sum,median,p90"],
    ["query", "--near", "places:id == 7", "--limit", "5", "--select", "id,distance"],
    ["count", "--near", "places:id == 7", "--radius", "3000km"],
    ["query", "name TEXT 'zur*'", "--sort", "id", "--select", "id"],
    ["stats", "--of", "size", "--by", "name", "--sort", "name"],
    ["stats", "--of", "size"], ["stats", "--of", "size,id", "--by", "name"],
    ["stats", "size > 2000", "--of", "size"],
    ["stats", "size > 2000", "--of", "size", "--by", "id"],
    ["stats", "name == 'Bern'", "--of", "id", "--bbox", "170,-50,-170,50"],
    ["stats", "name ==[c] 'BERN'", "--of", "id"], ["stats", "--of", "weight", "--by", "name"],
    ["stats", "--by", "size,name", "--sort", "count:desc,size,name", "--limit", "9"],
    ["count", "--by", "name"], ["count", "--by", "month(day)"],
    ["stats", "--of", "size", "--by", "name", "--figures", "count,max,p90"],
  ])
  func aTableGivesTheAnswerOfItsStore(arguments: [String]) throws {
    let pushed = try Self.pushed.get()
    for format in ["csv", "geojson"] where format == "csv" || arguments[0] == "query" {
      if format == "geojson", arguments.contains("--distinct") || arguments.contains("--crs") {
        continue
      }
      // A bare count is a number without a format.
      let isNumber = arguments[0] == "count" && !arguments.contains("--by")
      func run(_ source: String) throws -> Command.Outcome {
        try Command.run(
          [arguments[0], source, "places"] + arguments.dropFirst()
            + (isNumber ? [] : ["--format", format]))
      }
      let (here, there) = (try run(pushed.store), try run(Cluster.url()))
      #expect(here.code == 0 && !here.output.isEmpty, "\(here.errors)")
      #expect(there.output == here.output && there.code == 0, "\(there.errors)")
    }
  }

  /// The table with its locations as a geography, as other programs keep them.
  private static let geography = Result { () throws -> String in
    let pushed = try Self.pushed.get()
    try succeed(
      "push", pushed.store, "places", Cluster.url(), "--table", "round", "--replace", "--quiet")
    try Cluster.psql(
      """
      ALTER TABLE round ALTER location TYPE geography(Point, 4326) USING location::geography;
      ANALYZE round
      """)
    return pushed.store
  }

  @Test(arguments: [
    ["query", "--near", "47,8", "--limit", "9"],
    ["query", "--near", "0,180", "--limit", "30", "--select", "id,distance"],
    ["query", "--near", "-90,0", "--limit", "12", "--offset", "3", "--select", "id,distance"],
    ["query", "--near", "47,8", "--limit", "2000", "--select", "id,distance"],
    ["query", "size > 900", "--near", "0,0", "--limit", "5", "--select", "id,distance"],
    ["query", "--near", "40,-90", "--radius", "2000km", "--select", "id", "--sort", "id"],
    ["count", "--bbox", "170,-50,-170,50"],
  ])
  func aGeographyGivesTheAnswerOfItsStore(arguments: [String]) throws {
    let store = try Self.geography.get()
    let format = arguments[0] == "query" ? ["--format", "csv"] : []
    let here = try Command.run([arguments[0], store, "places"] + arguments.dropFirst() + format)
    let there = try Command.run(
      [arguments[0], Cluster.url(), "round"] + arguments.dropFirst() + format)
    #expect(here.code == 0 && !here.output.isEmpty, "\(here.errors)")
    #expect(there.output == here.output && there.code == 0, "\(there.errors)")
  }

  @Test func theNearestRowsOfAGeographyComeFromItsIndex() throws {
    _ = try Self.geography.get()
    let plan = try Command.run(
      "query", Cluster.url(), "round", "--near", "0,180", "--limit", "3", "--explain"
    ).output
    #expect(plan.contains("Order By: (location <-> "), "\(plan)")
    #expect(plan.contains("Index Cond: (location && "), "\(plan)")
    #expect(!plan.contains("Seq Scan"), "\(plan)")
  }

  @Test func aPolygonSelectsTheSameRows() throws {
    let pushed = try Self.pushed.get()
    let area = try pushed.folder.file(
      "area.geojson",
      #"{"type":"Polygon","coordinates":[[[-60,-40],[70,-30],[50,60],[-20,30],[-60,-40]]]}"#)
    for edges in ["planar", "geodesic"] {
      let options = ["places", "--within", area.path, "--edges", edges, "--sort", "id"]
      let outputs = try [pushed.store, Cluster.url()].map {
        try Command.run(["query", $0] + options + ["--format", "csv"]).output
      }
      #expect(outputs[0] == outputs[1] && outputs[0].count > 1000)
    }
  }

  @Test func aJoinGivesTheSamePairs() throws {
    let pushed = try Self.pushed.get()
    let outputs = try [pushed.store, Cluster.url()].map {
      try Command.run(
        "join", $0, "places", "places", "--on", "distance", "--radius", "200km", "--as", "a,b",
        "a.id < b.id", "--select", "a.id,b.id,distance", "--sort", "a.id,b.id", "--format", "csv"
      ).output
    }
    #expect(outputs[0] == outputs[1] && outputs[0].count > 100)
  }

  /// Rows of one location, lines and areas, and rows without either.
  private static let shapes = Result { () throws -> (folder: TemporaryFolder, store: String) in
    let folder = try TemporaryFolder()
    let store = folder.file()
    var features: [String] = []
    for id in 0..<60 {
      let (west, south) = (Double(id % 6) * 2, Double(id / 12) * 3 + 40)
      let shape =
        switch id % 4 {
        case 0, 1: #"{"type":"Point","coordinates":[\#(west),\#(south)]}"#
        case 2:
          #"{"type":"LineString","coordinates":[[\#(west),\#(south)],[\#(west + 1),\#(south + 1)]]}"#
        default:
          #"{"type":"Polygon","coordinates":[[[\#(west),\#(south)],[\#(west + 1),\#(south)],[\#(west),\#(south + 1)],[\#(west),\#(south)]]]}"#
        }
      // The keys are not in the order of the file.
      features.append(
        #"{"type":"Feature","properties":{"id":\#(id * 7 % 60),"kind":"k\#(id % 3)"},"geometry":\#(shape)}"#
      )
    }
    let points = features.filter { !$0.contains("LineString") && !$0.contains("Polygon") }
    for (name, list, property) in [("shapes", features, "geometry"), ("spots", points, "location")]
    {
      let file = try folder.file(
        "\(name).geojson",
        #"{"type":"FeatureCollection","features":[\#(list.joined(separator: ","))]}"#)
      try succeed("import", store, file.path, "--class", name, "--key", "id", "--quiet")
      try succeed("update", store, name, "id IN {8, 35}", "--set", "\(property) = null")
      try succeed("push", store, name, Cluster.url(), "--replace", "--quiet")
    }
    return (folder, store)
  }

  @Test(arguments: [
    ["query", "shapes", "--select", "id,area,length", "--sort", "id"],
    ["query", "shapes", "--select", "id,area / 1e6 AS size", "--sort", "size:desc,id"],
    ["query", "shapes", "--select", "id,geometry.length", "--sort", "id"],
    [
      "query", "spots", "--near", "43,4", "--sort", "distance,id", "--limit", "5", "--select",
      "id,distance",
    ],
    [
      "query", "spots", "--near", "43,4", "--sort", "distance,id", "--limit", "100", "--select",
      "id,distance",
    ],
    ["join", "spots", "shapes", "--on", "nearest", "--select", "spots.id,shapes.id,distance"],
    [
      "join", "shapes", "spots", "--on", "nearest", "--limit", "3", "--select",
      "shapes.kind,spots.id", "--sort", "shapes.kind,spots.id",
    ],
    ["join", "spots", "shapes", "--on", "nearest", "--by", "spots.kind", "--of", "shapes.id"],
    [
      "join", "spots", "shapes", "--on", "within", "--select", "spots.id,shapes.area", "--sort",
      "spots.id,shapes.id",
    ],
  ])
  func shapesGiveTheAnswersOfTheirStore(arguments: [String]) throws {
    let (_, store) = try Self.shapes.get()
    let outcomes = try [store, Cluster.url()].map {
      try Command.run([arguments[0], $0] + arguments.dropFirst() + ["--format", "csv"])
    }
    #expect(outcomes[0].code == 0 && outcomes[0].output.count > 40, "\(outcomes[0].errors)")
    #expect(outcomes[0].output == outcomes[1].output, "\(outcomes[1].errors)")
  }

  /// Only figures that the server computes exactly as Cairn does come from there.
  @Test func theServerComputesFiguresOfIntegers() throws {
    let pushed = try Self.pushed.get()
    try Cluster.psql(
      """
      CREATE TABLE large (id int PRIMARY KEY, n int8, kind text, flag bool, d float8);
      INSERT INTO large SELECT i, CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN 9223372036854775807
        WHEN 2 THEN -9223372036854775808 ELSE 9007199254740993 + i END,
        (ARRAY['b', 'B', 'é', 'z', NULL, 'a'])[i % 6 + 1], i % 3 = 0, i / 7.0
      FROM generate_series(1, 500) AS i
      """)
    let store = pushed.folder.file("large.cairn")
    try Self.succeed("pull", Cluster.url(), "large", store, "--quiet")
    for options in [
      ["--of", "n"], ["n > 0", "--of", "n"], ["--of", "n,id", "--by", "kind"],
      ["--of", "n", "--by", "flag,kind"], ["--by", "n", "--sort", "n"], ["id > 900", "--of", "n"],
    ] {
      let outputs = try [store, Cluster.url()].map {
        try Command.run(["stats", $0, "large"] + options + ["--format", "jsonl"]).output
      }
      #expect(outputs[0] == outputs[1] && !outputs[0].isEmpty, "\(options)")
    }
    let source = try PostgresSource(
      "large", in: PostgresConnection(PostgresAddress(Cluster.url())))
    let all = SQLCondition.everyRow
    let groups = try #require(try source.figures(of: ["n"], by: ["kind"], condition: all))
    #expect(groups.map { $0.summaries[0].count }.reduce(0, +) == 429 && groups.count == 6)
    let rows = try #require(try source.figures(of: [], by: ["kind"], condition: all))
    #expect(rows.compactMap(\.count).reduce(0, +) == 500)
    #expect(try source.figures(of: ["d"], by: [], condition: all) == nil)
    #expect(try source.figures(of: ["n"], by: ["d"], condition: all) == nil)
    try Cluster.psql("DROP TABLE large")
  }

  @Test func theStatementOfAJoinFindsItsPairs() throws {
    let (_, store) = try Self.shapes.get()
    for (left, right, options) in [
      ("spots", "shapes", ["--on", "within"]),
      ("shapes", "shapes", ["--on", "intersects", "--as", "a,b", "a.id < b.id"]),
      ("shapes", "spots", ["--on", "contains", "spots.kind == 'k1'", "--edges", "geodesic"]),
      ("spots", "spots", ["--on", "distance", "--radius", "300km", "--as", "a,b"]),
    ] {
      let names = options.contains("--as") ? ["a", "b"] : [left, right]
      let words =
        ["join", store, left, right] + options + ["--select", "\(names[0]).id,\(names[1]).id"]
      let pairs = try Command.run(words + ["--format", "csv"]).lines.dropFirst()
      let statement = try Command.run(words + ["--sql", "postgis"])
      let found = try Cluster.psql(statement.output).map { $0.replacing("\t", with: ",") }
      #expect(!pairs.isEmpty && Set(found).isSuperset(of: pairs), "\(statement.errors)")
      if !statement.output.contains("-- superset") {
        #expect(found.sorted() == pairs.sorted())
      }
    }
  }

  @Test(arguments: [
    (["--on", "nearest"], "have no statement"), (["--on", "within", "--outer"], "--outer"),
    (["--on", "within", "--by", "spots.kind"], "--by does not apply to --sql"),
    (["--on", "within", "--select", "spots.kin"], "did you mean 'kind'?"),
    (["--on", "within", "spots.id < shapes.id AND spots.id > shapes.id"], "not several"),
  ])
  func aJoinWithoutAStatementIsNamed(options: [String], words: String) throws {
    let (_, store) = try Self.shapes.get()
    let outcome = try Command.run(["join", store, "spots", "shapes", "--sql", "duckdb"] + options)
    #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    let same = try Command.run(
      "join", store, "spots", "spots", "--on", "within", "--select", "spots.id,spots.id", "--sql",
      "duckdb")
    #expect(same.code == 64 && same.errors.contains("two names"), "\(same.errors)")
    let remote = try Command.run(
      "join", Cluster.url(), "spots", "shapes", "--on", "within", "--sql", "duckdb")
    #expect(remote.code == 64 && remote.errors.contains("not of a database"))
  }

  @Test func anExportIsThatOfTheStore() throws {
    let pushed = try Self.pushed.get()
    let files = ["a.geojsonl", "b.geojsonl"].map { pushed.folder.file($0) }
    for (source, file) in zip([pushed.store, Cluster.url()], files) {
      try Self.succeed("export", source, "places", "--sort", "id", "--output", file, "--quiet")
    }
    let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(texts[0] == texts[1] && texts[0].count > 10000)
  }

  @Test func aTableReturnsAsTheSameClass() throws {
    let pushed = try Self.pushed.get()
    let back = pushed.folder.file("back.cairn")
    for _ in 0..<2 { try Self.succeed("pull", Cluster.url(), "places", back, "--quiet") }
    let outputs = try [pushed.store, back].map {
      try Command.run("query", $0, "places", "--sort", "id", "--format", "csv", "-n", "2000").output
    }
    #expect(outputs[0] == outputs[1])
    let schema = try Command.run("schema", back, "--json").output
    #expect(schema.contains("\"primaryKey\":\"id\"") || schema.contains("\"primaryKey\": \"id\""))
  }

  @Test func theSchemaIsThatOfTheCatalogue() throws {
    _ = try Self.pushed.get()
    try Cluster.psql(
      """
      CREATE TABLE kinds (a int2 NOT NULL, b varchar(9), c numeric(9,2), d timestamp, e int[],
        f geography(Polygon), g geometry, h jsonb, i geometry(PointZ,2056), PRIMARY KEY (a));
      CREATE INDEX ON kinds USING gist (f); CREATE VIEW seen AS SELECT a, b FROM kinds
      """)
    let text = try Command.run("schema", Cluster.url(), "kinds").output
    for line in [
      "a +int +smallint +primary key", "b +string\\? +character varying\\(9\\)",
      "c +decimal128\\? +numeric\\(9,2\\)", "d +date\\? +timestamp without time zone",
      "e +list of int\\? +integer\\[\\]",
      "f +polygon\\? +geography\\(Polygon,4326\\) +spatial index",
      "g +geometry\\? +geometry", "h +string\\? +jsonb",
      "i +geometry\\? +geometry\\(PointZ,2056\\)",
    ] {
      #expect(text.contains(try Regex("\n\(line)")), "\(line) in \(text)")
    }
    let all = try Command.run("schema", Cluster.url(), "--json").output
    #expect(all.contains("seen") && all.contains("places") && !all.contains("spatial_ref_sys"))
    try Cluster.psql("DROP TABLE kinds CASCADE")
  }

  @Test func otherCoordinateSystemsAreConverted() throws {
    try Cluster.psql(
      """
      CREATE TABLE swiss (id int PRIMARY KEY, place geometry(Point,2056), area geometry(Polygon,2056));
      INSERT INTO swiss VALUES (1, ST_Point(2600000, 1200000, 2056),
        ST_MakeEnvelope(2600000, 1200000, 2601000, 1201000, 2056)), (2, 'SRID=2056;POINT EMPTY', NULL)
      """)
    let lines = try Command.lines(
      "query", Cluster.url(), "swiss", "--near", "46.9511,7.4386", "--radius", "100m", "--format",
      "csv", "--select", "id,place.latitude")
    #expect(lines.count == 2 && lines[1].hasPrefix("1,46.951"))
    #expect(
      try Command.lines(
        "count", Cluster.url(), "swiss", "--geometry", "area", "--bbox",
        "7,46,8,47") == ["1"])
    try Cluster.psql("DROP TABLE swiss")
  }

  @Test func aPlanNamesWhatIsSentAndWhatIsNot() throws {
    _ = try Self.pushed.get()
    let plan = try Command.run(
      "query", Cluster.url(), "places", "size > 5 AND name CONTAINS[cd] 'ber'", "--select", "id",
      "--explain")
    #expect(plan.output.hasPrefix("sent to the server:\n  SELECT \"id\", \"name\", \"size\" FROM"))
    #expect(plan.output.contains("decided here:") && plan.output.contains("plan of the server:"))
    let exact = try Command.run(
      "query", Cluster.url(), "places", "size > 5", "--sort", "size", "--limit", "3", "--explain")
    #expect(exact.output.contains("LIMIT 3") && exact.output.contains("decided by the server"))
  }

  @Test(arguments: [
    (["query", "URL", "place"], 64, "has no table 'place'; did you mean 'places'?"),
    (["query", "URL", "places", "sice > 3"], 64, "'sice' not found"),
    (["delete", "URL", "places", "--all"], 64, "is a database, which query, count"),
    (["watch", "URL", "places"], 64, "is a database"),
    (["push", "STORE", "place", "URL"], 64, "has no class 'place'"),
    (["push", "STORE", "places", "elsewhere"], 64, "is not an address of a database"),
    (["push", "STORE", "places", "URL", "--table", "nowhere.p"], 64, "has no schema 'nowhere'"),
    (["count", "URL", "places", "--search", "bern"], 65, "condition \"name TEXT '…'\""),
    (["count", "postgres://me:se/secret@host/db", "places"], 64, "cannot be read"),
    (["pull", "URL", "places", "NEW", "--select", "ids"], 64, "did you mean 'id'?"),
    (["query", "postgres:///db?host=/nonexistent&password=secret", "places"], 74, "/nonexistent"),
  ])
  func mistakesAreExplained(arguments: [String], code: Int32, words: String) throws {
    let pushed = try Self.pushed.get()
    let outcome = try Command.run(
      arguments.map {
        switch $0 {
        case "URL": Cluster.url()
        case "STORE": pushed.store
        case "NEW": pushed.folder.file("new.cairn")
        default: $0
        }
      })
    #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!outcome.errors.contains("secret") && outcome.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: pushed.folder.file("new.cairn")))
  }

  @Test func aPullWithoutAKeyIsNotRepeated() throws {
    let pushed = try Self.pushed.get()
    try Cluster.psql("CREATE TABLE keyless AS SELECT 1 AS n")
    let store = pushed.folder.file("keyless.cairn")
    try Self.succeed("pull", Cluster.url(), "keyless", store, "--quiet")
    let again = try Command.run("pull", Cluster.url(), "keyless", store)
    #expect(again.code == 64 && again.errors.contains("no primary key"))
    #expect(try Command.lines("count", store, "keyless") == ["1"])
    let push = try Command.run("push", store, "keyless", Cluster.url())
    #expect(push.code == 64 && push.errors.contains("already has a table 'keyless'"))
    try Cluster.psql("DROP TABLE keyless")
  }
}
