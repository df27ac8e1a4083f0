import CairnTestSupport
import Foundation
import Testing

/// Files in other encodings than UTF-8, and compressed files.
@Suite struct EncodingTests {
  private static let text = "id,name,lat,lon\n1,Zürich €,47.5,8.5\n2,𝔐,1,2\n"
  private static let rows = ["id,name,latitude,longitude", "1,Zürich €,47.5,8.5", "2,𝔐,1.0,2.0"]

  @Test(arguments: [
    (String.Encoding.utf16LittleEndian, [0xFF, 0xFE] as [UInt8], "utf-16le"),
    (.utf16BigEndian, [0xFE, 0xFF], "utf-16be"),
    (.utf32LittleEndian, [0xFF, 0xFE, 0, 0], "utf-32le"),
    (.utf32BigEndian, [0, 0, 0xFE, 0xFF], "utf-32be"),
  ])
  func byteOrderMarksSetTheEncoding(encoding: String.Encoding, mark: [UInt8], name: String) throws {
    let bytes = try #require(Self.text.data(using: encoding))
    try Intake(bytes: Data(mark) + bytes).expect(Self.rows)
    try Intake(bytes: bytes, ["--encoding", name]).expect(Self.rows)
    let cut = try Intake(bytes: Data(mark) + bytes.dropLast())
    cut.expectRefusal("f.csv:", "within a character")
  }

  @Test func utf16WithoutAMarkIsAnError() throws {
    let bytes = try #require("id,lat,lon\n1,2,3\n".data(using: .utf16LittleEndian))
    try Intake(bytes: bytes).expectRefusal("--encoding utf-16le")
  }

  @Test func halfOfACharacterIsRefused() throws {
    var units = Array("id,lat,lon\n1,2,3\n".utf16)
    units.insert(0xD800, at: 11)
    let bytes = Data([0xFF, 0xFE]) + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    try Intake(bytes: bytes).expectRefusal("f.csv:2: half a surrogate pair")
  }

  @Test func latin1AndItsRelatives() throws {
    let bytes = Data("id,name,lat,lon\n1,M".utf8) + [0xFC] + Data("nchen,48,11\n".utf8)
    let rows = ["id,name,latitude,longitude", "1,München,48.0,11.0"]
    try Intake(bytes: bytes).expectRefusal(
      "f.csv:2: column `name` contains the byte 0xFC", "--encoding")
    for name in ["latin1", "ISO-8859-1", "windows-1252", "cp1252", "latin9"] {
      try Intake(bytes: bytes, ["--encoding", name]).expect(rows)
    }
    let euro = Data("id,name,lat,lon\n1,".utf8) + [0x80] + Data(",48,11\n".utf8)
    try Intake(bytes: euro, ["--encoding", "latin1"])
      .expectRefusal("f.csv:2: the byte 0x80 has no meaning in iso-8859-1", "windows-1252")
    try Intake(bytes: euro, ["--encoding", "windows-1252"]).expect([rows[0], "1,€,48.0,11.0"])
    let cyrillic = Data("id,name,lat,lon\n1,".utf8) + [0xCC, 0xEE] + Data(",48,11\n".utf8)
    try Intake(bytes: cyrillic, ["--encoding", "windows-1251"]).expect([rows[0], "1,Мо,48.0,11.0"])
    let unknown = try Intake(bytes: bytes, ["--encoding", "klingon"])
    #expect(unknown.outcome.code == 64 && unknown.outcome.errors.contains("klingon"))
    let marked = try Intake("\u{FEFF}id,lat,lon\n1,2,3\n", ["--encoding", "latin1"])
    #expect(marked.outcome.code == 64 && marked.outcome.errors.contains("byte order mark of UTF-8"))
  }

  @Test(arguments: [
    ("shift-jis", "東京ソ\\", String.Encoding.shiftJIS), ("cp932", "東京", .shiftJIS),
  ])
  func encodingsOfSeveralBytes(name: String, text: String, encoding: String.Encoding) throws {
    // Long enough that reads end in the middle of characters.
    let rows = (0..<60_000).map { "\($0),\(text)\($0 % 2 == 0 ? "x" : ""),1.0,2.0" }
    let bytes = try #require(
      ("id,name,lat,lon\n" + rows.joined(separator: "\n") + "\n").data(using: encoding))
    try Intake(bytes: bytes.prefix(2000)).expectRefusal("f.csv:2:", "--encoding")
    let intake = try Intake(bytes: bytes, ["--encoding", name])
    #expect(intake.lines.count == 60_001 && intake.lines.dropFirst().elementsEqual(rows))
    let feature =
      #"{"type":"Feature","properties":{"n":"東京\\"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    let encoded = try #require(feature.data(using: encoding))
    try Intake(bytes: encoded, as: "f.geojson").expectRefusal("malformed JSON", "--encoding")
    try Intake(bytes: encoded, as: "f.geojson", ["--encoding", name])
      .expect(["n,latitude,longitude", "東京\\,2.0,1.0"])
  }

  /// A text encoded by the system's `iconv` reads back unchanged.
  @Test(arguments: [
    ("EUC-JP", "東京"), ("gbk", "北京€"), ("gb18030", "北京𠮷"), ("big5", "臺北"), ("euc-kr", "서울똠"),
  ])
  func encodingsOfIconvAreRead(name: String, text: String) throws {
    let scratch = try TemporaryFolder()
    try scratch.file("u.csv", "id,name,lat,lon\n1,\(text),1.0,2.0\n2,\(text)\(text),3.0,4.0\n")
    let system = ["gbk": "CP936", "euc-kr": "CP949"][name] ?? name
    let made = try Command.shell(
      """
      iconv -f utf-8 -t \(system) u.csv > f.csv && cairn import s f.csv --encoding \(name) --quiet &&
      cairn query s f --sort id --select name --format csv
      """, in: scratch.url)
    #expect(made.lines == ["name", text, text + text], "\(made.errors)")
    let cut = try Command.shell(
      "head -c 21 f.csv > g.csv; cairn import s g.csv --encoding \(name)", in: scratch.url)
    #expect(
      cut.code == 65 && cut.errors.contains("ends within a character of \(name.lowercased())"),
      "\(cut.errors)")
    let wrong = try Command.shell(
      #"printf 'id,name,lat,lon\n1,\377\377,1,2\n' > h.csv; cairn import s h.csv --encoding "#
        + name,
      in: scratch.url)
    #expect(wrong.code == 65 && wrong.errors.contains("h.csv:2: the byte 0xFF"), "\(wrong.errors)")
  }

  @Test func geoJSONMayBeEncodedToo() throws {
    let text =
      #"{"type":"Feature","properties":{"n":"é"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    let bytes = try #require(text.data(using: .isoLatin1))
    try Intake(bytes: bytes, as: "f.geojson").expectRefusal(
      "f.geojson:1: feature 1: malformed JSON")
    try Intake(bytes: bytes, as: "f.geojson", ["--encoding", "latin1"]).expect([
      "n,latitude,longitude", "é,2.0,1.0",
    ])
  }

  @Test func compressedFilesAreReadDirectly() throws {
    let scratch = try TemporaryFolder()
    try scratch.file("a.csv", "id,name,lat,lon\n1,Zürich €,47.5,8.5\n")
    try scratch.file("b.csv", "2,𝔐,1,2\n")
    let made = try Command.shell(
      "gzip -k a.csv b.csv && cat a.csv.gz b.csv.gz > ab.csv.gz && cp ab.csv.gz odd && head -c 40 ab.csv.gz > cut.csv.gz",
      in: scratch.url)
    #expect(made.code == 0, "\(made.errors)")
    let packed = try Data(contentsOf: scratch.url.appendingPathComponent("ab.csv.gz"))
    try Intake(bytes: packed, as: "f.csv.gz").expect(Self.rows)
    try Intake(bytes: packed, as: "f.odd", ["--format", "csv"]).expect(Self.rows)
    let cut = try Data(contentsOf: scratch.url.appendingPathComponent("cut.csv.gz"))
    try Intake(bytes: cut, as: "f.csv.gz").expectRefusal(
      "f.csv.gz: the packed data ends in the middle")
    var damaged = packed
    damaged[30] ^= 0xFF
    try Intake(bytes: damaged, as: "f.csv.gz").expectRefusal("f.csv.gz: the packed data is damaged")

    let named = try Command.shell(
      "cairn import s.cairn ab.csv.gz && cat ab.csv.gz | cairn import s.cairn - --class piped && cairn count s.cairn ab && cairn count s.cairn piped",
      in: scratch.url)
    #expect(named.lines == ["2", "2"], "\(named.errors)")
  }

  @Test(arguments: [
    ("PK\u{3}\u{4}xx", "ZIP archive"), ("SQLite format 3\0xx", "SQLite"), ("<?xml version", "XML"),
    ("BZh91AY", "bzip2"),
  ])
  func otherFormatsAreNamedInTheError(content: String, name: String) throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run("import", scratch["s"], "-", "--class", "f", input: content)
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("standard input:1: the file is"), "\(outcome.errors)")
    #expect(outcome.errors.contains(name), "\(outcome.errors)")
  }
}
