import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Lines, areas and collections as properties.
@Suite(.tags(.untrusted)) struct GeometryImportTests {
  @Test func everyKindIsReadFromGeoJSON() throws {
    let features = geometrySamples.enumerated().map { shape($0, $1.json) }
    let imported = try Imported(collection(features), as: "a.geojson")
    #expect(imported.types["geometry"] == .geometry)
    #expect(imported.types["altitude"] == nil)
    for (sample, value) in zip(geometrySamples, imported.column("geometry")) {
      #expect(try value == packed(sample.wkt), "\(sample.wkt)")
    }
  }

  @Test func everyKindIsReadFromWKTAndWKB() throws {
    let hex = try geometrySamples.map { sample in
      try Geometry(wkt: sample.wkt).wkb.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined()
    }
    for texts in [geometrySamples.map(\.wkt), hex] {
      let rows = texts.enumerated().map { "\($0),\"\($1)\"\n" }.joined()
      let imported = try Imported("id,wkt\n" + rows)
      #expect(imported.types["geometry"] == .geometry)
      #expect(try imported.column("geometry") == geometrySamples.map { try packed($0.wkt) })
    }
    let records = texts(hex).joined(separator: "\n")
    let imported = try Imported(records, as: "a.jsonl") { $0.geometryColumns = ["g"] }
    #expect(try imported.column("geometry") == geometrySamples.map { try packed($0.wkt) })
  }

  /// Files, and the texts of options, are read like the texts of `Geometry(wkt:)`.
  @Test func everyReaderTakesTheseTexts() throws {
    let expected = try GeometryTexts.accepted.map { try packed($0.wkt) }
    let hex = try GeometryTexts.accepted.map { text in
      try Geometry(wkt: text.wkt).wkb.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    for texts in [GeometryTexts.accepted.map(\.text), hex] {
      let fields = texts.enumerated().map { "\($0),\"\($1)\"\n" }.joined()
      #expect(try Imported("id,wkt\n" + fields).column("geometry") == expected)
      let records = texts.enumerated().map { "{\"id\":\($0),\"g\":\"\($1)\"}" }
      let imported = try Imported(records.joined(separator: "\n"), as: "a.jsonl") {
        $0.geometryColumns = ["g"]
      }
      #expect(try imported.column("geometry") == expected)
      for (text, value) in zip(texts, expected) {
        let parsed = try ParsedGeometries(wkt: text, edges: .planar, repairs: false)
        #expect(parsed.geometries.map { .geometry($0.bytes) } == [value], "\(text)")
        let kind = try #require(ParsedGeometries.kind(of: text), "\(text)")
        #expect(kind == parsed.geometries[0].kind, "\(text)")
        guard kind == .polygon || kind == .multiPolygon else { continue }
        let rings = try ParsedPolygons(wkt: text).polygons.flatMap(\.builder.rings)
        #expect(rings.map(\.count) == [4], "\(text)")
      }
    }
  }

  @Test func malformedTextsAreRefusedAlike() throws {
    for (text, message) in GeometryTexts.malformed {
      #expect(ParsedGeometries.kind(of: text) != nil, "\(text)")
      #expect { try ParsedGeometries(wkt: text, edges: .planar, repairs: false) } throws: { error in
        (error as? GeometryTextError)?.message.description.hasSuffix(message) == true
      }
      if text.hasPrefix("POLYGON") {
        #expect { try ParsedPolygons(wkt: text) } throws: { error in
          (error as? GeometryTextError)?.message.description.hasSuffix(message) == true
        }
      }
      for (file, name) in [
        ("id,wkt\n1,POINT (1 2)\n2,\"\(text)\"\n", "things.csv"),
        ("{\"id\":1,\"wkt\":\"POINT (1 2)\"}\n{\"id\":2,\"wkt\":\"\(text)\"}\n", "things.jsonl"),
      ] {
        #expect {
          try Imported(file, as: name) { $0.geometryColumns = ["wkt"] }
        } throws: { error in
          (error as? ImportError)?.message.description.contains(message) == true
        }
      }
    }
  }

  private func texts(_ hex: [String]) -> [String] {
    zip(geometrySamples, hex).enumerated().map { index, sample in
      let value =
        [sample.0.json, "\"\(sample.0.wkt)\"", "\"\(sample.1)\""][index % 3]
      return "{\"id\":\(index),\"g\":\(value)}"
    }
  }

  @Test func pointsAloneAreALocation() throws {
    let imported = try Imported(
      collection([shape(1, geometrySamples[0].json)]), as: "a.geojson")
    #expect(imported.types["location"] == .point)
    let other = try Imported("id,wkt\n1,POINT Z (1 2 3)\n")
    #expect(other.types == ["id": .int, "location": .point, "altitude": .double])
  }

  @Test func theUserNamesTheProperty() throws {
    let text = collection(geometrySamples.enumerated().map { shape($0, $1.json) })
    let imported = try Imported(text, as: "a.geojson") { $0.locationName = "area" }
    #expect(imported.types["area"] == .geometry)
  }

  @Test func rowsWithoutAGeometryAreNull() throws {
    let imported = try Imported(
      collection([
        shape(1, "null"), shape(2, geoJSON("LineString", "[[1,2],[3,4]]")),
        "{\"type\":\"Feature\",\"properties\":{\"id\":3}}", shape(4, geoJSON("Point", "[]")),
        shape(5, geoJSON("MultiPolygon", "[]")), shape(6, geoJSON("Polygon", "[[]]")),
      ]), as: "a.geojson")
    #expect(
      try imported.column("geometry")
        == [.null, packed("LINESTRING (1 2, 3 4)"), .null, .null, .null, .null])
    let csv = try Imported("id,wkt\n1,\n2,\"LINESTRING (1 2, 3 4)\"\n3,POLYGON EMPTY\n")
    #expect(try csv.column("geometry") == [.null, packed("LINESTRING (1 2, 3 4)"), .null])
  }

  @Test func pointsWithoutALocationAreRefusedAsBefore() throws {
    let text = collection([shape(1, "null"), shape(2, geoJSON("Point", "[1,2]"))])
    #expect(try importError(text, as: "a.geojson")?.message.contains("it has no geometry") == true)
    let imported = try Imported(text, as: "a.geojson") { $0.onError = .skip }
    #expect(imported.rejects.count == 1)
    #expect(imported.rows.count == 1)
  }

  // MARK: The first blocks

  /// Points, of which the last one is replaced by another geometry.
  private func late(_ last: String, count: Int = 400) -> String {
    let points = (1..<count).map { shape($0, geoJSON("Point", "[\($0 % 90),2,\($0)]")) }
    return collection(points + [shape(count, last)])
  }

  @Test(arguments: [RejectPolicy.fail, .skip])
  func aLatePolygonMakesGeometriesOfAllRows(policy: RejectPolicy) throws {
    let text = late(geoJSON("Polygon", "[[[0,0],[1,0],[1,1],[0,0]]]"))
    let imported = try Imported(text, as: "a.geojson") {
      ($0.blockSize, $0.onError) = (1 << 12, policy)
    }
    #expect(imported.types == typesOfGeometries)
    let values = imported.column("geometry")
    #expect(try values.last == packed("POLYGON ((0 0, 1 0, 1 1, 0 0))"))
    #expect(try values.first == packed("POINT Z (1 2 1)"))
    #expect(!values.contains(.null))
    #expect(imported.rejects.isEmpty)
  }

  private var typesOfGeometries: [String: ValueType] {
    ["id": .int, "geometry": .geometry]
  }

  @Test func aLateMissingGeometryIsDecidedByTheWholeInput() throws {
    #expect(
      try importError(late("null"), as: "a.geojson") { $0.blockSize = 1 << 12 }?.message
        .contains("feature 400: it has no geometry") == true)
    let line = shape(0, geoJSON("LineString", "[[1,2],[3,4]]"))
    let text = late("null").replacing("\n]}", with: ",\n\(line)\n]}")
    let imported = try Imported(text, as: "a.geojson") { $0.blockSize = 1 << 12 }
    #expect(imported.types["geometry"] == .geometry)
    #expect(imported.column("geometry").filter(\.isNull).count == 1)
  }

  @Test func aLatePolygonInCSV() throws {
    let rows = (1...2000).map { "\($0),POINT (\($0 % 90) 2)" }
    let text =
      "id,wkt\n" + rows.joined(separator: "\n") + "\n0,\"POLYGON ((0 0, 1 0, 1 1, 0 0))\"\n"
    let imported = try Imported(text) { $0.blockSize = 1 << 12 }
    #expect(imported.types["geometry"] == .geometry)
    #expect(try imported.column("geometry")[0] == packed("POLYGON ((0 0, 1 0, 1 1, 0 0))"))
    #expect(try imported.column("geometry")[1] == packed("POINT (1 2)"))
  }

  @Test func filesOfDifferentKindsAgree() throws {
    let points = collection([shape(1, geoJSON("Point", "[1,2]"))])
    let lines = "id,wkt\n2,\"LINESTRING (1 2, 3 4)\"\n"
    let imported = try Imported(
      [("a.geojson", Array(points.utf8)), ("b.csv", Array(lines.utf8))]
    ) { _ in }
    #expect(
      try imported.column("geometry") == [packed("POINT (1 2)"), packed("LINESTRING (1 2, 3 4)")])
  }

  // MARK: Rules

  @Test func aFaultNamesFeatureRingAndPlace() throws {
    let bowTie = "[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[3,3],[3,1],[1,3],[1,1]]]"
    let text = collection([
      shape(1, geometrySamples[1].json),
      shape(2, geoJSON("MultiPolygon", "[[[[20,0],[21,0],[21,1],[20,0]]],\(bowTie)]")),
    ])
    let message = try importError(text, as: "a.geojson")?.message ?? ""
    for part in [
      "a.geojson:3: feature 2: ", "polygon 2 of 2: ", "hole 1 crosses itself",
      "longitude 2.0, latitude 2.0", "`repairs`",
    ] { #expect(message.contains(part), "\(message)") }
    let skipped = try Imported(text, as: "a.geojson") { $0.onError = .skip }
    #expect(skipped.rows.count == 1)
    #expect(skipped.summary.rejectedByReason.map(\.reason) == ["a ring crosses or touches itself"])
  }

  @Test func repairsAreStored() throws {
    let text = collection([
      shape(1, geoJSON("Polygon", "[[[0,0],[2,2],[2,0],[0,2],[0,0]]]")),
      shape(2, geoJSON("Polygon", "[[[0,0],[2,0],[2,2]]]")),
    ])
    let imported = try Imported(text, as: "a.geojson") { $0.geometries.repairs = true }
    for case .geometry(let bytes) in imported.column("geometry") {
      try Geometry(packed: bytes).validate(edges: .planar)
    }
    #expect(try imported.column("geometry")[1] == packed("POLYGON ((0 0, 2 0, 2 2, 0 0))"))
  }

  @Test func damagedTextIsRefusedWithItsPosition() throws {
    for (geometry, part) in [
      (geoJSON("LineString", "[[1,2],[3,4]"), "not expected"),
      (geoJSON("LineString", "[[1,2],[3,\"4\"]]"), "`\"4\"` is not a number"),
      (geoJSON("LineString", "[[1,2],[3,04]]"), "is not a number"),
      (geoJSON("LineString", "[[1,2],[3]]"), "a position needs two coordinates"),
      (geoJSON("LineString", "[[1,2],[3,1e999]]"), "does not fit a double"),
      (geoJSON("LineString", "[[1,2],[3,-95]]"), "latitude -95.0 is beyond"),
      (geoJSON("LineString", "[[1,2],[190,5]]"), "`wrapsLongitudes`"),
      (geoJSON("Circle", "[1,2]"), "`Circle` is not a type of geometry"),
      ("{\"type\":\"Polygon\"}", "has no member `coordinates`"),
      ("{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\"}]}", "coordinates"),
      (
        "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]],\"coordinates\":[[1,2],[3,4]]}",
        "appears twice"
      ),
    ] {
      let line = shape(1, geoJSON("LineString", "[[1,2],[3,4]]"))
      let text = collection([line, shape(2, geometry)])
      let message = try importError(text, as: "a.geojson")?.message ?? "imported"
      #expect(message.contains(part), "\(geometry): \(message)")
    }
  }

  @Test func theTypeMayComeLast() throws {
    let text = collection([
      shape(1, "{\"coordinates\":[[1,2],[3,4]],\"bbox\":[1,2,3,4],\"type\":\"LineString\"}"),
      shape(
        2,
        "{\"geometries\":[{\"coordinates\":[5,6],\"type\":\"Point\"}],\"type\":\"GeometryCollection\"}"
      ),
    ])
    let imported = try Imported(text, as: "a.geojson")
    #expect(
      imported.column("geometry").compactMap(wkt)
        == ["LINESTRING (1 2, 3 4)", "GEOMETRYCOLLECTION (POINT (5 6))"])
  }

  @Test func damagedWKBIsRefused() throws {
    let hex = try Geometry(wkt: "POLYGON ((0 0, 1 0, 1 1, 0 0))").wkb.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    for count in stride(from: 18, to: hex.count, by: 2) {
      let text = "id,wkt\n1,\(hex)\n2,\(hex.prefix(count))\n"
      #expect(try importError(text) { $0.geometryColumns = ["wkt"] } != nil, "\(count)")
    }
    let cut = try importError("id,wkt\n2,\(hex.dropLast(2))\n") { $0.geometryColumns = ["wkt"] }
    #expect(
      cut?.message.contains("things.csv:2: the geometry is malformed") == true, "\(cut as Any)")
  }

  // MARK: Several properties

  @Test func severalColumnsOfGeometries() throws {
    let text = """
      id,a,b
      1,POINT (1 2),"LINESTRING (1 2, 3 4)"
      2,POINT (3 4),
      """
    let imported = try Imported(text + "\n") { $0.geometryColumns = ["a", "b"] }
    #expect(imported.types["a"] == .point)
    #expect(imported.types["b"] == .geometry)
    #expect(imported.column("a")[1] == .point(Position(latitude: 4, longitude: 3)))
    #expect(try imported.column("b") == [packed("LINESTRING (1 2, 3 4)"), .null])
  }

  @Test(arguments: [
    ("pickup_lon,pickup_lat,dropoff_lon,dropoff_lat", ["pickup", "dropoff"]),
    ("startLon,startLat,endLon,endLat", ["start", "end"]),
    ("lon_from,lat_from,lon_to,lat_to", ["from", "to"]),
    ("home_longitude_1,home_latitude_1,home_longitude_2,home_latitude_2", ["home_1", "home_2"]),
  ])
  func severalPairsOfColumns(header: String, names: [String]) throws {
    let text = "id,\(header)\n1,10,20,30,40\n2,11,21,,\n"
    let imported = try Imported(text)
    #expect(imported.types[names[0]] == .point)
    #expect(imported.column(names[0])[0] == .point(Position(latitude: 20, longitude: 10)))
    #expect(
      imported.column(names[1]) == [.point(Position(latitude: 40, longitude: 30)), .null])
    let columns = header.split(separator: ",").map(String.init)
    let named = try Imported(text) {
      ($0.latitudes, $0.longitudes) = ([columns[3], columns[1]], [columns[2], columns[0]])
    }
    #expect(named.column(names[1]) == imported.column(names[1]))
  }

  @Test func halfAPairIsRefused() throws {
    let text = "id,a_lon,a_lat,b_lon,b_lat\n1,10,20,30,\n"
    let error = try importError(text)
    #expect(error?.message.contains("latitude (column `b_lat`) is missing") == true)
  }

  // MARK: Existing classes

  @Test func aClassOfGeometriesTakesPoints() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let lines = try folder.write(Array("id,wkt\n1,\"LINESTRING (1 2, 3 4)\"\n".utf8), as: "a.csv")
    let points = try folder.write(Array("id,lat,lon\n2,5,6\n".utf8), as: "b.csv")
    _ = try Imported([lines], into: store) { _ in }
    let imported = try Imported([points], into: store) { _ in }
    #expect(try imported.column("geometry")[1] == packed("POINT (6 5)"))
  }

  @Test func aClassOfPointsRefusesLines() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let lines = try folder.write(Array("id,wkt\n1,\"LINESTRING (1 2, 3 4)\"\n".utf8), as: "a.csv")
    let points = try folder.write(Array("id,lat,lon\n2,5,6\n".utf8), as: "b.csv")
    _ = try Imported([points], into: store) { _ in }
    #expect {
      try Imported([lines], into: store) { _ in }
    } throws: {
      ($0 as? ImportError)?.message.contains("expected a Point, found a LineString") == true
    }
  }

  @Test func aClassOfPointsRefusesCurvesAsLines() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let points = try folder.write(Array("id,lat,lon\n2,5,6\n".utf8), as: "b.csv")
    let curve = "id,wkt\n1,\"CIRCULARSTRING (1 2, 3 4, 5 6)\"\n"
    let curves = try folder.write(Array(curve.utf8), as: "a.csv")
    _ = try Imported([points], into: store) { _ in }
    #expect {
      try Imported([curves], into: store) { _ in }
    } throws: {
      ($0 as? ImportError)?.message.contains("expected a Point, found a LineString") == true
    }
  }
}
