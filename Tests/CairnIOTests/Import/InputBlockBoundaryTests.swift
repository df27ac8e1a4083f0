import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// The result of an import does not depend on where the input is split.
@Suite(.tags(.untrusted)) struct InputBlockBoundaryTests {
  @Test func csvInTinyBlocksGivesTheSameRows() throws {
    let seed = Soak.seed(111)
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(10, long: 150) {
      let newline = Bool.random(using: &random) ? "\n" : "\r\n"
      let rows = (1...60).map { id in Self.csvRow(id, &random) }
      let text = (["id,t,lat,n,lon,u"] + rows).joined(separator: newline)
      try check(text, "a.csv", &random, seed)
    }
  }

  @Test func geoJSONInTinyBlocksGivesTheSameRows() throws {
    let seed = Soak.seed(112)
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(10, long: 150) {
      let features = (1...40).map { Self.feature($0, &random) }
      try check(collection(features, before: "\"x\":[\"}\"],"), "a.geojson", &random, seed)
      try check(features.joined(separator: "\n"), "a.ndjson", &random, seed)
      try check(features.joined(separator: " \n"), "a.geojson", &random, seed)
    }
  }

  private func check(
    _ text: String, _ name: String, _ random: inout SplitMix64, _ seed: UInt64
  ) throws {
    let whole = try Imported(text, as: name) {
      ($0.threads, $0.onError) = (1, .skip)
    }
    #expect(whole.summary.inserted + whole.summary.rejected > 0)
    for _ in 0..<4 {
      let size = [1, 7, 64, 300, 2000][Int.random(in: 0..<5, using: &random)]
      let threads = Int.random(in: 1...3, using: &random)
      let cut = try Imported(text, as: name) {
        ($0.threads, $0.blockSize, $0.onError) = (threads, size, .skip)
      }
      #expect(cut.types == whole.types, "blocks of \(size), seed \(seed)")
      #expect(cut.rows == whole.rows, "blocks of \(size), seed \(seed)")
      #expect(cut.summary.rejected == whole.summary.rejected, "seed \(seed)")
      #expect(Self.told(cut) == Self.told(whole), "seed \(seed)")
    }
  }

  /// Returns the rejected records without the folder, which differs.
  private static func told(_ imported: Imported) -> [Substring] {
    imported.rejects.map { $0.split(separator: "/").last ?? "" }
  }

  private static func csvRow(_ id: Int, _ random: inout SplitMix64) -> String {
    let text = pick(
      [
        "", "plain", "\"\"", "\"a,b\"", "\"a\nb\"", "\"say \"\"x\"\"\"", "5\" pipe", "é€𝄞",
        "\"\r\n\"",
      ], &random)
    let number = pick(["1", "2.5", "", "-7"], &random)
    let odd = pick(["1", "", "x", "2024-05-01", "true"], &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return "\(id),\(text)"
    case 1: return "\(id),\(text),95,\(number),1,\(odd)"
    case 2: return ""
    default:
      let latitude = Double.random(in: -90...90, using: &random)
      return "\(id),\(text),\(latitude),\(number),\(id % 180),\(odd)"
    }
  }

  private static func feature(_ id: Int, _ random: inout SplitMix64) -> String {
    let text = pick(
      ["\"a\"", "\"}{][\"", "\"\\\"\\\\\"", "null", "\"é\\n\"", "{\"k\":[\"}\"]}"], &random)
    let number = pick(["1", "2.5", "null", "\"x\""], &random)
    let extra = pick(["", ",\"e\":1", ",\"f\":{}"], &random)
    let place = pick(["1,2", "-7.25,46.5,300", "200,1"], &random)
    return CairnIOTests.feature(
      "{\"id\":\(id),\"t\":\(text),\"n\":\(number)\(extra)}", at: place)
  }

  private static func pick(_ choices: [String], _ random: inout SplitMix64) -> String {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }
}
