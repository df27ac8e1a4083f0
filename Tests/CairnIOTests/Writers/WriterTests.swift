import CairnStorage
import CairnValues
import Testing

@testable import CairnIO

struct WriterTests {
  private static let columns: [(String, ValueType)] = [
    ("id", .int), ("name", .string), ("location", .point), ("score", .double), ("open", .bool),
    ("since", .date),
  ]
  private static let rows: [[Value]] = [
    [
      .int(1), .string("Bern, \"the\" city"), point(46.94809, 7.44744), .double(1.5), .bool(true),
      .date(0),
    ],
    [.int(-20), .string(""), .null, .null, .null, .null],
    [.null, .null, point(-27.5, 153), .double(1e21), .bool(false), .date(0.5)],
  ]

  private static func point(_ latitude: Double, _ longitude: Double) -> Value {
    .point(Position(latitude: latitude, longitude: longitude, altitude: 0))
  }

  @Test func rowsAreWrittenAsCSV() throws {
    #expect(
      try written(.csv, Self.columns, Self.rows) == """
        id,name,latitude,longitude,score,open,since
        1,"Bern, ""the"" city",46.94809,7.44744,1.5,true,2001-01-01T00:00:00Z
        -20,"",,,,,
        ,,-27.5,153.0,1e+21,false,2001-01-01T00:00:00.500Z

        """)
  }

  @Test(arguments: ["a\rb", "a\nb", "\r"]) func lineBreaksAreQuotedInCSV(text: String) throws {
    #expect(try written(.csv, [("name", .string)], [[.string(text)]]) == "name\n\"\(text)\"\n")
  }

  @Test func takenCoordinateNamesGetAPrefixInCSV() throws {
    let columns: [(String, ValueType)] = [("latitude", .double), ("at", .point), ("to", .point)]
    #expect(
      try written(.csv, columns, [])
        == "latitude,at.latitude,at.longitude,to.latitude,to.longitude\n")
  }

  @Test func rowsAreWrittenAsJSON() throws {
    let first =
      "{\"id\":1,\"name\":\"Bern, \\\"the\\\" city\",\"location\":{\"latitude\":46.94809,\"longitude\":7.44744},\"score\":1.5,\"open\":true,\"since\":\"2001-01-01\"}"
    let second =
      "{\"id\":-20,\"name\":\"\",\"location\":null,\"score\":null,\"open\":null,\"since\":null}"
    let two = Array(Self.rows.prefix(2))
    #expect(try written(.json, Self.columns, two) == "[\n\(first),\n\(second)\n]\n")
    #expect(try written(.jsonl, Self.columns, two) == "\(first)\n\(second)\n")
    #expect(try written(.json, Self.columns, []) == "[]\n")
    #expect(try written(.jsonl, Self.columns, []) == "")
  }

  @Test func rowsAreWrittenAsGeoJSON() throws {
    let first =
      "{\"type\":\"Feature\",\"id\":1,\"geometry\":{\"type\":\"Point\",\"coordinates\":[7.44744,46.94809]},\"properties\":{\"id\":1,\"name\":\"Bern, \\\"the\\\" city\",\"score\":1.5,\"open\":true,\"since\":\"2001-01-01\"}}"
    let second =
      "{\"type\":\"Feature\",\"id\":-20,\"geometry\":null,\"properties\":{\"id\":-20,\"name\":\"\",\"score\":null,\"open\":null,\"since\":null}}"
    let two = Array(Self.rows.prefix(2))
    #expect(
      try written(.geojson, Self.columns, two)
        == "{\"type\":\"FeatureCollection\",\"features\":[\n\(first),\n\(second)\n]}\n")
    #expect(try written(.geojsonl, Self.columns, two) == "\(first)\n\(second)\n")
    #expect(
      try written(.geojson, Self.columns, [])
        == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
  }

  @Test func geoJSONHasAltitudesAndSecondLocations() throws {
    let columns: [(String, ValueType)] = [("altitude", .double), ("at", .point), ("to", .point)]
    let rows: [[Value]] = [
      [.double(-30.5), Self.point(1, 2), Self.point(3, 4)], [.null, Self.point(1, 2), .null],
    ]
    #expect(
      try written(.geojsonl, columns, rows) == """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2.0,1.0,-30.5]},"properties":{"to":{"latitude":3.0,"longitude":4.0}}}
        {"type":"Feature","geometry":{"type":"Point","coordinates":[2.0,1.0]},"properties":{"to":null}}

        """)
  }

  @Test func geoJSONNeedsALocation() {
    #expect(throws: OutputError.noLocation) { try written(.geojson, [("id", .int)], []) }
  }

  @Test func rowsAreWrittenAsATable() throws {
    let lines = try written(
      .table, Array(Self.columns.prefix(4)), Self.rows.map { Array($0.prefix(4)) }
    )
    .split(separator: "\n")
    #expect(
      lines == [
        " id  name              location                score",
        "---  ----------------  --------------------  -------",
        "  1  Bern, \"the\" city   46.94809,   7.44744      1.5",
        "-20",
        "                       -27.5,     153.0      1e+21",
      ])
  }

  @Test func tableColumnsFitWideAndUnprintableText() throws {
    let names = ["Zürich", "東京", "e\u{301}", "a\nb\u{1B}[0m"]
    let text = try written(
      .table, [("name", .string), ("n", .int)], names.map { [.string($0), .int(1)] })
    #expect(
      text.split(separator: "\n") == [
        "name           n", "-------------  -", "Zürich         1", "東京           1",
        "e\u{301}              1", "a\\nb\\u{1b}[0m  1",
      ])
    #expect(try written(.table, [("n", .int)], []) == "n\n-\n")
  }

  @Test func longTablesAreStreamed() throws {
    let rows: [[Value]] = (0..<2500).map {
      [.int(Int64($0)), .string($0 == 2000 ? "much longer" : "x")]
    }
    let lines = try written(.table, [("n", .int), ("t", .string)], rows).split(separator: "\n")
    #expect(lines.count == 2502)
    #expect(lines[2] == "  0  x")
    #expect(lines[2002] == "2000  much longer")
  }

  @Test func jsonTextIsEscaped() throws {
    let text = "\u{0}\u{1F}\"\\/\n\r\t\u{7F}é\u{2028}"
    let line = try written(.jsonl, [("a\"b\n", .string)], [[.string(text)]])
    #expect(line == "{\"a\\\"b\\u000a\":\"\\u0000\\u001f\\\"\\\\/\\n\\r\\t\u{7F}é\u{2028}\"}\n")
  }

  @Test func otherTypesAreWritten() throws {
    let columns: [(String, ValueType)] = [
      ("f", .float), ("d", .data), ("x", .double), ("y", .double),
    ]
    let row: [Value] = [.float(0.1), .data([0, 1, 254, 255]), .double(.nan), .double(-.infinity)]
    #expect(
      try written(.jsonl, columns, [row])
        == "{\"f\":0.1,\"d\":\"AAH+/w==\",\"x\":null,\"y\":null}\n")
    #expect(try written(.csv, columns, [row]) == "f,d,x,y\n0.1,AAH+/w==,nan,-inf\n")
  }
}
