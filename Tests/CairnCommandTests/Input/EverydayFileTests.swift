import CairnTestSupport
import Foundation
import Testing

/// Tables as portals and spreadsheets export them.
@Suite struct EverydayFileTests {
  // MARK: Archives

  /// An archive with `data/cities.csv`, deflated, beside a note and a file of macOS.
  private static let deflated = """
    UEsDBBQAAAAIAAAAIViDFtyMAwAAAAEAAAAQAAAAX19NQUNPU1gvLl9jLmNzdqsAAFBLAwQUAAAA\
    CAAAACFYAAAAAAIAAAAAAAAABQAAAGRhdGEvAwBQSwMEFAAAAAgAAAAhWPm8n3AjAAAAKQAAAA8A\
    AABkYXRhL2NpdGllcy5jc3bLTNHJSSzRycnP4zLUAUIuIx0g5DLWAUIuEx0g5DLVAUIuAFBLAwQU\
    AAAACAAAACFYhqYQNgcAAAAFAAAABwAAAHJlYWQubWXLSM3JyQcAUEsBAhQDFAAAAAgAAAAhWIMW\
    3IwDAAAAAQAAABAAAAAAAAAAAAAAAIABAAAAAF9fTUFDT1NYLy5fYy5jc3ZQSwECFAMUAAAACAAA\
    ACFYAAAAAAIAAAAAAAAABQAAAAAAAAAAAAAAgAExAAAAZGF0YS9QSwECFAMUAAAACAAAACFY+byf\
    cCMAAAApAAAADwAAAAAAAAAAAAAAgAFWAAAAZGF0YS9jaXRpZXMuY3N2UEsBAhQDFAAAAAgAAAAh\
    WIamEDYHAAAABQAAAAcAAAAAAAAAAAAAAIABpgAAAHJlYWQubWVQSwUGAAAAAAQABADjAAAA0gAA\
    AAAA
    """
  /// An archive with `cities.tsv`, stored, and a comment.
  private static let stored = """
    UEsDBBQAAAAAAAAAIVgy9xfbKQAAACkAAAAKAAAAY2l0aWVzLnRzdmlkCWxhdAlsb24KMQkxCTEK\
    MgkyCTIKMwkzCTMKNAk0CTQKNQk1CTUKUEsBAhQDFAAAAAAAAAAhWDL3F9spAAAAKQAAAAoAAAAA\
    AAAAAAAAAIABAAAAAGNpdGllcy50c3ZQSwUGAAAAAAEAAQA4AAAAUQAAAAkAYSBjb21tZW50
    """
  /// An archive with a GeoJSON file.
  private static let geojson = """
    UEsDBBQAAAAIAAAAIVjyqUKuYwAAAIIAAAAJAAAAcC5nZW9qc29uXYw7DoUwDATvsnUaoEuLRE2P\
    KBAYZAniyPgVKMrd+Twq2pmdTbAjEjwaGuynVMu60mgsAQ7zn+3wXfrsLhtVIqnx7RN4gi+yw0Ky\
    kelxszdphYNdwSiiE4fBnsfSVX3OfT4BUEsBAhQDFAAAAAgAAAAhWPKpQq5jAAAAggAAAAkAAAAA\
    AAAAAAAAAIABAAAAAHAuZ2VvanNvblBLBQYAAAAAAQABADcAAACKAAAAAAA=
    """
  /// An archive with a changed byte.
  private static let damaged = """
    UEsDBBQAAAAAAAAAIVj5vJ9wKQAAACkAAAAFAAAAYy5jc3ZpZCxsYXQsbG9uCjEsMSwxCjksMiwy\
    CjMsMywzCjQsNCw0CjUsNSw1ClBLAQIUAxQAAAAAAAAAIVj5vJ9wKQAAACkAAAAFAAAAAAAAAAAA\
    AACAAQAAAABjLmNzdlBLBQYAAAAAAQABADMAAABMAAAAAAA=
    """

  private static let rows = ["1,1.0,1.0", "2,2.0,2.0", "3,3.0,3.0", "4,4.0,4.0", "5,5.0,5.0"]

  private func archive(_ text: String) throws -> Data {
    try #require(Data(base64Encoded: text))
  }

  @Test(arguments: [(deflated, "cities.csv.zip"), (stored, "cities.zip"), (deflated, "c.bin")])
  func tablesInArchives(text: String, name: String) throws {
    let intake = try Intake(bytes: try archive(text), as: name)
    intake.expect(["id,latitude,longitude"] + Self.rows)
  }

  @Test func featuresInArchives() throws {
    let intake = try Intake(bytes: try archive(Self.geojson), as: "p.zip")
    intake.expect(["id,latitude,longitude", "1,3.0,2.0"])
  }

  @Test func theClassIsNamedAfterTheTable() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("cities.csv.zip")
    try archive(Self.deflated).write(to: file)
    let outcome = try Command.run(["import", folder["s.cairn"], file.path])
    #expect(outcome.errors.contains("5 rows imported into cities"), "\(outcome.errors)")
  }

  /// `data.csv` beside `README.txt`, `datapackage.json` and `._data.csv`, with the bytes of an
  /// archive's end in its comment.
  private static let besideOthers =
    """
    UEsDBBQAAAAAAAAAIVhFRM0MBgAAAAYAAAAKAAAAUkVBRE1FLnR4dEFib3V0ClBLAwQUAAAAAAAAACFYQ7+mowIAAA\
    ACAAAAEAAAAGRhdGFwYWNrYWdlLmpzb257fVBLAwQUAAAAAAAAACFYYvWhDRwAAAAcAAAACAAAAGRhdGEuY3N2aWQs\
    bGF0aXR1ZGUsbG9uZ2l0dWRlCjEsMiwzClBLAwQUAAAAAAAAACFY/xLZQQIAAAACAAAACgAAAC5fZGF0YS5jc3YAAF\
    BLAQIUAxQAAAAAAAAAIVhFRM0MBgAAAAYAAAAKAAAAAAAAAAAAAACAAQAAAABSRUFETUUudHh0UEsBAhQDFAAAAAAA\
    AAAhWEO/pqMCAAAAAgAAABAAAAAAAAAAAAAAAIABLgAAAGRhdGFwYWNrYWdlLmpzb25QSwECFAMUAAAAAAAAACFYYv\
    WhDRwAAAAcAAAACAAAAAAAAAAAAAAAgAFeAAAAZGF0YS5jc3ZQSwECFAMUAAAAAAAAACFY/xLZQQIAAAACAAAACgAA\
    AAAAAAAAAAAAgAGgAAAALl9kYXRhLmNzdlBLBQYAAAAABAAEAOQAAADKAAAAFwBQSwUGIGlzIGluIHRoaXMgY29tbW\
    VudA==
    """
  /// `data.csv` with sizes of 8 bytes.
  private static let wide =
    """
    UEsDBBQAAAAAAAAAIVhi9aENHAAAABwAAAAIAAAAZGF0YS5jc3ZpZCxsYXRpdHVkZSxsb25naXR1ZGUKMSwyLDMKUE\
    sBAhQDFAAAAAAAAAAhWGL1oQ3//////////wgAHAAAAAAAAAAAAIAB/////2RhdGEuY3N2AQAYABwAAAAAAAAAHAAA\
    AAAAAAAAAAAAAAAAAFBLBQYAAAAAAQABAFIAAABCAAAAAAA=
    """
  /// `a.csv` and `b.csv`.
  private static let several =
    """
    UEsDBBQAAAAAAAAAIVhi9aENHAAAABwAAAAFAAAAYS5jc3ZpZCxsYXRpdHVkZSxsb25naXR1ZGUKMSwyLDMKUEsDBB\
    QAAAAAAAAAIVhi9aENHAAAABwAAAAFAAAAYi5jc3ZpZCxsYXRpdHVkZSxsb25naXR1ZGUKMSwyLDMKUEsBAhQDFAAA\
    AAAAAAAhWGL1oQ0cAAAAHAAAAAUAAAAAAAAAAAAAAIABAAAAAGEuY3N2UEsBAhQDFAAAAAAAAAAhWGL1oQ0cAAAAHA\
    AAAAUAAAAAAAAAAAAAAIABPwAAAGIuY3N2UEsFBgAAAAACAAIAZgAAAH4AAAAAAA==
    """

  @Test(arguments: [besideOthers, wide])
  func tablesBesideOtherFiles(text: String) throws {
    let intake = try Intake(bytes: try archive(text), as: "x.zip")
    intake.expect(["id,latitude,longitude", "1,2.0,3.0"])
  }

  @Test func severalTablesAreNamed() throws {
    let outcome = try Intake(bytes: try archive(Self.several), as: "x.zip").outcome
    #expect(
      outcome.code == 64 && outcome.errors.contains("the archive has 2 tables (`a.csv`, `b.csv`)"),
      "\(outcome.errors)")
  }

  /// Codes of countries, airlines and the like are no currencies.
  @Test func otherCodesAreTexts() throws {
    let intake = try Intake(
      "id,lat,lon,flight,price\n1,1,2,SWR123,CHF 5\n2,1,2,DLH456,6 EUR\n", ["--currency"])
    intake.expect([
      "id,latitude,longitude,flight,price", "1,1.0,2.0,SWR123,5", "2,1.0,2.0,DLH456,6",
    ])
  }

  @Test func moreLinesAreSkippedThanThereAre() throws {
    for lines in ["3", "4000000000", "9223372036854775807"] {
      try Intake("id,lat,lon\n1,1,2\n", ["--skip-lines", lines])
        .expectRefusal("no line is left behind the skipped ones")
    }
  }

  @Test func damageIsFound() throws {
    try Intake(bytes: try archive(Self.damaged), as: "c.zip")
      .expectRefusal("c.zip/c.csv: the archive is damaged: a checksum is wrong")
    let short = try archive(Self.deflated).dropLast(30)
    #expect(try Intake(bytes: Data(short), as: "c.zip").outcome.code != 0)
  }

  // MARK: Columns

  @Test(arguments: [
    ("Latitud", "Longitud"), ("INTPTLAT", "INTPTLONG"), ("POINT_Y", "POINT_X"),
    ("Breitengrad", "Längengrad"), ("широта", "долгота"), ("緯度", "経度"), ("위도", "경도"),
    ("Latitudine", "Longitudine"), ("estacion_latitud", "estacion_longitud"),
    ("Y_COORD", "X_COORD"), ("szerokość_geograficzna", "długość_geograficzna"),
  ])
  func coordinatesAreFoundByTheirNames(latitude: String, longitude: String) throws {
    let intake = try Intake("id,\(longitude),\(latitude)\n1,7.5,47\n")
    intake.expect(["id,latitude,longitude", "1,47.0,7.5"])
  }

  /// Two measures of a thing, in German.
  @Test func widthsAndLengthsAreNoCoordinates() throws {
    try Intake("id,Länge,Breite\n1,7.5,47\n").expectRefusal("no columns are known")
  }

  @Test func geoJSONInAColumn() throws {
    let text = """
      id;geo_point_2d;geo_shape
      1;47.5, 7.5;"{""type"": ""Polygon"", ""coordinates"": [[[7,47],[8,47],[8,48],[7,47]]]}"
      2;46.5, 6.5;"{""coordinates"": [6.5, 46.5], ""type"": ""Point""}"

      """
    let intake = try Intake(text)
    #expect(
      intake.lines == [
        "id,geo_point_2d,geometry",
        #"1,"47.5, 7.5","POLYGON ((7 47, 8 47, 8 48, 7 47))""#, #"2,"46.5, 6.5",POINT (6.5 46.5)"#,
      ], "\(intake.outcome.errors) \(intake.lines)")
    let points = try Intake("id,geo_point_2d\n1,\"47.5, 7.5\"\n")
    points.expect(["id,latitude,longitude", "1,47.5,7.5"])
    try Intake("id,geojson\n1,\"{\"\"type\"\": \"\"Pint\"\"}\"\n", ["--wkt", "geojson"])
      .expectRefusal("f.csv:2: ")
    let several = """
      id;geojson
      1;"{""type"":""MultiPoint"",""coordinates"":[[1,2],[3,4]]}"

      """
    let each = try Intake(several, ["--each-point"])
    each.expect(["id,latitude,longitude", "1,2.0,1.0", "1,4.0,3.0"])
  }

  // MARK: Notation

  @Test func linesAboveTheHeaderAreSkipped() throws {
    let text = "Cities of the world\nas of 2024\n\nid,lat,lon\n1,2,3\n2,x,3\n"
    let intake = try Intake(text, ["--skip-lines", "2", "--on-error", "skip"])
    intake.expect(["id,latitude,longitude", "1,2.0,3.0"])
    #expect(intake.outcome.errors.contains("f.csv:6: "), "\(intake.outcome.errors)")
    try Intake("Cities\nid,lat,lon\n1,2,3\n").expectRefusal("`--skip-lines 1`")
    #expect(try Intake("a\n", ["--skip-lines", "-1"]).outcome.code == 64)
    #expect(try Intake("a\n", ["--skip-lines", "5"]).outcome.code == 65)
  }

  @Test func thousandsAndSigns() throws {
    let text = """
      id,lat,lon,people,price,share
      1,1,2,"1,234,567",$12.50,12 %
      2,1,2,99,"-$1,000.25",3%
      3,1,2,"1,000",12.5 EUR,"1,200 %"

      """
    let intake = try Intake(text, ["--thousands", "comma", "--currency"])
    intake.expect([
      "id,latitude,longitude,people,price,share", "1,1.0,2.0,1234567,12.5,12",
      "2,1.0,2.0,99,-1000.25,3", "3,1.0,2.0,1000,12.5,1200",
    ])
    let german = try Intake(
      "id;lat;lon;n\n1;1,5;2,5;1.234,5\n2;1;2;12.000\n",
      ["--decimal-comma", "--thousands", "point"])
    german.expect(["id,latitude,longitude,n", "1,1.5,2.5,1234.5", "2,1.0,2.0,12000.0"])
    let french = try Intake(
      "id;lat;lon;n\n1;1,5;2,5;1 234,5\n2;1;2;12\u{202F}000,25 €\n",
      ["--decimal-comma", "--thousands", "space", "--currency"])
    french.expect(["id,latitude,longitude,n", "1,1.5,2.5,1234.5", "2,1.0,2.0,12000.25"])
    let swiss = try Intake(
      "id,lat,lon,n\n1,1,2,1'234.5\n2,1,2,1’000\n", ["--thousands", "apostrophe"])
    swiss.expect(["id,latitude,longitude,n", "1,1.0,2.0,1234.5", "2,1.0,2.0,1000.0"])
  }

  /// Groups of other sizes are no thousands, so the column is text.
  @Test func groupsOfOtherSizesAreTexts() throws {
    let intake = try Intake(
      "id,lat,lon,n\n1,1,2,\"1,23\"\n2,1,2,\"1,234\"\n", ["--thousands", "comma"])
    intake.expect(["id,latitude,longitude,n", #"1,1.0,2.0,"1,23""#, #"2,1.0,2.0,"1,234""#])
    try Intake(
      "id,lat,lon,n\n1,1,2,\"1,23\"\n", ["--thousands", "comma", "--type", "n=int"]
    ).expectRefusal("`n` is `1,23`, which is not a valid int")
    #expect(try Intake("a\n", ["--thousands", "point"]).outcome.code == 64)
    let both = try Intake("a\n", ["--thousands", "comma", "--decimal-comma"])
    #expect(both.outcome.code == 64 && both.outcome.errors.contains("two meanings"))
  }

  /// Dates that only an option reads as such are texts, and a note names the option.
  @Test func datesInOtherForms() throws {
    func notes(_ values: String...) throws -> String {
      let rows = values.enumerated().map { "\($0.offset),1,2,\($0.element)\n" }
      return try Intake("id,lat,lon,at\n" + rows.joined()).outcome.errors
    }
    #expect(
      try notes("14.03.2024", "", "1.3.2024").contains(
        "`at` is text; `--date-format '%d.%m.%Y'` reads")
    )
    let slashed = try notes("14/03/2024", "01/02/2024")
    #expect(slashed.contains("`--date-format '%d/%m/%Y'` reads"), "\(slashed)")
    #expect(slashed.contains("`--date-format '%m/%d/%Y'`"), "\(slashed)")
    for values in [
      ["14.03.2024", "soon"], ["1.2.3.4"], ["99.99.9999"], ["14.03.24"], ["a/b/2024"],
    ] {
      let rows = values.enumerated().map { "\($0.offset),1,2,\($0.element)\n" }
      let intake = try Intake("id,lat,lon,at\n" + rows.joined())
      #expect(!intake.outcome.errors.contains("--date-format"), "\(values)")
    }
  }

  @Test func severalFormatsOfDates() throws {
    let text = "id,lat,lon,at\n1,1,2,14.03.2024\n2,1,2,03/15/2024\n3,1,2,2024-03-16\n"
    let intake = try Intake(text, ["--date-format", "%d.%m.%Y", "--date-format", "%m/%d/%Y"])
    intake.expect([
      "id,latitude,longitude,at", "1,1.0,2.0,2024-03-14", "2,1.0,2.0,2024-03-15",
      "3,1.0,2.0,2024-03-16",
    ])
  }
}
