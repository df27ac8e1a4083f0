import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// The meaning of fields: nulls, numbers, dates, and first lines that are data.
@Suite(.tags(.untrusted)) struct CSVValueTests {
  @Test(arguments: ["NaN", "NA", "N/A", "NULL", "\\N", "-", "inf", "null", "None", "#N/A", "nan"])
  func aWordThatMakesNumbersTextIsReported(word: String) throws {
    let text = "id,lat,lon,population\n1,1,2,5\n2,1,2,\n3,1,2,\(word)\n4,1,2,\"\(word)\"\n5,1,2,7\n"
    let imported = try Imported(text)
    #expect(imported.types["population"] == .string)
    #expect(
      imported.notes.contains {
        $0.hasSuffix(
          "things.csv:4: `population` is text because of `\(word)`; `nulls: \(word)` makes it null"
        )
      }, "\(imported.notes)")
    let nulls = try Imported(text) { $0.reading.nulls = NullWords([word]) }
    #expect(nulls.types["population"] == .int)
    #expect(nulls.column("population") == [.int(5), .null, .null, .null, .int(7)])
    #expect(nulls.notes.isEmpty)
  }

  @Test func anIntegerBeyond64BitsThatMakesNumbersTextIsReported() throws {
    let text = "id,lat,lon,n\n1,1,2,5\n2,1,2,9223372036854775808\n3,1,2,-\n4,1,2,-7\n"
    let imported = try Imported(text)
    #expect(imported.types["n"] == .string)
    #expect(
      imported.notes.map { $0.split(separator: "/").last ?? "" } == [
        "things.csv:3: `n` is text because of `9223372036854775808`; `types: n=decimal128` reads integers beyond 64 bits",
        "things.csv:4: `n` is text because of `-`; `nulls: -` makes it null",
      ])
    let numbers = try Imported(text) {
      $0.types["n"] = .decimal
      $0.reading.nulls = NullWords(["-"])
    }
    #expect(numbers.column("n")[1] == .decimal("9223372036854775808"))
    #expect(numbers.notes.isEmpty)
  }

  @Test func severalWordsAreReportedTogetherAndOtherTextIsNot() throws {
    let several = try Imported("id,lat,lon,n\n1,1,2,5\n2,1,2,-\n3,1,2,NaN\n4,1,2,-\n")
    #expect(
      several.notes.contains {
        $0.hasSuffix(":3: `n` is text because of `-` and `NaN`; `nulls: -,NaN` makes them null")
      })
    // A column with other text, or with only such words, gets no note.
    for fields in [["5", "NaN", "x"], ["x", "-", "5"], ["NA", "NA", "-"], ["5", "6", "7"]] {
      let rows = fields.enumerated().map { "\($0),1,2,\($1)\n" }.joined()
      #expect(try Imported("id,lat,lon,n\n" + rows).notes.isEmpty, "\(fields)")
    }
    let forced = try Imported("id,lat,lon,n\n1,1,2,5\n2,1,2,NaN\n") { $0.types = ["n": .text] }
    #expect(forced.notes.isEmpty)
  }

  @Test func nullWordsAreNullInEveryType() throws {
    let text = """
      id,lat,lon,i,d,b,t,s,u
      1,1,2,-999,1.5,true,2024-05-01,x,-999
      2,1,2,7,-999,?,?,?,
      3,1,2,?,2.5,false,2024-05-02,"?",?
      """
    let imported = try Imported(text + "\n") { $0.reading.nulls = NullWords(["-999", "?"]) }
    #expect(imported.column("i") == [.null, .int(7), .null])
    #expect(imported.column("d") == [.double(1.5), .null, .double(2.5)])
    #expect(imported.column("b") == [.bool(true), .null, .bool(false)])
    #expect(imported.column("t") == [.date(736_214_400), .null, .date(736_300_800)])
    #expect(imported.column("s") == [.string("x"), .null, .null])
    #expect(imported.column("u") == [.null, .null, .null])
    let empty = try Imported("id,lat,lon,s\n1,1,2,\"\"\n2,1,2,x\n") {
      $0.reading.nulls = NullWords([""])
    }
    #expect(empty.column("s") == [.null, .string("x")])
  }

  @Test func aNullWordIsNeitherAKeyNorACoordinate() throws {
    let key = try importError("id,lat,lon\nNA,1,2\n") {
      $0.primaryKey = "id"
      $0.reading.nulls = NullWords(["NA"])
    }
    #expect(key?.message.contains("`id` is missing") == true)
    let place = try importError("id,lat,lon\n1,-99,2\n") { $0.reading.nulls = NullWords(["-99"]) }
    #expect(place?.message.contains("the latitude (column `lat`) is missing") == true)
  }

  @Test func aRejectedValueThatMayMeanNullGetsTheAdvice() throws {
    let error = try importError("id,lat,lon,n\n1,1,2,NaN\n") { $0.types = ["n": .int] }
    #expect(
      error?.message.contains("`n` is `NaN`, which is not a valid int; `nulls: NaN` makes it null")
        == true)
  }

  @Test func numbersInTheSpellingsOfOtherProgramsAreRead() throws {
    let text = "id,lat,lon,i,d\n1,+1.,2,+5,5.\n2,1,2,-0,-0\n3,1,2,\"+17\",\"+.5\"\n4,1,2,8,-3.\n"
    let imported = try Imported(text)
    #expect(imported.column("i") == [.int(5), .int(0), .int(17), .int(8)])
    #expect(imported.column("d") == [.double(5), .double(-0.0), .double(0.5), .double(-3)])
    if case .double(let zero)? = imported.column("d").dropFirst().first {
      #expect(zero.sign == .minus)
    }
    // A telephone number keeps its plus sign.
    let phone = try Imported("id,lat,lon,phone\n1,1,2,+41791234567\n2,1,2,+41\n")
    #expect(phone.column("phone") == [.string("+41791234567"), .string("+41")])
    let commas = try Imported("id;lat;lon;d\n1;1;2;5,\n2;1;2;+1,5\n") { $0.hasDecimalCommas = true }
    #expect(commas.column("d") == [.double(5), .double(1.5)])
  }

  @Test func boolsInTheWordsOfDatabasesAreReadOnRequest() throws {
    let text = "id,lat,lon,b\n1,1,2,t\n2,1,2,F\n3,1,2,\"yes\"\n4,1,2,0\n5,1,2,\n"
    #expect(try Imported(text).types["b"] == .string)
    let forced = try Imported(text) { $0.types = ["b": .boolWord] }
    #expect(forced.column("b") == [.bool(true), .bool(false), .bool(true), .bool(false), .null])
    let bad = try importError("id,lat,lon,b\n1,1,2,maybe\n") { $0.types = ["b": .boolWord] }
    #expect(bad?.message.contains("`b` is `maybe`, which is not a valid bool") == true)
  }

  @Test func epochNumbersAreDatesOnRequest() throws {
    let text = "id,lat,lon,t\n1,1,2,1714566600123\n2,1,2,\"0\"\n3,1,2,\n"
    #expect(try Imported(text).types["t"] == .int)
    let forced = try Imported(text) { $0.types = ["t": .epochMilliseconds] }
    #expect(forced.types["t"] == .date)
    #expect(forced.column("t") == [.date(736_259_400.123), .date(-978_307_200), .null])
    let bad = try importError("id,lat,lon,t\n1,1,2,2024-05-01\n") {
      $0.types = ["t": .epochSeconds]
    }
    #expect(bad?.message.contains("`t` is `2024-05-01`, which is not a valid date") == true)
  }

  @Test func timesWithoutAZoneAreReportedOnce() throws {
    let text =
      "id,lat,lon,a,b,c\n1,1,2,2024-05-01 12:30:00,2024-05-01T12:30:00,2024-05-01\n2,1,2,2024-05-01 12:30:00Z,,\n"
    let imported = try Imported(text)
    #expect(imported.column("a") == [.date(736_259_400), .date(736_259_400)])
    #expect(
      imported.notes == [
        "`a`, `b` have no time zone and are read as UTC; `timeZone` names another"
      ])
    let zoned = try Imported(text) {
      $0.timeZone = "+01:00"
    }
    #expect(zoned.column("a") == [.date(736_255_800), .date(736_259_400)])
    #expect(zoned.notes.isEmpty)
    let utc = try Imported("id,lat,lon,a\n1,1,2,2024-05-01 12:30:00Z\n")
    #expect(utc.notes.isEmpty)
  }

  @Test func aFirstLineWithALocationIsData() throws {
    for (text, rows, columns) in [
      ("POINT (8 47)\nPOINT (9 48)\n", 2, ["location"]),
      (
        "1,Basel,POINT(7.6 47.6)\n2,Bern,POINT(7.4 46.9)\n", 2,
        ["column_1", "column_2", "location"]
      ),
      ("1,\"47.5 N, 8.5 E\"\n2,\"46.5 N, 7.5 E\"\n", 2, ["column_1", "location"]),
      ("POINT (8 47)\n", 1, ["location"]),
      ("POINT Z (8 47 400)\nPOINT Z (8 47 401)\n", 2, ["location", "altitude"]),
    ] {
      let imported = try Imported(text)
      #expect(imported.rows.count == rows, "\(text)")
      #expect(imported.columns.map(\.name) == columns, "\(text)")
      #expect(
        imported.notes.contains {
          $0.contains("things.csv:1: the first line holds the location")
        })
    }
    // A header is a header, whatever the rows contain.
    for text in ["wkt\nPOINT (8 47)\n", "Point\nPOINT (8 47)\n", "id,geom\n1,POINT(1 2)\n"] {
      let imported = try Imported(text)
      #expect(imported.rows.count == 1 && imported.notes.isEmpty, "\(text)")
    }
  }

  @Test func locationsSurviveTheRoundTripThroughWKT() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let path = try folder.write(Array("id,lat,lon\n1,47,8\n2,48,9.5\n3,-1,-2\n".utf8), as: "a.csv")
    let first = try Imported([path], into: store) { _ in }
    let again = try Imported(try exported(.wkt, store, "Thing"), as: "b.wkt")
    #expect(again.rows.count == 3)
    #expect(Set(again.rows.map { $0[0] }) == Set(first.rows.map { $0[1] }))
  }
}
