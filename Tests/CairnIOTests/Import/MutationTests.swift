import CairnStorage
import CairnTestSupport
import Testing

@testable import CairnIO

/// Damaged files give rows or an error, never a crash, and are never imported in part.
@Suite(.tags(.untrusted)) struct MutationTests {
  private static let csv = """
    id,name,lat,lon,when,n
    1,"a ""b"" c",46.5,7.5,2024-05-01,1.5
    2,"x
    y",-46.5,-7.25,2024-05-01T12:00:00Z,-3
    3,é€𝄞,0,0,,

    """
  private static let geojson = collection([
    feature(
      "{\"a\":1.5,\"t\":\"\\u00e9\\n\",\"o\":{\"k\":[1,{\"x\":null}]}}", id: "1", at: "7.5,46.5,3"),
    feature("{\"a\":null,\"b\":true}", id: "\"x\"").replacing(",", with: ",\n "),
  ])

  @Test(arguments: ["a.csv", "a.geojson", "a.geojsonl"])
  func damagedFilesNeverCrash(_ name: String) throws {
    let seed = Soak.seed(113)
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let good = Array((name == "a.csv" ? Self.csv : Self.geojson).utf8)
    for round in 0..<Soak.count(100, long: 400) {
      let path = try folder.write(Self.mutant(of: good, &random), as: name)
      let size = [1, 16, 1 << 20][Int.random(in: 0..<3, using: &random)]
      let policy = RejectPolicy.allCases[Int.random(in: 0..<2, using: &random)]
      do {
        let imported = try Imported([path], into: store) {
          $0.className = "C\(round)"
          ($0.blockSize, $0.onError, $0.threads) = (size, policy, 1 + round % 2)
        }
        #expect(imported.rows.count == imported.summary.inserted, "seed \(seed)")
      } catch let error as ImportError {
        #expect(error.kind == .data || error.kind == .store, "\(error), seed \(seed)")
        #expect(try store.snapshot().schema.table(named: "C\(round)") == nil, "seed \(seed)")
      }
    }
  }

  private static func mutant(of good: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    let odd: [UInt8] = Array("\"{}[],:\\\n\r0-.eE \u{1E}".utf8) + [0, 0x80, 0xC3, 0xED, 0xFF]
    var bytes = good
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1 + place % 7))
      case 1: bytes[place] = odd[Int.random(in: 0..<odd.count, using: &random)]
      case 2: bytes.insert(odd[Int.random(in: 0..<odd.count, using: &random)], at: place)
      case 3: bytes = Array(bytes.prefix(place))
      default: bytes.insert(contentsOf: bytes.prefix(place).suffix(30), at: place)
      }
      if bytes.isEmpty { bytes = [odd[place % odd.count]] }
    }
    return bytes
  }
}
