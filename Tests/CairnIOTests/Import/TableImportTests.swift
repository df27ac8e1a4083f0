import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Files without coordinates.
struct TableImportTests {
  @Test(arguments: [
    ("f.csv", "code,value\na,1\nb,2.5\n"),
    ("f.csv", "code,2019,2020\na,1,2\nb,2,3\n"),
    ("f.json", #"[{"code": "a", "value": 1}, {"code": "b", "value": 2.5}]"#),
    ("f.jsonl", #"{"code": "a", "long_name": 1}"# + "\n" + #"{"code": "b", "long_name": 2.5}"#),
  ])
  func aTableBecomesAClassWithoutALocation(_ name: String, _ text: String) throws {
    let imported = try Imported(text, as: name)
    #expect(imported.values("code") == [.string("a"), .string("b")])
    #expect(imported.columns.allSatisfy { !$0.isSpatial })
    #expect(
      imported.notes.contains {
        $0.hasSuffix(
          "no columns hold coordinates, so the class Thing is a table without locations; "
            + "`latitude: COLUMN, longitude: COLUMN` names some")
      }, "\(imported.notes)")
  }

  @Test(arguments: [
    "code,lat\na,1\n", "code,Longitude\na,1\n", "code,x\na,1\n", "code,stop_lat\na,1\n",
    "code,easting,northing\na,1,2\n", "code\na\n", "7,47.5,8.25\n8,47,8\n",
    "code,place\na,\"47.1,8.1\"\n", "a_lat,a_lon,A_LAT,A_LON\n1,2,3,4\n",
  ])
  func columnsThatMayHoldCoordinatesAreAnError(_ text: String) throws {
    let error = try #require(try importError(text), "\(text)")
    #expect(error.kind == .data)
  }

  @Test func columnsThatMayHoldCoordinatesCanBeThoseOfATable() throws {
    for text in ["code,lat\na,1\n", "code,lon,x\na,1,2\n", "code\na\n"] {
      let error = try #require(try importError(text))
      #expect(
        error.message.contains("or import a table without coordinates with `hasNoLocation`"),
        "\(error)")
      let imported = try Imported(text) { $0.hasNoLocation = true }
      #expect(imported.values("code") == [.string("a")])
      #expect(imported.notes.isEmpty)
    }
    let both = try Imported("lat,lon\n1,2\n") { $0.hasNoLocation = true }
    #expect(both.types == ["lat": .int, "lon": .int])
  }

  @Test func featuresAreNoTable() throws {
    let feature = #"{"type": "Feature", "geometry": null, "properties": {"a": 1, "b": 2}}"#
    let error = try #require(try importError(feature, as: "f.geojson") { $0.hasNoLocation = true })
    #expect(error.kind == .usage)
    #expect(error.message.hasSuffix("but the rows of this file have geometries"))
  }

  @Test func recordsInOneObjectAreAnError() throws {
    let text = #"{"total": 1, "items": [{"code": "a", "value": 1}]}"#
    let error = try #require(try importError(text, as: "f.json"))
    #expect(error.message.contains("its records seem to be in `items`"), "\(error)")
  }

  @Test(
    arguments: [
      { (options: inout ImportOptions) in options.latitudes = ["north"] },
      { $0.coordinateSystem = "EPSG:27700" }, { $0.locationName = "place" },
      { $0.spacing = .meters(5) }, { $0.geometries.repairs = true }, { $0.hasHeader = false },
      { $0.boxes = GeoBox(bottomLeft: (0, 0), topRight: (1, 1)).map { [$0] } ?? [] },
    ] as [@Sendable (inout ImportOptions) -> Void])
  func optionsThatNeedCoordinatesKeepTheError(
    _ change: @Sendable (inout ImportOptions) -> Void
  ) throws {
    #expect(try importError("code,value\na,1\n", change) != nil)
  }

  @Test func fileOfPlacesAndATableDoNotMix() throws {
    let files = [
      (name: "places.csv", bytes: Array("id,lat,lon\n1,2,3\n".utf8)),
      (name: "table.csv", bytes: Array("id,value\n2,3\n".utf8)),
    ]
    let error = try #require(throws: ImportError.self) { try Imported(files) { _ in } }
    #expect(error.message.contains("table.csv:1: no columns are known to hold the coordinates"))
  }
}

/// Tables that are added to a class.
struct TableExtendingTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.store()
  }

  private func add(_ text: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws
    -> Imported
  {
    let path = try folder.write(Array(text.utf8), as: "more.csv")
    return try Imported([path], into: store, change)
  }

  @Test func aTableIsAddedToATable() throws {
    _ = try add("id,value\n1,2\n")
    let both = try add("id,value\n2,3\n")
    #expect(both.column("value") == [.int(2), .int(3)])
    #expect(both.notes.isEmpty)
  }

  @Test func aRequiredLocationStaysRequired() throws {
    _ = try add("id,lat,lon\n1,2,3\n")
    for isTable in [false, true] {
      let error = try #require(throws: ImportError.self) {
        try add("id,value\n2,3\n") { $0.hasNoLocation = isTable }
      }
      #expect(
        error.message.hasPrefix(
          "this cannot be added to the class Thing: its rows have a `location`, and no columns of ")
      )
      #expect(
        error.message.hasSuffix(
          "more.csv hold coordinates; name the columns with `latitude: COLUMN, longitude: COLUMN`, "
            + "or store rows without with `allowsMissing`"))
    }
    #expect(try Imported.read(store, "Thing").1.count == 1)
  }

  @Test func rowsOfATableHaveNoOptionalLocation() throws {
    _ = try add("id,lat,lon\n1,2,3\n")
    let both = try add("id,value\n2,3\n") { $0.geometries.allowsMissing = true }
    #expect(both.column("location") == [.point(Position(latitude: 2, longitude: 3)), .null])
    #expect(
      both.notes.contains {
        $0.contains("no columns hold coordinates, so its rows have no location")
      },
      "\(both.notes)")
  }

  @Test func placesAreAddedToATable() throws {
    _ = try add("id,value\n1,2\n")
    let both = try add("id,lat,lon\n2,3,4\n")
    #expect(both.column("location") == [.null, .point(Position(latitude: 3, longitude: 4))])
  }
}
