import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct CSVImportTests {
  @Test func typesValuesAndNulls() throws {
    let imported = try Imported(
      #"""
      id,name,lat,lon,score,open,since,note
      1,Bern,46.94809,7.44744,1.5,true,1191-01-01,
      2,"Biel, ""Bienne""",47.13713,7.24608,2,false,,""
      3,,47.05048,8.30635,-0.5,,2024-05-01T12:00:00Z,"a
      b"

      """#)
    #expect(
      imported.types == [
        "id": .int, "name": .string, "location": .point, "score": .double, "open": .bool,
        "since": .date, "note": .string,
      ])
    #expect(
      imported.columns.map(\.name) == ["id", "name", "location", "score", "open", "since", "note"])
    #expect(imported.column("name") == [.string("Bern"), .string("Biel, \"Bienne\""), .null])
    #expect(imported.column("score") == [.double(1.5), .double(2), .double(-0.5)])
    #expect(imported.column("open") == [.bool(true), .bool(false), .null])
    #expect(imported.column("note") == [.null, .string(""), .string("a\nb")])
    #expect(imported.column("since")[2] == .date(736_257_600))
    #expect(
      imported.column("location")[0]
        == .point(Position(latitude: 46.94809, longitude: 7.44744, altitude: 0)))
    #expect(imported.summary.inserted == 3)
  }

  @Test(arguments: ["\n", "\r\n"], ["", "\u{FEFF}"])
  func lineEndsAndByteOrderMarks(_ newline: String, _ mark: String) throws {
    let lines = ["id,lat,lon,t", "1,1,2,a", "2,3,4,\"b\"", "", "3,5,6,"]
    for ending in ["", newline, newline + newline] {
      let imported = try Imported(mark + lines.joined(separator: newline) + ending)
      #expect(imported.column("id") == [.int(1), .int(2), .int(3)])
      #expect(imported.column("t") == [.string("a"), .string("b"), .null])
    }
  }

  /// The first row of a block has no field before it.
  @Test(arguments: ["\n", "\r\n"])
  func rowsOfOneFieldAreFilled(_ newline: String) throws {
    let lines = ["id,lat,lon", "1", "2,3,4", "3", ""]
    let imported = try Imported(lines.joined(separator: newline)) {
      $0.fillsRows = true
      $0.geometries.allowsMissing = true
    }
    #expect(imported.column("id") == [.int(1), .int(2), .int(3)])
    #expect(imported.column("location").map(\.isNull) == [true, false, true])
  }

  @Test(arguments: [
    "lat,lon", "Latitude,LONGITUDE", "y,x", "LAT,lng", "latitude,Long", "\"lat\", lon ",
  ])
  func coordinatesAreFoundByTheirNames(_ header: String) throws {
    let imported = try Imported("id,\(header)\n1,46.5,7.5\n")
    #expect(imported.columns.map(\.name) == ["id", "location"])
    #expect(imported.rows[0][1] == .point(Position(latitude: 46.5, longitude: 7.5, altitude: 0)))
  }

  @Test func coordinatesCanBeNamed() throws {
    let imported = try Imported("lat,lon,breite,länge\n1,2,46.5,7.5\n") {
      $0.latitudes = ["breite"]
      $0.longitudes = ["länge"]
      $0.locationName = "ort"
    }
    #expect(imported.types == ["lat": .int, "lon": .int, "ort": .point])
  }

  @Test func coordinatesAreReadInCommonSpellings() throws {
    let imported = try Imported("id,lat,lon\n1,+46.5, 7.50 \n2,\"46\",5.\n3,-.5,1e1\n")
    let places = imported.column("location")
    #expect(places[0] == .point(Position(latitude: 46.5, longitude: 7.5, altitude: 0)))
    #expect(places[1] == .point(Position(latitude: 46, longitude: 5, altitude: 0)))
    #expect(places[2] == .point(Position(latitude: -0.5, longitude: 10, altitude: 0)))
  }

  @Test func theLimitsOfLatitudeAndLongitudeAreValid() throws {
    let imported = try Imported("id,lat,lon\n1,90,180\n2,-90,-180\n3,0,-0.0\n")
    #expect(imported.rows.count == 3)
  }

  @Test func aLateTextMakesTheWholeColumnText() throws {
    let rows = (1...5000).map { "\($0),0\($0 % 10),\($0 == 4999 ? "n/a" : "\($0)"),1,2" }
    let imported = try Imported("id,code,number,lat,lon\n" + rows.joined(separator: "\n")) {
      $0.blockSize = 1000
    }
    #expect(imported.types["number"] == .string)
    #expect(imported.types["code"] == .string)
    #expect(imported.column("number")[7] == .string("8"))
    #expect(imported.column("number")[4998] == .string("n/a"))
    #expect(imported.column("code")[0] == .string("01"))
  }

  @Test func quotedNumbersAreNumbers() throws {
    let imported = try Imported("\"id\",\"lat\",\"lon\",\"d\"\n\"1\",\"2\",\"3\",\"2024-05-01\"\n")
    #expect(imported.types == ["id": .int, "location": .point, "d": .date])
  }

  @Test func aTrailingCommaIsNotAColumn() throws {
    let imported = try Imported("id,lat,lon,\n1,2,3,\n")
    #expect(imported.columns.map(\.name) == ["id", "location"])
    let used = try Imported("id,lat,lon,\n1,2,3,\n2,3,4,x\n")
    #expect(used.column("column_4") == [.null, .string("x")])
    #expect(used.notes.first?.contains("column 4 has no name") == true)
  }

  @Test func aHeaderWithoutRowsMakesAnEmptyClass() throws {
    let imported = try Imported("id,lat,lon")
    #expect(imported.rows.isEmpty)
    #expect(imported.types == ["id": .string, "location": .point])
  }

  @Test func severalFilesShareTheirColumns() throws {
    let imported = try Imported([
      ("a.csv", Array("id,lat,lon,a\n1,1,1,x\n".utf8)),
      ("b.csv", Array("lon,lat,b,id\n2,2,7.5,2\n".utf8)),
    ]) { _ in }
    #expect(imported.types == ["id": .int, "location": .point, "a": .string, "b": .double])
    #expect(imported.column("a") == [.string("x"), .null])
    #expect(imported.column("b") == [.null, .double(7.5)])
  }

  @Test func longFieldsAndManyColumnsAreRead() throws {
    let long = String(repeating: "ab\"\"c,\n", count: 30_000)
    let columns = (0..<1500).map { "c\($0)" }
    let imported = try Imported(
      "id,lat,lon,\(columns.joined(separator: ","))\n1,2,3,\"\(long)\"\(String(repeating: ",7", count: 1499))\n"
    ) { $0.blockSize = 4096 }
    #expect(imported.column("c0") == [.string(long.replacing("\"\"", with: "\""))])
    #expect(imported.column("c1499") == [.int(7)])
  }
}
