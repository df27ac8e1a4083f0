import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct CSVRefusalTests {
  @Test func everyRejectionNamesFileLineAndValue() throws {
    let head = "id,lat,lon\n1,1,1\n\"2\n\",2,2\n"
    let cases: [(row: String, part: String)] = [
      ("3,91,0", "latitude 91.0"), ("3,0,181", "longitude 181.0"), ("3,NaN,0", "`NaN`"),
      ("3,0,inf", "`inf`"), ("3,,0", "latitude (column `lat`) is missing"),
      ("3,0,", "longitude (column `lon`) is missing"), ("3,1e400,0", "`1e400`"),
      ("3,abc,0", "`abc`"), ("3,\"\",0", "missing"), ("3,1", "2 fields, but the header has 3"),
      ("3,1,2,4", "4 fields, but the header has 3"), ("\"3\"x,1,2", "closing quote"),
    ]
    for (row, part) in cases {
      let error = try #require(try importError(head + row + "\n4,4,4\n"), "\(row)")
      #expect(error.kind == .data)
      #expect(error.message.contains("things.csv:5: "), "\(error)")
      #expect(error.message.contains(part), "\(error)")
      #expect(error.message.contains("onError: skip"), "\(error)")
    }
  }

  @Test func skippingCountsAndReportsTheReasons() throws {
    let imported = try Imported(
      "id,lat,lon,n\n1,1,1,5\n2,91,1,x\n3,1\n\n4,,1,y\n5,92,1,z\n6,6,6,7\n"
    ) {
      $0.onError = .skip
    }
    #expect(imported.column("id") == [.int(1), .int(6)])
    #expect(imported.types["n"] == .int, "rejected records do not affect the types")
    #expect(imported.summary.rejected == 4)
    #expect(imported.rejects.count == 4)
    #expect(imported.rejects.first?.contains("things.csv:3: the latitude 91.0") == true)
    #expect(imported.summary.rejectedByReason.first?.reason == "latitude is out of range")
    #expect(imported.summary.rejectedByReason.first?.count == 2)
  }

  @Test func theFirstRejectedRecordOfTheFileIsReported() throws {
    let rows = (1...3000).map { $0 == 1500 ? "\($0),91,0" : $0 == 1503 ? "\($0)" : "\($0),1,2" }
    for size in [64, 1000, 1 << 20] {
      let error = try importError("id,lat,lon\n" + rows.joined(separator: "\n")) {
        $0.blockSize = size
      }
      #expect(error?.message.contains("things.csv:1501: ") == true, "\(String(describing: error))")
    }
  }

  @Test func aFailedImportLeavesTheStoreUnchanged() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let path = try folder.write(Array("id,lat,lon\n1,1,1\n2,99,1\n".utf8), as: "a.csv")
    #expect(throws: ImportError.self) { try Imported([path], into: store) { _ in } }
    #expect(try store.snapshot().schema.tables.isEmpty)
  }

  @Test func unusableHeadersAreRejected() throws {
    let cases: [(text: String, part: String)] = [
      ("", "empty"), ("\n\n", "no header"),
      ("id\n1\n", "latitude: COLUMN"), ("id,lat\n1,2\n", "longitude: COLUMN"),
      ("lat,latitude,lon\n", "`lat`, `latitude`"),
      ("\"id,lat,lon\n1,2,3\n", "never closed"),
      ("a\0,lat,lon\n", "zero bytes"),
    ]
    for (text, part) in cases {
      let error = try #require(try importError(text), "\(text)")
      #expect(error.message.contains(part), "\(error)")
      #expect(error.message.contains("things.csv:1: "), "\(error)")
    }
  }

  @Test func optionsThatDoNotFitTheFileAreRejected() throws {
    let text = "id,lat,lon,location\n1,2,3,x\n"
    #expect(try importError(text)?.message.contains("locationName: NAME") == true)
    let wrong: [(inout ImportOptions) -> Void] = [
      { ($0.latitudes, $0.longitudes) = (["nope"], ["lon"]) },
      { ($0.latitudes, $0.longitudes) = (["lat"], ["lat"]) },
      { ($0.primaryKey, $0.locationName) = ("nope", "at") },
      { ($0.indexed, $0.locationName) = (["nope"], "at") },
      { ($0.onConflict, $0.locationName) = (.replace, "at") },
    ]
    for change in wrong {
      #expect(try importError(text, change)?.kind == .usage)
    }
  }

  @Test func anUnclosedQuoteIsReportedAtItsLine() throws {
    let error = try #require(try importError("id,lat,lon\n1,1,1\n2,\"2,2\n3,3,3\n"))
    #expect(error.message.contains("things.csv:3: the quote"))
  }

  @Test func invalidUTF8IsRejected() throws {
    let bytes = Array("id,lat,lon,name\n1,1,1,ok\n2,2,2,M".utf8) + [0xFC] + Array("nchen\n".utf8)
    #expect { try Imported([("things.csv", bytes)]) { _ in } } throws: { error in
      let message = (error as? ImportError)?.message ?? ""
      return message.contains("things.csv:3: column `name` contains the byte 0xFC")
    }
    let skipped = try Imported([("things.csv", bytes)]) { $0.onError = .skip }
    #expect(skipped.rows.count == 1)
  }

  @Test func aMissingKeyIsRejected() throws {
    let error = try importError("id,lat,lon\n1,1,1\n,2,2\n") { $0.primaryKey = "id" }
    #expect(error?.message.contains("things.csv:3: `id` is missing") == true)
  }

  @Test func aMissingFileIsReported() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    for path in [folder.path + "/nothing.csv", folder.path] {
      #expect { try Imported([path], into: store) { _ in } } throws: {
        ($0 as? ImportError)?.kind == .noInput
      }
    }
  }
}
