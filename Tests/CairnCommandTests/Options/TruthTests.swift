import CairnTestSupport
import Foundation
import Testing

/// Circles and boxes compared with results computed by other tools.
@Suite struct TruthTests {
  private struct Truth: Decodable {
    struct Item: Decodable {
      let id: String
      let kind: String
      let center: [Double]?
      let radius_m: Double?
      let min: [Double]?
      let max: [Double]?
      let expect: [String: Expectation]
    }

    struct Expectation: Decodable {
      let count: Int
      let ids: [Int]?
      let either: [Int]?
    }

    let items: [Item]
  }

  @Test(arguments: ["circles", "boxes"])
  func answersAreExact(name: String) throws {
    let store = try SampleStores.graticuleStore()
    let truth = try JSONDecoder().decode(
      Truth.self,
      from: Data(contentsOf: URL(fileURLWithPath: Repository.data("truth/\(name).json"))))
    #expect(truth.items.count >= 30)
    for item in truth.items {
      let expectation = try #require(item.expect["graticule5"])
      let lines = try Command.run(
        ["query", store, "graticule5", "--select", "id", "--format", "csv", "--sort", "id"]
          + Self.area(item)
      ).lines
      let found = Set(lines.dropFirst().compactMap { Int($0) })
      #expect(found.count == lines.count - 1, "\(item.id): no row comes twice")
      let certain = found.subtracting(expectation.either ?? [])
      #expect(certain.count == expectation.count, "\(item.id)")
      if let ids = expectation.ids { #expect(certain == Set(ids), "\(item.id)") }
    }
  }

  private static func area(_ item: Truth.Item) -> [String] {
    if let center = item.center, let radius = item.radius_m {
      return ["--near", "\(center[1]),\(center[0])", "--radius", "\(radius)m"]
    }
    let numbers = (item.min ?? []) + (item.max ?? [])
    return ["--bbox", numbers.map { "\($0)" }.joined(separator: ",")]
  }
}
