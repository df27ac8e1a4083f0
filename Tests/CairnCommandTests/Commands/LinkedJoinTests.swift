import Cairn
import CairnTestSupport
import Foundation
import Testing

class LinkedDepot: Object {
  @Persisted var name: String
  @Persisted var location: GeoPoint?
  @Persisted var area: GeoPolygon?
  @Persisted var site: LinkedSite?
}

class LinkedSite: EmbeddedObject {
  @Persisted var gate: GeoPoint?
}

class LinkedOrder: Object {
  @Persisted var number: Int
  @Persisted var home: GeoPoint?
  @Persisted var depot: LinkedDepot?
  @Persisted var depots: List<LinkedDepot>
}

/// Conditions on locations behind links, and joins by them, in a store whose pairs are known.
@Suite struct LinkedJoinTests {
  /// Depots "a" and "b" with areas around longitudes 1 and 11. The orders 0, 1 and 2 live at
  /// longitudes 0, 1 and 2 and have depot "a"; 3 lives there too and has "b"; 4 has none.
  private static let store = Result {
    let scratch = try TemporaryFolder()
    let realm = try Realm(fileURL: URL(fileURLWithPath: scratch["s"]))
    try realm.write {
      let depots = [("a", 1.0), ("b", 11)].map { name, longitude in
        let depot = LinkedDepot()
        depot.name = name
        depot.location = GeoPoint(latitude: 0, longitude: longitude)
        let (west, east) = (longitude - 1, longitude + 1)
        depot.area = GeoPolygon(
          outerRing: [(-1, west), (-1, east), (1, east), (1, west), (-1, west)])
        depot.site = LinkedSite()
        depot.site?.gate = depot.location
        return depot
      }
      realm.add(depots)
      for (number, longitude) in [0, 1, 2, 2, 1].enumerated() {
        let order = LinkedOrder()
        order.number = number
        order.home = GeoPoint(latitude: 0, longitude: Double(longitude))
        order.depot = number < 3 ? depots[0] : number == 3 ? depots[1] : nil
        order.depots.append(objectsIn: depots)
        realm.add(order)
      }
    }
    return (scratch, scratch["s"])
  }

  private func lines(_ command: String, _ arguments: String...) throws -> [String] {
    let outcome = try Command.run([command, Self.store.get().1] + arguments)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines
  }

  @Test(arguments: [
    ("GEODISTANCE(home, depot.location) < 5km", [1]),
    ("GEODISTANCE(home, depot.site.gate) < 112km", [0, 1, 2]),
    ("home GEOWITHIN depot.area", [0, 1, 2]),
    ("depot.area GEOCONTAINS home", [0, 1, 2]),
    ("home GEODISJOINT depot.area", [3]),
    ("ANY depots.location GEOWITHIN depot.area", [0, 1, 2, 3]),
    ("ALL depots.location GEOWITHIN depot.area", []),
    ("NONE depots.area GEOCONTAINS home", []),
  ])
  func conditions(predicate: String, numbers: [Int]) throws {
    #expect(
      try lines("query", "LinkedOrder", predicate, "--select", "number", "--format", "csv")
        .dropFirst() == numbers.map { "\($0)" }[...])
    #expect(try lines("count", "LinkedOrder", predicate) == ["\(numbers.count)"])
  }

  @Test(arguments: ["depot.location", "depot.site.gate"])
  func joins(path: String) throws {
    let select = "LinkedOrder.number,LinkedDepot.name"
    #expect(
      try lines(
        "join", "LinkedOrder", "LinkedDepot", "--on", "within", "--geometry",
        "LinkedOrder.\(path),LinkedDepot.area", "--select", select, "--format", "csv"
      ).dropFirst() == ["0,a", "1,a", "2,a", "3,b"])
    #expect(
      try lines(
        "join", "LinkedDepot", "LinkedOrder", "--on", "contains", "--geometry",
        "LinkedDepot.area,LinkedOrder.\(path)", "--by", "LinkedDepot.name", "--format", "csv"
      ).dropFirst() == ["a,3", "b,1"])
    let plan = try lines(
      "join", "LinkedOrder", "LinkedDepot", "--on", "within", "--geometry",
      "LinkedOrder.\(path),LinkedDepot.area", "--explain")
    #expect(plan.contains { $0.contains("through links to Linked") }, "\(plan)")
  }

  @Test func nearestAreasBehindLinks() throws {
    #expect(
      try lines(
        "join", "LinkedOrder", "LinkedOrder", "a.number == 4", "--as", "a,b", "--on", "nearest",
        "--limit", "4", "--geometry", "a.home,b.depot.area", "--select", "b.number",
        "--format", "csv"
      ).dropFirst() == ["0", "1", "2", "3"])
  }

  @Test(arguments: [
    ("depot.nowhere", "'LinkedOrder' has no location or geometry 'depot.nowhere'"),
    ("depot.name", "'depot.name' of class 'LinkedOrder' is neither a location nor a geometry"),
    ("depots.area", "'depots.area' of 'LinkedOrder' leads to several values"),
    ("depott.area", "'LinkedOrder' has no location or geometry 'depott.area'"),
  ])
  func errors(path: String, message: String) throws {
    let outcome = try Command.run(
      "join", Self.store.get().1, "LinkedOrder", "LinkedDepot", "--on", "within", "--geometry",
      "LinkedOrder.\(path)")
    #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
  }
}
