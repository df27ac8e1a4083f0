import CairnStorage
import CairnTestSupport
import Testing

@testable import CairnIO

/// A record that does not end is rejected with its position before it takes all memory.
@Suite(.tags(.untrusted)) struct LongRecordTests {
  private static let limit = 1 << 20
  private static let filler = String(repeating: "x", count: Soak.count(5 << 18, long: 3 << 20))

  private func feature(_ text: String) -> String {
    "{\"type\":\"Feature\",\"properties\":{\"t\":\"\(text)\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}"
  }

  private func error(_ text: String, as name: String) throws -> String? {
    try importError(text, as: name) {
      ($0.longestRecord, $0.blockSize) = (Self.limit, 1 << 16)
    }?.message
  }

  @Test func aLongFeatureIsNamed() throws {
    let features = [feature("a"), feature("b"), feature(Self.filler), feature("d")]
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))]}"
    #expect(
      try error(text, as: "a.geojson")?.contains("a.geojson:4: feature 3 is longer than 1 MB")
        == true)
    let lines = features.joined(separator: "\n")
    #expect(
      try error(lines, as: "a.ndjson")?.contains("a.ndjson:3: feature 3 is longer than 1 MB")
        == true)
    #expect(try Imported(text, as: "a.geojson").rows.count == 4, "64 MB are allowed")
  }

  @Test func aLongRowIsNamed() throws {
    let row = "id,lat,lon,t\n1,1,1,x\n2,2,2,"
    #expect(
      try error("\(row)\(Self.filler)\n", as: "a.csv")?.contains(
        "a.csv:3: a line is longer than 1 MB") == true)
    #expect(
      try error("\(row)\"\(Self.filler)\n", as: "a.csv")?.contains(
        "a.csv:3: a quoted field is longer than 1 MB") == true)
    #expect(try Imported("\(row)\(Self.filler)\n").rows.count == 2)
  }
}
