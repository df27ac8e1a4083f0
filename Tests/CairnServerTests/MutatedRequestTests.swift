import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// Requests with random damage: every one gets an answer.
@Suite(.tags(.untrusted)) struct MutatedRequestTests {
  private static let seeds = [
    "/", "/api?f=html", "/conformance", "/collections", "/collections/places?f=json",
    "/collections/places/items?bbox=-10,-20,30,40&limit=5&f=html",
    "/collections/places/items?datetime=2001-01-05T00:00:00Z/..&sortby=-name,population",
    "/collections/places/items?name=B%C3%A4rn&properties=name,area&crs=EPSG:3857&limit=3",
    "/collections/places/items?cursor=AAAAAAAAAAACAAAAAAAAACAAAAAA&limit=3",
    "/collections/places/tiles", "/collections/places/tiles/WebMercatorQuad/3/2/1?f=mvt",
    "/collections/places/tiles/4/7/9.mvt?filter=population%3E3&properties=name,area",
    "/collections/places/statistics?properties=area,founded&bbox=0,0,90,90", "/explorer/main.js",
    "/collections/parcels/tiles.json?owner=A", "/tileMatrixSets/WebMercatorQuad?f=html",
    "/collections/places/items/7?crs=EPSG:4326", "/collections/parcels/items?f=csv",
    "/collections/places/items?filter=population%3E3%20AND%20name%20LIKE%20%27B%25%27",
    "/collections/places/items?filter=S_INTERSECTS(location,POLYGON((0%200,9%200,9%209,0%200)))",
    "/collections/places/items?filter=%7B%22op%22%3A%22%3D%22%2C%22args%22%3A%5B%7B%22property%22"
      + "%3A%22name%22%7D%2C%22Bern%22%5D%7D&filter-lang=cql2-json",
  ]

  private static let pieces = [
    "%", "%00", "%ff", "&", "=", "?", "/", "//", "'", "\"", "(", "((((((((", "[", "{", ",", "-",
    "9999999999999999999", "1e999", "NaN", "..", "NOT ", " AND ", "<", "\u{1F600}", "bbox=",
    "filter=", "f=csv", "limit=2", "crs=EPSG:4326",
  ]

  @Test func tenThousandMutatedRequestsAreAnswered() async throws {
    let world = try World(rows: 40)
    var random = SplitMix64(seed: 2024)
    var statuses: [Int: Int] = [:]
    for _ in 0..<10_000 {
      let target = Self.mutated(random.pick(Self.seeds), &random)
      let method = random.chance(0.95) ? "GET" : random.pick(["HEAD", "POST", "OPTIONS", ""])
      let accept = random.pick(["", "*/*", "text/html", "a;q=x,,;", "application/geo+json"])
      let answer = try await world.service.get(
        target, headers: ["Accept": accept, "Accept-Encoding": random.pick(["", "gzip"])],
        method: method)
      statuses[answer.status, default: 0] += 1
      #expect(answer.status != 500, "\(method) \(target): \(answer.text)")
    }
    #expect(
      (statuses[200] ?? 0) > 200 && (statuses[400] ?? 0) > 500,
      "\(statuses)")
  }

  private static func mutated(_ seed: String, _ random: inout SplitMix64) -> String {
    var scalars = Array(seed.unicodeScalars)
    for _ in 0...random.below(3) {
      // Damage to the query goes deeper than damage to the path.
      let query = scalars.firstIndex(of: "?") ?? 0
      let start = random.chance(0.8) ? query : 0
      let index = start + random.below(scalars.count + 1 - start)
      switch random.below(8) {
      case 0: scalars.insert(contentsOf: random.pick(pieces).unicodeScalars, at: index)
      case 1...3: if index < scalars.count { scalars.remove(at: index) }
      case 4...6:
        if index < scalars.count {
          scalars[index] = Unicode.Scalar(UInt8(random.below(96) + 32))
        }
      default:
        let other = Array(random.pick(seeds).unicodeScalars)
        scalars = Array(scalars[..<index]) + other[random.below(other.count)...]
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
