import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct GeoJSONRefusalTests {
  @Test func everyRejectionNamesFeatureAndLine() throws {
    let point = "\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}"
    let cases: [(feature: String, part: String)] = [
      (feature("{}", at: "181,0"), "longitude 181.0"),
      (feature("{}", at: "0,-90.5"), "latitude -90.5"),
      (feature("{}", at: "1e999,0"), "longitude 1e999"), (feature("{}", at: "1"), "found 1"),
      (feature("{}", at: "1,2,3,4x"), "malformed"), (feature("{}", at: ""), "no geometry"),
      (feature("{}", at: "\"1\",2"), "malformed"), (feature("{}", at: "null,2"), "malformed"),
      (feature("{}", at: "01,2"), "`01` is not a number"),
      (feature("{\"a\":.5}"), "malformed JSON"),
      (feature("{\"a\":[1,]}"), "malformed JSON"),
      (feature("{\"a\":\"\\ud800\"}"), "malformed JSON"),
      (feature("{\"a\":1,\"a\":2}"), "`a` appears twice"), (feature("[]"), "`properties`"),
      (feature("{}", id: "[1]"), "`id`"),
      ("{\"type\":\"Feature\",\"properties\":{}}", "no geometry"),
      ("{\"type\":\"Feature\",\"geometry\":null,\"properties\":{}}", "no geometry"),
      ("{\"type\":\"Point\",\"coordinates\":[1,2]}", "`Point`"), ("{\(point)}", "type is missing"),
      ("{\"type\":\"Feature\",\"type\":\"Feature\",\(point)}", "twice"), ("17", "object"),
      ("[1]", "object"),
      ("{\"type\":\"Feature\",\(point),\"foreign\":{\"a\":tru}}", "malformed JSON"),
    ]
    for (bad, part) in cases {
      let text = collection([feature("{\"id\":1}"), bad, feature("{\"id\":3}")])
      let error = try #require(try importError(text, as: "a.geojson"), "\(bad)")
      #expect(error.message.contains("a.geojson:3: feature 2: "), "\(error)")
      #expect(error.message.contains(part), "\(error)")
      let skipped = try Imported(text, as: "a.geojson") { $0.onError = .skip }
      #expect(skipped.column("id") == [.int(1), .int(3)], "\(bad)")
      #expect(skipped.summary.rejected == 1)
      // A line may be a bare geometry, but a member of a collection may not.
      if bad.hasPrefix("{\"type\":\"Point\"") { continue }
      let lines = try Imported(
        [feature("{\"id\":1}"), bad, feature("{\"id\":3}")].joined(separator: "\n"), as: "a.ndjson"
      ) {
        $0.onError = .skip
      }
      #expect(lines.column("id") == [.int(1), .int(3)], "\(bad)")
    }
  }

  @Test func rejectedGeometriesAreCountedByReason() throws {
    let shapes = ["Polygon", "LineString", "Polygon", "MultiPoint"].map {
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"\($0)\",\"coordinates\":[[1,2]]},\"properties\":{}}"
    }
    let imported = try Imported(collection(shapes + [feature("{\"id\":1}")]), as: "a.geojson") {
      $0.onError = .skip
    }
    #expect(imported.rows.count == 2)
    #expect(
      imported.summary.rejectedByReason.map(\.reason) == ["malformed geometry", "too few points"])
    #expect(imported.summary.rejectedByReason.map(\.count) == [2, 1])
  }

  @Test func invalidCollectionsAreRejected() throws {
    let cases: [(text: String, part: String)] = [
      ("", "ends in the middle"), ("null", "begins with an object"),
      ("[]", "begins with an object"),
      ("{}", "missing"), ("{\"type\":\"FeatureCollection\"}", "no array `features`"),
      ("{\"type\":\"FeatureCollection\",\"features\":{}}", "no array `features`"),
      ("{\"type\":\"Topology\",\"features\":[]}", "Topology"),
      ("{\"type\":\"FeatureCollection\",\"features\":[]", "ends in the middle"),
      ("{\"type\":\"FeatureCollection\",\"features\":[\(feature("{}"))", "ends in the middle"),
      ("{\"type\":\"FeatureCollection\",\"features\":[\(feature("{}")),]}", "`]` is not expected"),
      (
        "{\"type\":\"FeatureCollection\",\"features\":[\(feature("{}")) \(feature("{}"))]}",
        "`{` is not expected"
      ),
      ("{\"type\":\"FeatureCollection\",\"features\":[}]}", "`}` is not expected"),
      ("{\"type\":\"FeatureCollection\" \"features\":[]}", "is not expected"),
      ("{\"type\":\"FeatureCollection\",\"features\":[]}}", "after the end"),
      ("{\"type\":\"FeatureCollection\",\"features\":[],\"x\":[1}}", "`x` is not well-formed JSON"),
      ("{\"type\":\"FeatureCollection\",\"features\":[],\"features\":[]}", "appears twice"),
    ]
    for (text, part) in cases {
      for size in [1, 64, 1 << 20] {
        let error = try #require(
          try importError(text, as: "a.geojson") { $0.blockSize = size }, "\(text)")
        #expect(error.kind == .data)
        #expect(error.message.contains(part), "\(error)")
      }
    }
  }

  @Test func deepNestingIsRejected() throws {
    let open = String(repeating: "[", count: 200_000)
    let close = String(repeating: "]", count: 200_000)
    for text in [
      open, "{\"type\":" + open, collection([feature("{\"a\":\(open)\(close)}")]),
      collection([feature("{\"a\":\(open)}")]),
    ] {
      #expect(try importError(text, as: "a.geojson")?.kind == .data)
    }
  }
}
