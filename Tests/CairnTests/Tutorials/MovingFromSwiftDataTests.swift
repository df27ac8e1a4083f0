import Cairn
import CairnTestSupport
import Foundation
import Testing

/// The code of the tutorial MovingFromSwiftData.md, as it is shown there.
@Suite struct MovingFromSwiftDataTests {
  @Test @MainActor func theTutorialRunsAsShown() throws {
    let code = try DocumentedCode(of: ["Sources/Cairn/Cairn.docc/Tutorials/MovingFromSwiftData.md"])
    #expect(code.shown == code.run)
    #expect(code.expected.count > 3)
    let printed = try runTutorial()
    #expect(printed == code.expected)
  }
}

// The guide begins
class Voyage: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var name = ""
  @Persisted var begin = Date()
  @Persisted var harbour: Harbour?
  @Persisted var days: List<VoyageDay>
  var isSelected = false
}

class VoyageDay: EmbeddedObject {
  @Persisted var number = 0
  @Persisted var miles = 0.0
}

class Harbour: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var location: GeoPoint?
  @Persisted(originProperty: "harbour") var voyages: LinkingObjects<Voyage>
}
// The guide ends

/// Runs the tutorial and returns the lines that it prints.
@MainActor private func runTutorial() throws -> [String] {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  // The guide begins
  let realm = try Realm(configuration: .init(inMemoryIdentifier: "voyages"))

  let harbour = Harbour(value: ["name": "Kiel"])
  harbour.location = GeoPoint(latitude: 54.33, longitude: 10.15)
  let voyage = Voyage(value: ["name": "Round Funen", "harbour": harbour])
  voyage.days.append(VoyageDay(value: ["number": 1, "miles": 38.5]))
  voyage.days.append(VoyageDay(value: ["number": 2, "miles": 21]))

  try realm.write {
    realm.add(voyage)
    realm.create(Voyage.self, value: ["name": "To Oslo", "harbour": harbour])
  }
  print(realm.objects(Harbour.self).first?.voyages.count ?? 0)  // 2

  let voyages = realm.objects(Voyage.self)
  let named = voyages.filter(#Predicate<Voyage> { $0.name.contains("Funen") })
  print(named.count)  // 1
  print(voyages.sorted(by: \.name).limit(1).first?.name ?? "none")  // Round Funen

  let busy = voyages.where { $0.days.miles.sum > 50 }
  print(busy.count)  // 1
  let around = GeoCircle(center: GeoPoint(latitude: 54.5, longitude: 10)!, radius: .kilometers(50)!)
  print(voyages.where { $0.harbour.location.geoWithin(around) }.count)  // 2

  try realm.write {
    voyage.name = "Around Funen"
    voyage.days.removeLast()
  }
  print(busy.count)  // 0

  try realm.write { realm.delete(voyages.where { $0.days.count == 0 }) }
  print(harbour.voyages.count)  // 1
  // The guide ends
  return printed
}
