import CairnTestSupport
import Foundation
import Testing

/// The dialects of CSV.
@Suite struct DialectTests {
  private static let plain = [
    "id,name,latitude,longitude", "1,a,48.5,11.25", "2,\"b, c\",-7.0,-0.5",
  ]

  @Test(arguments: [",", ";", "\t", "|"])
  func delimitersAreDetected(delimiter: String) throws {
    let text = "id,name,lat,lon\n1,a,48.5,11.25\n2,\"b, c\",-7,-0.5\n"
      .replacingOccurrences(of: ",", with: delimiter)
      .replacingOccurrences(of: "b\(delimiter) c", with: "b, c")
    try Intake(text).expect(Self.plain)
  }

  /// Excel's line `sep=;` sets the delimiter, and is not a row.
  @Test(arguments: ["sep=;", "\"sep=;\"", "SEP=;"], ["\n", "\r\n", "\r"])
  func excelsLineSetsTheDelimiter(line: String, end: String) throws {
    let rows = ["id;name;lat;lon", "1;a;48,5;11,25", "2;b, c;-7;-0,5"]
    let text = ([line] + rows).joined(separator: end) + end
    for mark in ["", "\u{FEFF}"] {
      try Intake(mark + text, ["--decimal-comma"]).expect(Self.plain)
    }
    // The line overrides the delimiter that the first field suggests.
    let tabs = ["sep=\t"] + rows.map { $0.replacing(";", with: "\t") }
    try Intake(tabs.joined(separator: end), ["--decimal-comma"]).expect(Self.plain)
    let headless = ([line] + rows.dropFirst()).joined(separator: end)
    let intake = try Intake(
      headless, ["--decimal-comma", "--no-header", "--lat", "3", "--lon", "4"])
    #expect(intake.lines.sorted().prefix(2) == Self.plain.dropFirst(), "\(intake.outcome.errors)")
  }

  @Test func aColumnMayBeNamedSep() throws {
    try Intake("sep=a,lat,lon\nx,1,2\n").expect(["sep=a,latitude,longitude", "x,1.0,2.0"])
  }

  @Test(arguments: [("\n", "LF"), ("\r\n", "CR LF"), ("\r", "CR")])
  func lineEndsAreDetected(end: String, name: String) throws {
    let text = ["id,name,lat,lon", "1,a,48.5,11.25", "2,\"b, c\",-7,-0.5"].joined(separator: end)
    try Intake(text).expect(Self.plain)
    try Intake(text + end).expect(Self.plain)
    let bad = try Intake(text + "\(end)3,c,x,1\(end)")
    bad.expectRefusal("f.csv:4: ", "`x`", "column `lat`")
  }

  @Test func anAmbiguousDelimiterIsAnError() throws {
    let text = "a,b;c,d\n1,2;3,4\n"
    try Intake(text).expectRefusal("`,` and `;`", "--delimiter")
    let told = try Intake(
      text, ["--delimiter", "semicolon", "--lat-lon", "a,b", "--decimal-comma"])
    told.expectRefusal("f.csv:2: `1,2`", "column `a,b`")
    try Intake("lat lon\n1 2\n", ["--delimiter", "space"]).expect(["latitude,longitude", "1.0,2.0"])
    try Intake("lat~lon\n1~2\n", ["--delimiter", "~"]).expect(["latitude,longitude", "1.0,2.0"])
  }

  @Test func newlinesInQuotesAndDoubledQuotes() throws {
    try Intake("\u{FEFF}id,t,lat,lon\r\n1,\"a \"\"b\"\"\r\nc\",1,2").expect([
      "id,t,latitude,longitude", "1,\"a \"\"b\"\"\r\nc\",1.0,2.0",
    ])
  }

  @Test func decimalCommas() throws {
    let text = "id;lat;lon;v\n1;48,5;11,25;3,5\n2;-7;-0,5;4\n"
    try Intake(text).expectRefusal("f.csv:2: ", "longitude", "`11,25`", "--decimal-comma")
    try Intake(text, ["--decimal-comma"]).expect([
      "id,latitude,longitude,v", "1,48.5,11.25,3.5", "2,-7.0,-0.5,4.0",
    ])
    let pointed = try Intake("id;lat;lon\n1;48.137;11,2\n", ["--decimal-comma"])
    pointed.expectRefusal("f.csv:2: ", "`48.137`", "--decimal-comma")
    try Intake("id;lat;lon;v\n1;1,5;2;1.234\n", ["--decimal-comma"]).expect([
      "id,latitude,longitude,v", "1,1.5,2.0,1.234",
    ])
  }

  @Test func raggedRows() throws {
    let text = "id,lat,lon,n,m\n1,2,3\n2,3,4,5,6,\n3,4,5,6,7\n"
    try Intake(text).expectRefusal("f.csv:2: 3 fields, but the header has 5", "--ragged fill")
    let header = "id,latitude,longitude,n,m"
    try Intake(text, ["--on-error", "skip"]).expect([header, "3,4.0,5.0,6,7"])
    let filled = [header, "1,2.0,3.0,,", "2,3.0,4.0,5,6", "3,4.0,5.0,6,7"]
    try Intake(text, ["--ragged", "fill"]).expect(filled)
    try Intake(text.replacingOccurrences(of: "\n", with: "\r\n"), ["--ragged", "fill"]).expect(
      filled)
    let long = try Intake("id,lat,lon\n1,2,3,x\n", ["--ragged", "fill"])
    long.expectRefusal("f.csv:2: 4 fields, but the header has 3")
    let short = try Intake("id,lat,lon\n1,2,3\n\n2,3\n3,4,5\n", ["--ragged", "fill"])
    short.expectRefusal("f.csv:4: the longitude (column `lon`) is missing")
  }

  @Test func headersWithRepeatedAndBlankNames() throws {
    let intake = try Intake("id,name,,name,lat,lon,\n1,a,x,b,2,3,\n2,a,,b,2,3,\n")
    intake.expect([
      "id,name,column_3,name_2,latitude,longitude", "1,a,x,b,2.0,3.0", "2,a,,b,2.0,3.0",
    ])
    #expect(
      intake.outcome.errors.contains("column 4 repeats the name `name` and becomes `name_2`"))
    #expect(intake.outcome.errors.contains("column 3 has no name and becomes `column_3`"))
    #expect(!intake.outcome.errors.contains("column 7"))
    try Intake("lat,lat,lon\n1,2,3\n").expectRefusal(
      "`lat`, `lat_2` could all hold the latitude", "--lat")
    try Intake("lat,lat,lon\n1,2,3\n", ["--lat", "lat_2", "--lon", "lon"]).expect([
      "lat,latitude,longitude", "1,2.0,3.0",
    ])
  }

  @Test func noHeader() throws {
    let text = "1,48.5,11.25\n2,-7,-0.5\n"
    try Intake(text).expectRefusal("f.csv:1: ", "--no-header")
    try Intake(text, ["--no-header"]).expectRefusal("--lat 3 --lon 4")
    let rows = ["column_1,latitude,longitude", "1,48.5,11.25", "2,-7.0,-0.5"]
    for names in [["2", "3"], ["column_2", "column_3"]] {
      let intake = try Intake(text, ["--no-header", "--lat", names[0], "--lon", names[1]])
      #expect(intake.lines.sorted() == rows.sorted(), "\(intake.outcome.errors)")
    }
    let wrong = try Intake(text, ["--no-header", "--lat", "2", "--lon", "4"])
    #expect(wrong.outcome.code == 64 && wrong.outcome.errors.contains("no column is named `4`"))
  }

  @Test func comments() throws {
    let text = "# made by \"x\n#\n\nid,lat,lon\n1,2,3\n#2,3,4\n"
    try Intake(text).expectRefusal("f.csv:6: ", "--comment '#'", "--comment none")
    let header = "id,latitude,longitude"
    try Intake(text, ["--comment", "#"]).expect([header, "1,2.0,3.0"])
    try Intake("id,lat,lon\n1,2,3\n% it's \"so, is it?\n2,\"3\",4\n", ["--comment", "%"]).expect([
      header, "1,2.0,3.0", "2,3.0,4.0",
    ])
    try Intake("# first\n#id,lat,lon\n1,2,3\n").expect([header, "1,2.0,3.0"])
    try Intake("id,lat,lon\n1,2,3\n# by the way\n").expectRefusal(
      "f.csv:3: 1 field", "--comment '#'")
    try Intake("#id,lat,lon\n1,2,3\n", ["--comment", "none"]).expect([
      "#id,latitude,longitude", "1,2.0,3.0",
    ])
  }

  @Test func zeroBytes() throws {
    try Intake("id,t,lat,lon\n1,a\0b,1,2\n").expect(["id,t,latitude,longitude", "1,a\0b,1.0,2.0"])
    try Intake("id,lat,lon\n1,1\0,2\n").expectRefusal("f.csv:2: the latitude")
    try Intake("a\0,lat,lon\n1,2,3\n").expectRefusal("f.csv:1: ", "zero bytes")
  }

  @Test func manyColumnsAndLongFields() throws {
    let names = (0..<5000).map { "c\($0)" }.joined(separator: ",")
    let values = (0..<5000).map { "\($0)" }.joined(separator: ",")
    let wide = try Intake("id,\(names),lat,lon\n1,\(values),1,2\n")
    #expect(wide.lines.count == 2 && wide.lines.last == "1,\(values),1.0,2.0")
    // Longer than a block of the input.
    let text = String(repeating: "long \"\"field\"\", ", count: Soak.count(70_000, long: 300_000))
    let long = try Intake("id,t,lat,lon\n1,\"\(text)\",1,2\n2,short,3,4\n")
    #expect(long.lines == ["id,t,latitude,longitude", "1,\"\(text)\",1.0,2.0", "2,short,3.0,4.0"])
  }
}
