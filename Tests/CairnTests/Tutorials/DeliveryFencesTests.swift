import Cairn
import CairnTestSupport
import Foundation
import Testing

/// The code of the tutorial DeliveryFences.md, as it is shown there.
@Suite struct DeliveryFencesTests {
  @Test @MainActor func theTutorialRunsAsShown() throws {
    let code = try DocumentedCode(of: ["Sources/Cairn/Cairn.docc/Tutorials/DeliveryFences.md"])
    #expect(code.shown == code.run)
    #expect(code.expected.count > 3)
    let printed = try runTutorial()
    #expect(printed == code.expected)
  }
}

// The guide begins
class Zone: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var area: GeoPolygon?
}

class Courier: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var isFree = true
  @Persisted var location: GeoPoint?
}
// The guide ends

/// Runs the tutorial and returns the lines that it prints.
@MainActor private func runTutorial() throws -> [String] {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  // The guide begins
  let realm = try Realm(configuration: .init(inMemoryIdentifier: "deliveries"))

  // Latitude and longitude of each vertex; the first one again at the end.
  let centre = [(52.51, 13.37), (52.51, 13.42), (52.54, 13.42), (52.54, 13.37), (52.51, 13.37)]
  let west = [(52.51, 13.30), (52.51, 13.37), (52.54, 13.37), (52.54, 13.30), (52.51, 13.30)]
  try realm.write {
    for (name, ring) in [("Centre", centre), ("West", west)] {
      realm.create(Zone.self, value: ["name": name, "area": GeoPolygon(outerRing: ring)!])
    }
    for (id, name, longitude) in [(1, "Ada", 13.39), (2, "Ben", 13.33), (3, "Cem", 13.41)] {
      let location = GeoPoint(latitude: 52.52, longitude: longitude)!
      realm.create(Courier.self, value: ["id": id, "name": name, "location": location])
    }
  }

  let couriers = realm.objects(Courier.self)
  let zones = realm.objects(Zone.self)

  let pairs = couriers.joined(to: zones, on: .within(\.location, \.area))
  let lines = pairs.map { "\($0.left.name): \($0.right.name)" }
  print(lines.sorted().joined(separator: ", "))  // Ada: Centre, Ben: West, Cem: Centre

  let counts = pairs.count(ofEach: .right).map { zone, count in "\(zone.name) \(count)" }
  print(counts.sorted().joined(separator: ", "))  // Centre 2, West 1

  let area = zones.first { $0.name == "Centre" }!.area!
  let inside = couriers.where { $0.location.geoWithin(area) && $0.isFree }.sorted(by: \.id)
  func names(_ couriers: Results<Courier>) -> String {
    couriers.map(\.name).joined(separator: " ")
  }
  let fence = inside.observe { changes in
    switch changes {
    case .initial(let couriers): print("inside: \(names(couriers))")  // inside: Ada Cem
    case .update(let couriers, let left, let entered, _):
      print("-\(left) +\(entered): \(names(couriers))")  // -[0] +[0]: Ben Cem
    case .error(let error): print(error)
    }
  }
  realm.refresh()

  try realm.write {
    let positions = [(1, 52.55, 13.39), (2, 52.52, 13.40)]
    for (id, latitude, longitude) in positions {
      let location = GeoPoint(latitude: latitude, longitude: longitude)!
      realm.create(Courier.self, value: ["id": id, "location": location], update: .modified)
    }
  }
  realm.refresh()
  fence.invalidate()

  let restaurant = GeoPoint(latitude: 52.53, longitude: 13.38)!
  let candidates = couriers.where { $0.isFree }.nearest(to: restaurant).limit(2)
  print(names(candidates))  // Ben Cem
  if let first = candidates.first?.location {
    print(Int(restaurant.distance(to: first).asKilometers() * 1000), "m")  // 1753 m
  }
  // The guide ends
  return printed
}
