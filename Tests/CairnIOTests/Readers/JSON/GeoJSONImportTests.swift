import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Returns a Feature with a point.
func feature(_ properties: String, id: String? = nil, at coordinates: String = "7.5,46.5") -> String
{
  let id = id.map { "\"id\":\($0)," } ?? ""
  return
    "{\"type\":\"Feature\",\(id)\"properties\":\(properties),\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(coordinates)]}}"
}

/// Returns a FeatureCollection of some Features.
func collection(_ features: [String], before: String = "", after: String = "") -> String {
  "{\(before)\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]\(after)}\n"
}

@Suite(.tags(.untrusted)) struct GeoJSONImportTests {
  @Test func propertiesOfEveryTypeAreRead() throws {
    let text = collection([
      feature(
        "{\"n\":1,\"d\":1.5,\"t\":\"a\\n\\u00e9\\ud83d\\ude00\",\"b\":true,\"when\":\"2024-05-01\",\"o\":{\"k\" : [1,2]}}",
        id: "1"),
      feature(
        "{\"n\":null,\"d\":2,\"t\":\"\",\"b\":false,\"x\":7,\"when\":null,\"o\":[ ]}", id: "2"),
    ])
    let imported = try Imported(text, as: "a.geojson")
    #expect(
      imported.types == [
        "id": .int, "n": .int, "d": .double, "t": .string, "b": .bool, "when": .date, "o": .string,
        "x": .int, "location": .point,
      ])
    #expect(imported.columns.first?.name == "id")
    #expect(imported.columns.last?.name == "location")
    #expect(imported.column("n") == [.int(1), .null])
    #expect(imported.column("d") == [.double(1.5), .double(2)])
    #expect(imported.column("t") == [.string("a\né😀"), .string("")])
    #expect(imported.column("o") == [.string("{\"k\" : [1,2]}"), .string("[ ]")])
    #expect(imported.column("x") == [.null, .int(7)])
    #expect(
      imported.column("location")[0]
        == .point(Position(latitude: 46.5, longitude: 7.5, altitude: 0)))
  }

  @Test func numbersAreNeverRounded() throws {
    let numbers = [
      "9007199254740993", "18446744073709551616", "0.12345678901234567890", "1e400", "-0",
    ]
    let imported = try Imported(
      collection(numbers.enumerated().map { feature("{\"v\":\($1)}", id: "\($0)") }),
      as: "a.geojson")
    #expect(imported.types["v"] == .string)
    #expect(imported.column("v") == numbers.map { .string($0) })
  }

  @Test func textIsNotReadAsANumber() throws {
    let imported = try Imported(
      collection([feature("{\"id\":1,\"zip\":\"8001\"}"), feature("{\"id\":2,\"zip\":\"3000\"}")]),
      as: "a.geojson")
    #expect(imported.types["zip"] == .string)
  }

  @Test func membersMayComeInAnyOrderWithForeignMembers() throws {
    let text = """
      {"bbox":[1,2,3,4],"metadata":{"a":"}]"},"features":[ {"geometry":{"coordinates":[1,2],"type":"Point"},
      "foreign":[{"a":1}],"bbox":[1,2,1,2],"properties":{"id":5},"type":"Feature"} ] , "crs":null,
      "type":"FeatureCollection"}
      """
    let imported = try Imported(text, as: "a.geojson")
    #expect(imported.rows == [[.int(5), .point(Position(latitude: 2, longitude: 1, altitude: 0))]])
  }

  @Test func altitudeIsAnOptionalProperty() throws {
    let imported = try Imported(
      collection([
        feature("{}", id: "1", at: "1,2,-30.5"), feature("{}", id: "2"),
        feature("{}", id: "3", at: "1,2,7"),
      ]),
      as: "a.geojson")
    #expect(imported.types["altitude"] == .double)
    #expect(imported.column("altitude") == [.double(-30.5), .null, .double(7)])
    let clash = try importError(
      collection([feature("{\"altitude\":1}", at: "1,2,3")]), as: "a.geojson")
    #expect(clash?.message.contains("`altitude`") == true)
  }

  @Test func theFeaturesIdAndThePropertyIdAreMerged() throws {
    let same = try Imported(
      collection([
        feature("{\"id\":\"a\"}", id: "\"a\""), feature("{\"id\":\"b\"}"),
        feature("{}", id: "\"c\""),
      ]),
      as: "a.geojson")
    #expect(same.columns.map(\.name) == ["id", "location"])
    #expect(Set(same.rows.map { $0[0] }) == [.string("a"), .string("b"), .string("c")])
    #expect(same.notes.isEmpty)
  }

  @Test func differingIdsAreBothKept() throws {
    // geopandas writes the row number as the Feature's own id.
    let mixed = collection([
      feature("{\"id\":17,\"n\":\"a\"}", id: "\"0\""), feature("{\"id\":18}", id: "\"1\""),
      feature("{\"id\":19}"), feature("{\"n\":\"b\"}", id: "\"3\""),
    ])
    for policy in RejectPolicy.allCases {
      let imported = try Imported(mixed, as: "a.geojson") { $0.onError = policy }
      #expect(imported.columns.map(\.name) == ["id", "feature_id", "n", "location"])
      #expect(imported.types["id"] == .int && imported.types["feature_id"] == .string)
      #expect(
        imported.column("feature_id") == [.string("0"), .string("1"), .null, .string("3")])
      #expect(imported.column("n") == [.string("a"), .null, .null, .string("b")])
      #expect(imported.summary.rejected == 0)
      #expect(imported.notes.contains { $0.contains("it becomes `feature_id`") })
    }
  }

  @Test func lateDifferingIdsAreBothKept() throws {
    var features = (1...400).map { feature("{\"id\":\($0)}", id: "\($0)") }
    features.append(feature("{\"id\":401}", id: "7"))
    let imported = try Imported(collection(features), as: "a.geojson") { $0.blockSize = 512 }
    #expect(imported.rows.count == 401)
    #expect(imported.column("feature_id").last == .int(7))
    #expect(imported.column("feature_id").first == .int(1))
    #expect(imported.column("id") == (1...401).map { .int(Int64($0)) })
  }

  @Test func aPropertyNamedFeatureIdKeepsItsName() throws {
    let imported = try Imported(
      collection([feature("{\"id\":1,\"feature_id\":2}", id: "3")]), as: "a.geojson")
    #expect(imported.column("feature_id") == [.int(2)])
    #expect(imported.column("feature_id_2") == [.int(3)])
  }

  @Test func furtherNumbersOfAPositionAreIgnoredAndReported() throws {
    let many = feature("{\"id\":2}", at: "3,4,5,6,7,8.5e2")
    for text in [collection([feature("{\"id\":1}", at: "1,2"), many]), many] {
      let imported = try Imported(text, as: "a.geojson")
      #expect(imported.column("altitude").last == .double(5))
      #expect(imported.notes.contains { $0.contains("more than three numbers") })
    }
    let three = try Imported(collection([feature("{}", at: "1,2,3")]), as: "a.geojson")
    #expect(three.notes.isEmpty)
    let points = "{\"type\":\"MultiPoint\",\"coordinates\":[[1,2,3,4],[5,6,7,8]]}"
    let each = try Imported(points, as: "a.geojson") { $0.geometries.takesEachPoint = true }
    #expect(each.rows.count == 2)
    #expect(each.notes.contains { $0.contains("more than three numbers") })
  }

  @Test func thousandsOfPropertiesAreReadAndTooManyRejected() throws {
    func object(_ count: Int) -> String {
      "{" + (0..<count).map { "\"p\($0)\":\($0)" }.joined(separator: ",") + "}"
    }
    let imported = try Imported(collection([feature(object(3000))]), as: "a.geojson")
    #expect(imported.columns.count == 3001)
    #expect(imported.column("p2999", by: "p0") == [.int(2999)])
    for count in [30_000, 65_535, 65_536] + (Soak.isOn ? [70_000] : []) {
      let error = try importError(collection([feature(object(count))]), as: "a.geojson")
      #expect(error?.kind == .data)
      #expect(
        error?.message.contains(
          "would have \(count + 1) properties, but at most 30000 are possible")
          == true)
    }
  }

  @Test func newlineDelimitedFilesAndTextSequencesAreRead() throws {
    let features = (1...3).map { feature("{\"id\":\($0)}") }
    let lines = features.joined(separator: "\n")
    for (text, name) in [
      (lines, "a.geojsonl"), (lines + "\r\n\n", "a.ndjson"), (lines, "a.geojson"),
      (lines, "a.json"),
      (features.map { "\u{1E}\($0)\n" }.joined(), "a.geojsons"), (features.joined(), "a.geojson"),
      (features.map { "\u{1E}\n\($0.replacing(",", with: ",\n"))\n" }.joined(), "a.geojson"),
    ] {
      let imported = try Imported(text, as: name)
      #expect(imported.column("id") == [.int(1), .int(2), .int(3)], "\(name)")
    }
  }

  @Test func aSingleFeatureIsRead() throws {
    let pretty = feature("{\"id\":1}").replacing(",", with: ",\n  ")
    #expect(try Imported(pretty, as: "a.geojson").rows.count == 1)
  }

  @Test func anEmptyCollectionMakesAnEmptyClass() throws {
    let imported = try Imported(
      "{\"type\":\"FeatureCollection\",\"features\":[ ]}", as: "a.geojson")
    #expect(imported.rows.isEmpty)
    #expect(imported.columns.map(\.name) == ["location"])
  }

  @Test func coordinatesWithMoreDigitsThanADoubleAreRounded() throws {
    let imported = try Imported(
      collection([feature("{\"id\":1}", at: "7.439583333333333333333,46.5")]), as: "a.geojson")
    #expect(
      imported.column("location") == [
        .point(Position(latitude: 46.5, longitude: 7.439583333333333, altitude: 0))
      ])
  }

  @Test func propertyNamesMayHaveUnusualCharacters() throws {
    let imported = try Imported(
      collection([feature("{\"a\\\"b\":1,\"\\u00fc\":2,\"\":3,\"a.b c\":4}", id: "1")]),
      as: "a.geojson")
    #expect(imported.columns.map(\.name) == ["id", "a\"b", "ü", "", "a.b c", "location"])
  }
}
