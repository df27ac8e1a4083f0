import CairnTestSupport
import Foundation
import Testing

/// The formats of the output, and the contents of its columns.
@Suite struct FormatTests {
  @Test func tsvIsSeparatedByTabs() throws {
    #expect(
      try queryPlaces(
        "id IN {3, 8}", "--sort", "id", "--select", "name,location,open", "--format", "tsv")
        == [
          "name\tlatitude\tlongitude\topen", "Byron Bay, NSW\t-28.6434\t153.6122\tfalse",
          "Pole\t-90.0\t0.0\tfalse",
        ])
  }

  @Test func tabsAndQuotesInTextAreQuoted() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "v,lat,lon\n\"a\tb\",1,2\n\"c,d\",1,2\n\"e\"\"f\",1,2\n")
    #expect(try Command.run("import", scratch["s"], file.path).code == 0)
    #expect(
      try Command.lines("query", scratch["s"], "a", "--select", "v", "--format", "tsv").sorted()
        == ["\"a\tb\"", "\"e\"\"f\"", "c,d", "v"])
  }

  @Test func wellKnownText() throws {
    #expect(
      try queryPlaces("id >= 7", "--sort", "id", "--format", "wkt") == [
        "POINT (-171.7667 -13.8333)", "POINT (0 -90)",
      ])
    let lines = try queryPlaces(
      "id == 4", "--format", "wkt", "--select", "name", "--crs", "EPSG:3857")
    #expect(lines.count == 1 && lines[0].hasPrefix("POINT (2618"), "\(lines)")
  }

  @Test func wktHasAltitudesAsThirdCoordinates() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "a.geojsonl",
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2,3.5]},"properties":{}}"#)
    #expect(try Command.run("import", scratch["s"], file.path).code == 0)
    #expect(
      try Command.lines("query", scratch["s"], "a", "--format", "wkt") == ["POINT Z (1 2 3.5)"])
  }

  @Test func markdown() throws {
    #expect(
      try queryPlaces(
        "id <= 3", "--sort", "id", "--select", "name,population", "--format", "markdown")
        == [
          "| name           | population |", "| -------------- | ---------: |",
          "| Brisbane       |    2560720 |", "| Ipswich        |     229208 |",
          "| Byron Bay, NSW |       6330 |",
        ])
  }

  @Test func markdownCellsAreEscaped() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "v,lat,lon\n\"a|b\n<c>\\\",1,2\n")
    #expect(try Command.run("import", scratch["s"], file.path).code == 0)
    let lines = try Command.lines(
      "query", scratch["s"], "a", "--select", "v", "--format", "markdown")
    #expect(lines.last == #"| a\|b<br>&lt;c>\\ |"#)
  }

  @Test func partsOfTheLocation() throws {
    #expect(
      try queryPlaces(
        "id == 4", "--format", "csv", "--select",
        "location.longitude,name,location.latitude,location.wkt")
        == [
          "location.longitude,name,location.latitude,location.wkt",
          "2.3522,Paris,48.8566,POINT (2.3522 48.8566)",
        ])
    let json = try queryPlaces("id == 4", "--format", "jsonl", "--select", "location.latitude")
    #expect(json == [#"{"location.latitude":48.8566}"#])
    let projected = try queryPlaces(
      "id == 4", "--format", "csv", "--select", "location.latitude,location.wkt", "--crs",
      "EPSG:3857")
    #expect(projected.last?.hasPrefix("48.8566,POINT (2618") == true, "\(projected)")
    #expect(
      try queryPlaces(
        "id == 1", "--format", "csv", "--near", "-27.4705,153.026", "--limit", "1",
        "--select", "id,distance") == ["id,distance", "1,0.0"])
    #expect(
      try queryPlaces("id == 1", "--format", "csv", "--select", "*")[0].hasPrefix(
        "id,name,kind,lat"))
  }

  @Test(arguments: [
    "location.lat", "location.x", "name.latitude", "distance", "location.", ".latitude", "*,id",
  ])
  func unknownColumnsAreRefused(list: String) throws {
    let outcome = try Command.run("query", SampleStores.placesStore(), "places", "--select", list)
    #expect(outcome.code == 64, "\(outcome.output)")
  }

  @Test func numbersAreAlignedAtTheDecimalPoint() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file(
      "a.csv", "m,t,lat,lon\n1.5,x,-27.5,153\n100,yy,5,-7.125\n-22.25,z,48.8566,2.3522\n,,0,0\n")
    #expect(try Command.run("import", scratch["s"], file.path).code == 0)
    let lines = try Command.lines("query", scratch["s"], "a", "--sort", "m:desc")
    #expect(
      lines == [
        "     m  t   location",
        "------  --  ------------------",
        "100.0   yy    5.0,     -7.125",
        "  1.5   x   -27.5,    153.0",
        "-22.25  z    48.8566,   2.3522",
        "              0.0,      0.0",
      ], "\(lines.joined(separator: "\n"))")
  }

  @Test(arguments: [30, 40, 60, 79, 80, 200])
  func aTableFitsTheTerminal(columns: Int) throws {
    let outcome = try Command.terminal(
      "query", SampleStores.placesStore(), "places", "--sort", "id", columns: columns)
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.code == 0 && lines.count == 10)
    for line in lines { #expect(line.count <= columns, "\(line)") }
    #expect(lines[2].contains("Brisb") || lines[2].contains("Bri…") || columns < 40)
    #expect(outcome.errors.contains("did not fit") == (columns < 100), "\(outcome.errors)")
    let piped = try Command.run("query", SampleStores.placesStore(), "places", "--sort", "id")
    #expect(piped.lines[0].hasSuffix("odd name, really") && piped.errors.isEmpty)
  }

  @Test func longTextsAreTruncatedBeforeColumnsAreDropped() throws {
    let scratch = try TemporaryFolder()
    let long = String(repeating: "långt ", count: 40)
    let file = try scratch.file("a.csv", "t,n,lat,lon\n\(long),5,1,2\n")
    #expect(try Command.run("import", scratch["s"], file.path).code == 0)
    let outcome = try Command.terminal("query", scratch["s"], "a", columns: 60)
    let lines = outcome.output.split(separator: "\n")
    #expect(
      outcome.errors.isEmpty && lines.allSatisfy { $0.count == 60 || $0 == lines[0] }, "\(lines)")
    #expect(lines[2].contains("…") && lines[2].hasSuffix("…  5  1.0, 2.0"), "\(lines)")
  }

  @Test func theExtensionSelectsTheFormat() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.placesStore()
    for (name, start) in [
      ("a.tsv", "id\tname"), ("a.tab", "id\tname"), ("a.wkt", "POINT ("), ("a.md", "|  id |"),
      ("a.markdown", "|  id |"), ("a.svg", "<svg "), ("a.html", "<!DOCTYPE html>"),
      ("a.HTM", "<!D"),
    ] {
      let outcome = try Command.run("export", store, "places", "--output", scratch[name])
      #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
      #expect(try scratch.text(name).hasPrefix(start), "\(name)")
    }
  }
}
