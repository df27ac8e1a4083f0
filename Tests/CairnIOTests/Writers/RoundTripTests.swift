import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnIO

/// Exported data is the same after it is imported again.
struct RoundTripTests {
  @Test(arguments: [OutputFormat.csv, .geojson, .geojsonl])
  func everyFormatWithPointsIsReadBack(_ format: OutputFormat) throws {
    let seed = Soak.seed(122)
    var random = SplitMix64(seed: seed)
    for _ in 0..<5 {
      let folder = try TemporaryFolder()
      let store = try folder.store()
      let path = try folder.write(Array(Self.csv(&random).utf8), as: "first.csv")
      let first = try Imported([path], into: store) { $0.className = "First" }
      let text = try exported(format, store, "First")
      let again = try folder.write(Array(text.utf8), as: "again.\(format.rawValue)")
      let second = try Imported([again], into: store) { $0.className = "Second" }
      #expect(second.types == first.types, "\(format), seed \(seed)")
      for name in first.columns.map(\.name) {
        #expect(second.column(name) == first.column(name), "\(format) \(name), seed \(seed)")
      }
      let third = try exported(.jsonl, store, "First")
      #expect(third.split(separator: "\n").count == first.rows.count)
    }
  }

  private static func csv(_ random: inout SplitMix64) -> String {
    let texts = [
      "", "\"\"", "\"a,b\"", "\"q\"\"q\"", "\"n\nn\"", "é", "\"007\"", "x y", "\"\t\\\"",
      "\" pad \"",
    ]
    let dates = ["", "1965-01-02", "2024-05-01T12:34:56.789Z", "1900-02-28T00:00:01Z"]
    let rows = (1...300).map { id -> String in
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &random)) / 1e7
      let double =
        Bool.random(using: &random) ? "" : "\(Double.random(in: -1e6...1e6, using: &random))"
      let int = Bool.random(using: &random) ? "" : "\(Int64(bitPattern: random.next()))"
      let bool = ["", "true", "false"][Int.random(in: 0..<3, using: &random)]
      let text = texts[Int.random(in: 0..<texts.count, using: &random)]
      let date = dates[Int.random(in: 0..<dates.count, using: &random)]
      return "\(id),\(text),\(latitude),\(longitude),\(double),\(int),\(bool),\(date)"
    }
    return "id,t,lat,lon,d,i,b,w\n" + rows.joined(separator: "\n")
  }

  @Test func idsAndAltitudesOfGeoJSONAreReadBack() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let text = collection([
      feature("{\"n\":1}", id: "\"a\"", at: "1,2,-3.5"),
      feature("{\"n\":2}", id: "\"b\"", at: "3,4"),
    ])
    let path = try folder.write(Array(text.utf8), as: "a.geojson")
    let first = try Imported([path], into: store) { $0.className = "First" }
    let again = try folder.write(
      Array(try exported(.geojson, store, "First").utf8), as: "b.geojson")
    let second = try Imported([again], into: store) { $0.className = "Second" }
    #expect(second.types == first.types)
    #expect(second.column("altitude", by: "n") == [.double(-3.5), .null])
    #expect(second.column("id", by: "n") == [.string("a"), .string("b")])
  }
}
