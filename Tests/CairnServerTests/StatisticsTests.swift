import Foundation
import Testing

@testable import CairnServer

/// The figures of items, compared with those of the rows in memory.
@Suite struct StatisticsTests {
  private let world: World
  private static let path = "/collections/places/statistics"

  init() throws { world = try World(rows: 300, seed: 5) }

  private func figures(_ query: String) async throws -> (count: Int, of: [String: [String: Any]]) {
    let answer = try await world.service.get(Self.path + "?" + query)
    #expect(answer.status == 200 && answer.response.headers["Content-Type"] == "application/json")
    return (
      answer.json["numberMatched"] as? Int ?? -1,
      answer.json["properties"] as? [String: [String: Any]] ?? [:]
    )
  }

  @Test func figuresAreThoseOfTheRows() async throws {
    let (count, all) = try await figures("")
    #expect(count == 300 && Set(all.keys) == ["population", "area", "founded"])
    for limit in [-1, 3, 7, 20] {
      let rows = world.places.filter { ($0.population ?? -9) > limit }
      let (count, found) = try await figures("filter=population%3E\(limit)")
      #expect(count == rows.count)
      let areas = rows.compactMap(\.area)
      #expect(found["area"]?["count"] as? Int == areas.count)
      #expect(found["area"]?["sum"] as? Double == areas.reduce(0, +))
      #expect(found["area"]?["minimum"] as? Double == areas.min())
      #expect(found["area"]?["maximum"] as? Double == areas.max())
      let populations = rows.compactMap(\.population)
      #expect(found["population"]?["sum"] as? Int == populations.reduce(0, +))
      let average = found["population"]?["average"] as? Double
      let expected =
        populations.isEmpty
        ? nil : Double(populations.reduce(0, +)) / Double(populations.count)
      #expect(average.map { abs($0 - (expected ?? .infinity)) < 1e-9 } ?? (expected == nil))
    }
  }

  @Test func parametersAreThoseOfItems() async throws {
    for query in ["bbox=-90,-45,90,45", "datetime=2001-01-05T00:00:00Z/..", "name=Bern"] {
      let items = try await world.service.get("/collections/places/items?limit=1&\(query)")
      #expect(try await figures(query).count == items.json["numberMatched"] as? Int)
    }
    let (_, found) = try await figures("properties=founded,id")
    #expect(Set(found.keys) == ["founded", "id"])
    let dates = world.places.compactMap(\.founded)
    #expect(found["founded"]?["maximum"] as? String == dates.max().map(Timestamp.text))
    #expect(found["founded"]?["sum"] is NSNull)
    #expect(try await figures("properties=").of.isEmpty)
  }

  @Test func mistakesHaveClearAnswers() async throws {
    for (query, detail) in [
      ("properties=name", "'name' has the type string; figures are of numbers and dates"),
      ("limit=3", "there is no parameter 'limit'"), ("filter=area%20%3E", "found the end"),
      ("properties=are", "did you mean 'area'?"),
    ] {
      let answer = try await world.service.get(Self.path + "?" + query)
      let found = answer.json["detail"] as? String ?? ""
      #expect(answer.status == 400 && found.contains(detail), "\(found)")
    }
    let notes = try await world.service.get("/collections/notes/statistics")
    #expect(notes.json["numberMatched"] as? Int == 3)
  }

  @Test func peopleGetATable() async throws {
    let answer = try await world.service.get(Self.path + "?f=html")
    #expect(answer.text.contains("<p>300 items</p>") && answer.text.contains("<td>population</td>"))
  }
}
