import CairnTestSupport
import Foundation
import Testing

/// Properties that `import --set` computes of the columns of a file.
@Suite struct ImportFormulaTests {
  private static let shop = """
    id,lat,lon,price,share,name
    1,47,8,"$1,234.50",12 %,  Bern
    2,48,9,$7,3%,
    3,49,10,,100%,Basel

    """

  @Test func columnsAreCleanedInTheirPlaces() throws {
    let intake = try Intake(
      Self.shop, as: "f.csv",
      [
        "--set", "price = cast(regexp_replace(price, '[$,]', '') AS double)",
        "--set", "share = cast(replace(replace(share, '%', ''), ' ', '') AS int) / 100.0",
        "--set", "name = upper(trim(name))", "--set", "north = location.latitude > 47.5",
      ])
    intake.expect([
      "id,latitude,longitude,price,share,name,north", "1,47.0,8.0,1234.5,0.12,BERN,false",
      "2,48.0,9.0,7.0,0.03,,true", "3,49.0,10.0,,1.0,BASEL,true",
    ])
  }

  /// Each formula reads the values of the file, and not those of another formula.
  @Test func formulasReadTheFile() throws {
    let intake = try Intake(
      "id,lat,lon,a,b\n1,1,1,5,7\n", as: "f.csv", ["--set", "a = b", "--set", "b = a + 1"])
    intake.expect(["id,latitude,longitude,a,b", "1,1.0,1.0,7,6"])
  }

  @Test(arguments: [
    (
      "f.geojson",
      #"{"type":"Feature","properties":{"id":1,"v":"7 m"},"geometry":{"type":"Point","coordinates":[8,47]}}"#
    ), ("f.json", #"[{"id":1,"v":"7 m","lat":47,"lon":8}]"#),
    ("f.jsonl", #"{"id":1,"v":"7 m","lat":47,"lon":8}"#), ("f.csv", "id,v,lat,lon\n1,7 m,47,8\n"),
  ])
  func everyReaderHasFormulas(name: String, text: String) throws {
    let intake = try Intake(
      text, as: name,
      ["--set", "v = cast(replace(v, ' m', '') AS int)", "--set", "w = id * 2", "--where", "v = 7"])
    #expect(intake.lines.count == 2, "\(intake.outcome.errors)")
    let names = try #require(intake.lines.first).split(separator: ",").map(String.init)
    let values = try #require(intake.lines.last).split(separator: ",").map(String.init)
    let row = Dictionary(uniqueKeysWithValues: zip(names, values))
    #expect(row["v"] == "7" && row["w"] == "2", "\(intake.lines)")
  }

  @Test(.enabled(if: GDALTools.hasLibrary, "libgdal is not installed"))
  func layersHaveFormulas() throws {
    let bytes = try Data(
      contentsOf: URL(fileURLWithPath: Repository.data("foreign/excel97.xls")))
    let intake = try Intake(
      bytes: bytes, as: "f.xls", ["--set", "people = cast(people / 1000 AS int)", "--drop", "name"])
    #expect(
      intake.lines.sorted() == [
        "134,46.948,7.4474", "177,47.5584,7.5733", "people,latitude,longitude",
      ],
      "\(intake.outcome.errors)")
  }

  @Test func aRowWithoutAValueIsNamed() throws {
    let text = "id,lat,lon,n\n1,1,1,5\n2,1,1,five\n3,1,1,6\n4,1,1,x\n"
    let set = ["--set", "n = cast(n AS int)"]
    try Intake(text, as: "f.csv", set).expectRefusal(
      "f.csv:3: `--set n`: 'cast(n AS int)': 'five' is not a valid int", "--on-error skip")
    let skipped = try Intake(text, as: "f.csv", set + ["--on-error", "skip"])
    skipped.expect(["id,latitude,longitude,n", "1,1.0,1.0,5", "3,1.0,1.0,6"])
    #expect(skipped.outcome.errors.contains("2 left out"), "\(skipped.outcome.errors)")
  }

  /// Several batches of rows, with failures in each batch.
  @Test func manyRowsKeepTheirOrder() throws {
    let count = 5000
    let rows = (0..<count).map { "\($0),1,1,\($0 % 7 == 3 ? "bad" : "\($0)")" }
    let intake = try Intake(
      "id,lat,lon,n\n" + rows.joined(separator: "\n") + "\n", as: "f.csv",
      ["--set", "n = cast(n AS int) + 1", "--on-error", "skip", "--key", "id"])
    let expected = (0..<count).filter { $0 % 7 != 3 }.map { "\($0),1.0,1.0,\($0 + 1)" }
    intake.expect(["id,latitude,longitude,n"] + expected)
  }

  @Test func theKeyMayBeComputed() throws {
    let text = "a,b,lat,lon\nx,1,1,1\nx,2,1,1\n"
    let key = ["--set", "code = a || '-' || b", "--key", "code"]
    let intake = try Intake(text, as: "f.csv", key)
    #expect(
      intake.lines.sorted() == [
        "a,b,latitude,longitude,code", "x,1,1.0,1.0,x-1", "x,2,1.0,1.0,x-2",
      ],
      "\(intake.outcome.errors)")
    try Intake(text + "y,,1,1\n", as: "f.csv", ["--set", "code = b * 2", "--key", "code"])
      .expectRefusal("f.csv:4: `--set code`: the property needs a value, and the formula is null")
  }

  @Test func aClassKeepsItsTypes() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    let first = try scratch.file("a.csv", "id,lat,lon,size,note\n1,1,1,2.5,x\n").path
    #expect(try Command.run("import", store, first, "--class", "c", "--key", "id").code == 0)
    let second = try scratch.file("b.csv", "id,lat,lon,w,h\n2,1,1,3,4\n1,1,1,5,5\n").path
    let outcome = try Command.run(
      "import", store, second, "--class", "c", "--set", "size = w * h", "--set",
      "note = 'from b'", "--drop", "none", "--on-conflict", "replace")
    #expect(outcome.code == 64 && outcome.errors.contains("no column `none`"))
    let good = try Command.run(
      "import", store, second, "--class", "c", "--set", "size = w * h", "--set",
      "note = 'from b'", "--on-conflict", "replace")
    #expect(good.code == 0, "\(good.errors)")
    let lines = try Command.lines(
      "query", store, "c", "--select", "id,size,note,w", "--sort", "id", "--format", "csv")
    #expect(lines == ["id,size,note,w", "1,25.0,from b,5", "2,12.0,from b,3"])
    let wrong = try Command.run(
      "import", store, second, "--class", "c", "--set", "size = 'big'", "--on-conflict", "replace")
    #expect(
      wrong.code == 64
        && wrong.errors.contains("`size` of the class c is of type double, and the formula of type"),
      "\(wrong.errors)")
  }

  @Test(arguments: [
    ("lat = 5", "`lat` holds coordinates"),
    ("location = 'x'", "`location` is not a column of values"),
    ("x = nam", "nam"), ("x = null", "the formula is always null"),
    ("x", "expected COLUMN=FORMULA"),
    ("x = name +", "--set"), ("x = location", "the formula is of type"),
  ])
  func formulasThatCannotBe(set: String, part: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("f.csv", Self.shop).path
    let outcome = try Command.run("import", scratch["s.cairn"], file, "--set", set)
    #expect(
      outcome.code == 64 && outcome.errors.contains(part), "\(outcome.code) \(outcome.errors)")
    #expect(!scratch.exists("s.cairn"))
  }

  /// The first blocks have no values in a column, or not the column at all.
  @Test func columnsMayBeginLate() throws {
    let rows = (0..<9000).map { "\($0),1,1,\($0 < 8999 ? "" : "7")" }
    let text = "id,lat,lon,b\n" + rows.joined(separator: "\n") + "\n"
    for set in ["z = b + 1", "z = coalesce(b, 0) + 1", "b = b + 1"] {
      let scratch = try TemporaryFolder()
      let file = try scratch.file("f.csv", text).path
      let outcome = try Command.run("import", scratch["s"], file, "--set", set, "--quiet")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let name = String(set.prefix(1))
      let values = try Command.lines(
        "query", scratch["s"], "f", "id == 8999", "--select", name, "--format", "csv")
      #expect(values == [name, "8"])
    }
    let features = (0..<9000).map {
      #"{"id":\#($0),"lat":1,"lon":1\#($0 < 8999 ? "" : #","q":4"#)}"#
    }
    let json = try Intake(features.joined(separator: "\n"), as: "f.jsonl", ["--set", "z = q * 2"])
    #expect(json.lines.last == "8999,1.0,1.0,4,8", "\(json.outcome.errors)")
  }

  @Test func aColumnWithoutValuesIsNull() throws {
    let text = "id,lat,lon,x\n1,1,1,\n"
    for (set, type) in [("x + 5", "int"), ("x || 'a'", "string"), ("year(x)", "int")] {
      let scratch = try TemporaryFolder()
      let file = try scratch.file("f.csv", text).path
      let outcome = try Command.run(
        "import", scratch["s"], file, "--dry-run", "--set", "z = \(set)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let line = try #require(outcome.lines.first { $0.hasPrefix("z ") })
      #expect(line.contains(type), "\(line)")
    }
    try Intake("id,lat,lon,x\n", as: "f.csv", ["--set", "x = x * 2"]).expect([
      "id,latitude,longitude,x"
    ])
  }

  /// Columns that are left out can be read, and those of coordinates by their property.
  @Test func columnsThatAreLeftOutCanBeRead() throws {
    let text = "id,lat,lon,a,b\n1,1,2,5,6\n"
    for options in [["--drop", "a"], ["--columns", "id,b"]] {
      let intake = try Intake(text, as: "f.csv", options + ["--set", "z = a * 2"])
      intake.expect(["id,latitude,longitude,b,z", "1,1.0,2.0,6,10"])
    }
    let outcome = try Intake(text, as: "f.csv", ["--set", "z = lat + 1"]).outcome
    #expect(outcome.code == 64 && outcome.errors.contains("`location.latitude`"))
  }

  @Test func theTypeOfAComputedPropertyIsThatOfItsFormula() throws {
    let outcome = try Intake(Self.shop, as: "f.csv", ["--set", "z = id", "--type", "z=text"])
      .outcome
    #expect(outcome.code == 64 && outcome.errors.contains("cast("), "\(outcome.errors)")
  }

  @Test func theAltitudeOfPointsIsNotComputed() throws {
    let scratch = try TemporaryFolder()
    let text =
      #"{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2,3]}}"#
    let file = try scratch.file("f.geojson", text).path
    for _ in 0..<2 {
      let outcome = try Command.run("import", scratch["s"], file, "--set", "altitude = a")
      #expect(outcome.code == 64 && outcome.errors.contains("not a column of values"))
      #expect(try Command.run("import", scratch["s"], file).code == 0)
    }
  }

  @Test func theSameNameTwice() throws {
    let outcome = try Intake(Self.shop, as: "f.csv", ["--set", "x = 1", "--set", "x = 2"]).outcome
    #expect(outcome.code == 64 && outcome.errors.contains("--set names 'x' twice"))
  }

  /// The type of the column that a formula reads may be set too.
  @Test func typesAreThoseOfTheFile() throws {
    let text = "id,lat,lon,zip\n1,1,1,00501\n2,1,1,10115\n"
    let intake = try Intake(
      text, as: "f.csv", ["--type", "zip=text", "--set", "zip = 'DE-' || zip"])
    intake.expect(["id,latitude,longitude,zip", "1,1.0,1.0,DE-00501", "2,1.0,1.0,DE-10115"])
  }

  @Test func aDryRunShowsTheComputedColumns() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("f.csv", Self.shop).path
    let outcome = try Command.run(
      "import", scratch["s.cairn"], file, "--dry-run", "--set", "big = id > 1")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("big") && outcome.output.contains("bool"))
    #expect(!scratch.exists("s.cairn"))
  }
}
