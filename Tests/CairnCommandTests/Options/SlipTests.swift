import CairnTestSupport
import Foundation
import Testing

/// Suggestions for misspelled words of every kind.
@Suite struct SlipTests {
  /// Cairn fetches nothing, and says how to.
  @Test func addressesAreNotFetched() throws {
    let store = try SampleStores.placesStore()
    let imported = try Command.run("import", "s.cairn", "https://example.org/a%20b.csv")
    #expect(
      imported.code == 66
        && imported.errors.contains(
          "curl -L 'https://example.org/a%20b.csv' | cairn import s.cairn -"),
      "\(imported.errors)")
    let within = try Command.run("count", store, "places", "--within", "http://example.org/z.json")
    #expect(
      within.code == 66 && within.errors.contains("curl -L 'http://example.org/z.json' -o FILE"),
      "\(within.errors)")
  }

  @Test(
    arguments: [
      (
        ["query", "STORE", "places", "--sort", "population:dsc"],
        "'dsc' is not a direction; did you mean 'desc'"
      ),
      (["query", "STORE", "places", "--sort", "name:up"], "did you mean 'asc'"),
      (["query", "STORE", "places", "--select", "location.latitud"], "'location.latitude'"),
      (["query", "STORE", "places", "--select", "location.lat"], "'location.latitude'"),
      (
        ["query", "STORE", "places", "--near", "1,2", "--limit", "1", "--select", "distnace"],
        "'distance'"
      ),
      (
        ["query", "STORE", "places", "--near", "1,2", "--radius", "5miles"],
        "'miles' is not a unit of a radius; did you mean 'mi'? Write"
      ),
      (
        ["query", "STORE", "places", "--near", "1,2", "--radius", "5 Kilometres"],
        "did you mean 'km'?"
      ),
      (
        ["query", "STORE", "places", "--near", "1,2", "--radius", "5furlong"],
        "is not a unit of a radius; write 5m, 5km"
      ),
      (
        ["query", "STORE", "places", "--near", "153,-27.5", "--limit", "1"],
        "did you mean -27.5,153.0?"
      ),
      (["query", "STORE", "places", "--bbox", "1,50,3,40"], "south 50.0 is north of north 40.0"),
      (
        ["query", "STORE", "places", "--edges", "planr", "--within", "x"], "Did you mean 'planar'?"
      ),
      (["query", "STORE", "places", "--limit", "1k"], "a whole number, 0 or more"),
      (["query", "STORE", "places", "--limit", "-1"], "a whole number, 0 or more"),
      (["query", "STORE", "places", "--offset", "-1"], "a whole number, 0 or more"),
      (["query", "STORE", "places", "name", "=", "Paris"], "put it in quotes"),
      (["query", "STORE", "places", "--output", "a.geojsn"], "did you mean 'a.geojson'?"),
      (
        ["query", "STORE", "places", "--output", "a.xlsx"],
        "the extension of 'a.xlsx' does not select a format"
      ),
      (["query", "STORE", "places", "--output", "a"], "use --format: table, csv"),
      (["export", "STORE", "places", "--output", "a.cvs"], "did you mean 'a.csv'?"),
      (
        ["export", "STORE", "places", "--output", "a.csv.bz2"],
        "--output - --format csv | bzip2 > a.csv.bz2"
      ),
      (["query", "STORE", "places", "name == Paris"], "Text is written in quotes: 'Paris'."),
      (["query", "STORE", "Placs"], "did you mean 'places'?"),
      (
        ["stats", "STORE", "places", "--of", "id", "--histogram", "--scale", "lnear"],
        "Did you mean 'linear'?"
      ),
      (
        ["import", "STORE", "x.csv", "--on-conflict", "replce", "--key", "id"],
        "Did you mean 'replace'?"
      ),
      (["import", "STORE", "x.csv", "--on-error", "skp"], "Did you mean 'skip'?"),
      (["import", "STORE", "x.csv", "--point", "on-surfce"], "Did you mean 'on-surface'?"),
      (["import", "STORE", "x.csv", "--ragged", "filled"], "Did you mean 'fill'?"),
      (["import", "STORE", "x.csv", "--progress", "jsn"], "Did you mean 'json'?"),
      (["import", "STORE", "x.csv", "--format", "cvs"], "Did you mean 'csv'?"),
      (["import", "STORE", "x.csv", "--encoding", "shift-jsi"], "Did you mean 'shift-jis'?"),
      (["import", "STORE", "x.csv", "--delimiter", "semicoln"], "did you mean 'semicolon'?"),
      (["import", "STORE", "x.csv", "--comment", "non"], "did you mean 'none'?"),
      (
        ["import", "STORE", "x.csv", "--type", "n=integer"],
        "'integer' is not a type; did you mean 'int'?"
      ),
      (["import", "STORE", "x.csv", "--type", "n=txt"], "did you mean 'text'?"),
      (["import", "STORE", "x.csv", "--type", "n"], "COLUMN=TYPE"),
      (["completions", "bsh"], "Did you mean 'bash'?"), (["verfy", "STORE"], "'verify'"),
      (["query", "STORE", "places", "--out", "x.csv"], "'--out'. Did you mean '--output'?"),
      (["query", "STORE", "places", "--out", "x.csv"], "Did you mean '--output'?"),
      (["query", "STORE", "--class", "places"], "The class needs no option: it follows the store"),
      (["count", "STORE", "places", "--where", "id > 5"], "follows the class, in quotes"),
      (["query", "STORE", "places", "--order-by", "id"], "Did you mean '--sort'?"),
      (["query", "STORE", "places", "-l", "5"], "Did you mean '--limit'?"),
      (
        ["count", "STORE", "places", "--offset", "5"],
        "It is an option of query, clip, simplify, export or sql."
      ),
      (["query", "STORE"], "schema"),
      (["query", "STORE", "places", "id", ">", "5"], "put it in quotes"),
      (["import", "STORE", "x.csv", "--table", "x"], "Did you mean '--class'?"),
      (["stats", "STORE", "places", "--of", "id", "--columns", "id"], "Did you mean '--of'?"),
      (["-v"], "'--version'"),
      (["version"], "'--version'"),
      (
        ["query", "STORE", "places", "id > 5 LIMIT 5"],
        "LIMIT is not part of a predicate; results have methods to sort and limit them. Use --limit"
      ),
      (
        ["query", "STORE", "places", "id > 5 ORDER BY name DESC"],
        "Use --sort name or --sort name:desc."
      ),
      (["query", "STORE", "places", "id > 5 order by name"], "Use --sort"),
      (["query", "STORE", "places", "id > 5 SORT(name ASC)"], "Use --sort"),
      (["query", "STORE", "places", "id > 5 DISTINCT(kind)"], "Use --distinct"),
      (["query", "STORE", "places", "id > 5 OFFSET 5"], "Use --offset"),
      (["query", "STORE", "places", "id > 5 GROUP BY kind"], "cairn stats with --by"),
      (
        ["query", "STORE", "places", "kind NOT == 'city' AND id > 5"],
        "write NOT kind == 'city' AND id > 5"
      ),
      (["query", "STORE", "places", "population"], "as in \"population > 1000\""),
      (["query", "STORE", "places", "SELECT name"], "only the condition"),
      (["query", "STORE", "places", "places"], "'places' is a class"),
      (["query", "STORE", "places", ""], "Leave it out"),
      (["query", "STORE", "places", "*"], "Leave it out"),
      (["query", "STORE", "places", "population > '1000'"], "Write numbers without quotes: 1000."),
      (["query", "STORE", "places", "population > 1,000"], "Write digits without separators"),
      (["query", "STORE", "places", "name == ‘Paris’"], "Use straight quotes"),
      (["query", "STORE", "places", "population > 4,5"], "Use a decimal point"),
      (["query", "STORE", "places", "kind IN ['city']"], "braces: {'FR', 'DE'}"),
      (["query", "STORE", "places", "name STARTSWITH 'a'"], "Did you mean BEGINSWITH?"),
      (["query", "STORE", "places", "name ILIKE 'a*'"], "LIKE[c] has * and ?"),
      (["query", "STORE", "places", "name REGEXP 'a.*'"], "Did you mean MATCHES?"),
      (["query", "STORE", "places", "name ~ 'a.*'"], "MATCHES takes a regular expression"),
      (["query", "STORE", "places", "name MATCHES '(?=a)'"], "Lookaheads"),
      (["query", "STORE", "places", "tolower(name) == 'a'"], "Use ==[c]"),
      (
        ["stats", "STORE", "places", "--of", "id", "--histogram", "--bins", "many"],
        "a whole number"
      ),
      (["import", "STORE", "x.csv", "--class", ""], "--class must not be empty"),
      (["query", "STORE", "places", "latitude > 5"], "--bbox"),
      (["query", "STORE", "places", "--sort", "-population"], "population:desc"),
      (["query", "STORE", "places", "--sort", "population desc"], "population:desc"),
      (["query", "STORE", "places", "--select", "name kind"], "name,kind"),
      (["query", "STORE", "places", "--select", "lat"], "'location.latitude'"),
      (
        ["query", "STORE", "places", "--bbox", "-35,150,-25,155"],
        "WEST,SOUTH,EAST,NORTH: did you mean 150.0,-35.0,155.0,-25.0?"
      ),
      (
        ["query", "STORE", "places", "--bbox", "95,-91,96,5"], "the order is WEST,SOUTH,EAST,NORTH"
      ),
      (["query", "STORE", "places", "--near", "1,2,3,4"], "--bbox WEST,SOUTH,EAST,NORTH"),
      (["query", "STORE", "places", "--near", "95,181"], "the order is LATITUDE,LONGITUDE"),
      (["query", "STORE", "places", "--near", "48N,2E"], "south and west are negative"),
      (["query", "STORE", "places", "--within", "1,2,3,4"], "--bbox 1,2,3,4"),
      (["query", "STORE", "places", "--near", "1,2", "--radius", "5n"], "5nmi"),
      (["query", "STORE", "places", "--near", "1,2", "--radius", "5feet"], "did you mean 'ft'?"),
    ] as [([String], String)])
  func misspellingsGetTheNearestWord(line: [String], meant: String) throws {
    let store = try SampleStores.placesStore()
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      line.map { $0 == "STORE" ? store : $0 }, folder: scratch.url)
    #expect(outcome.code == 64, "\(line)")
    #expect(outcome.output.isEmpty && outcome.errors.contains(meant), "\(line): \(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
  }

  /// Option values from a fixed list may be in capitals.
  @Test func wordsOfAnyCase() throws {
    let store = try SampleStores.placesStore()
    #expect(
      try Command.lines("query", store, "places", "id == 1", "--format=CSV", "--select", "id") == [
        "id", "1",
      ])
    #expect(
      try Command.lines("query", store, "places", "id == 1", "--format", "JsonL", "--select", "id")
        == [#"{"id":1}"#])
    #expect(
      try Command.run(
        "count", store, "places", "--within", "POLYGON((0 0,1 0,1 1,0 0))", "--edges", "Planar"
      ).code == 0)
    #expect(try Command.run("completions", "BASH").code == 0)
  }

  /// A pattern of SQL is valid, but rarely what was meant.
  @Test func likeWithPercent() throws {
    let store = try SampleStores.placesStore()
    let outcome = try Command.run("count", store, "places", "id > 0 AND NOT name LIKE '%bane'")
    #expect(outcome.code == 0 && outcome.output == "8\n")
    #expect(outcome.errors.contains("as in LIKE '*bane'"), "\(outcome.errors)")
    for pattern in ["*bane", "5%5", "*%"] {
      #expect(
        try Command.run("count", store, "places", "name LIKE '\(pattern)'").errors.isEmpty,
        "\(pattern)")
    }
  }

  /// The whole line in a shell, which redirects half of the condition to a file.
  @Test func aConditionWithoutQuotes() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.placesStore()
    let outcome = try Command.shell(
      "cairn query \(store) places population > 1000", in: scratch.url)
    #expect(
      outcome.code == 64 && scratch.exists("1000")
        && outcome.errors.contains("put the condition in quotes"))
  }

  @Test func theStoreComesFirst() throws {
    let scratch = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: SampleStores.placesStore(), toPath: scratch["p.cairn"])
    let outcome = try Command.run(["count", "places", "p.cairn"], folder: scratch.url)
    #expect(
      outcome.code == 66
        && outcome.errors.contains("the store comes first, as in 'p.cairn places'"),
      "\(outcome.errors)")
    try scratch.file("a.csv", "lat,lon\n1,2\n")
    let alone = try Command.run(["import", "a.csv"], folder: scratch.url)
    #expect(
      alone.code == 64 && alone.errors.contains("'cairn import world.cairn a.csv'"),
      "\(alone.errors)")
  }

  /// A class that differs by one letter is suggested rather than one with this prefix.
  @Test func oneLetterCountsMoreThanAPrefix() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("f.csv", "lat,lon\n1,2\n")
    for name in ["City", "cities_of_the_world"] {
      #expect(try Command.run("import", scratch["s"], file.path, "--class", name).code == 0)
    }
    let outcome = try Command.run("count", scratch["s"], "citi")
    #expect(outcome.errors.contains("did you mean 'City'?"), "\(outcome.errors)")
    let longer = try Command.run("count", scratch["s"], "cities_of")
    #expect(longer.errors.contains("'cities_of_the_world'?"), "\(longer.errors)")
  }

  @Test(arguments: [
    (["--lat", "Briete", "--lon", "Länge"], "no column is named `Briete`; did you mean `Breite`?"),
    (
      ["--lat", "Breite", "--lon", "Länge", "--key", "nmae"],
      "no property is named `nmae`; did you mean `name`?"
    ),
    (["--lat", "Breite", "--lon", "Länge", "--index", "nane"], "did you mean `name`?"),
    (["--lat", "Breite", "--lon", "Länge", "--type", "nam=text"], "did you mean `name`?"),
  ])
  func columnsOfAFile(options: [String], meant: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("f.csv", "name,Breite,Länge\na,1,2\n")
    let wrong = ["import", scratch["s"], file.path] + options
    let outcome = try Command.run(wrong)
    #expect(outcome.code == 64 && outcome.errors.contains(meant), "\(outcome.errors)")
    // The options are also checked when the class exists.
    #expect(
      try Command.run("import", scratch["s"], file.path, "--lat", "Breite", "--lon", "Länge").code
        == 0)
    let again = try Command.run(wrong)
    #expect(again.code == 64, "\(again.errors)")
    #expect(try Command.lines("count", scratch["s"], "f") == ["1"])
  }

  @Test func swappedCoordinates() throws {
    try Intake("id,lat,lon\n1,153.0,-27.5\n").expectRefusal(
      "the latitude 153.0 (column `lat`) is beyond ±90", "latitude and longitude may be swapped")
    let feature = #"{"type":"Point","coordinates":[-27.5,153.0]}"#
    try Intake(feature, as: "f.geojson").expectRefusal("latitude and longitude may be swapped")
  }

  @Test func plainJSONInsteadOfGeoJSON() throws {
    for text in [#"{"lat":1,"lon":2}"#, "{\"a\":1,\"lat\":5}\n{\"a\":2}\n"] {
      for format in ["geojson", "geojsonl"] {
        try Intake(text, as: "f.json", ["--format", format]).expectRefusal("`--format json`")
      }
    }
    try Intake(#"{"results":[{"lat":1,"lon":2}]}"#, as: "f.json")
      .expectRefusal("its records seem to be in `results`", "jq '.results' FILE")
    try Intake(
      #"{"type":"Topology","objects":{}}"#, as: "f.json", ["--format", "geojson"]
    ).expectRefusal("`--format gdal` reads TopoJSON")
  }

  @Test func aDataFileIsNotAStore() throws {
    let scratch = try TemporaryFolder()
    try scratch.file("cities.csv", "id,lat,lon\n1,2,3\n")
    try scratch.file("world.cairn", "")
    let outcome = try Command.run(["import", "cities.csv", "world.cairn"], folder: scratch.url)
    #expect(outcome.code == 74, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("as in `cairn import world.cairn cities.csv`"), "\(outcome.errors)")
    #expect(try scratch.text("cities.csv") == "id,lat,lon\n1,2,3\n")
  }

  @Test(arguments: [
    ("POLIGON ((0 0, 1 0, 1 1, 0 0))", "did you mean 'POLYGON'?"),
    ("PONT (1 2)", "expected a file"),
  ])
  func misspelledAreas(text: String, said: String) throws {
    let outcome = try Command.run("count", SampleStores.placesStore(), "places", "--within", text)
    #expect(outcome.code == 65 && outcome.errors.contains(said), "\(outcome.errors)")
  }

  /// Printing help fails if the output cannot be written.
  @Test(.enabled(if: Machine.hasFullDevice, "no /dev/full on this machine"))
  func helpToAFullDiskFails() throws {
    for word in ["--help", "--version", "help", "man", "completions bash", "import --help"] {
      #expect(try Command.shell("cairn \(word) > /dev/full").code == 74, "\(word)")
    }
  }
}
