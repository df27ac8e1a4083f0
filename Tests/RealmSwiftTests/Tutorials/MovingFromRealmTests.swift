import CairnTestSupport
import Foundation
import RealmSwift
import Testing

/// The code of the tutorial MovingFromRealm.md, as it is shown there.
@Suite struct MovingFromRealmTests {
  @Test @MainActor func theTutorialRunsAsShown() throws {
    let code = try DocumentedCode(of: ["Sources/Cairn/Cairn.docc/MovingFromRealm.md"])
    #expect(code.shown == code.run)
    #expect(code.expected.count > 2)
    let printed = try runTutorial()
    #expect(printed == code.expected)
  }
}

// The guide begins
class Plant: Object, Codable {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted(indexed: true) var name = ""
  @Persisted var waterings: List<Watering>
}

class Watering: EmbeddedObject, Codable {
  @Persisted var date = Date()
  @Persisted var liters = 0.0
}
// The guide ends

/// Runs the tutorial and returns the lines that it prints.
@MainActor private func runTutorial() throws -> [String] {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  // The guide begins
  let realm = try Realm(configuration: .init(inMemoryIdentifier: "garden"))
  try realm.write {
    let waterings = [["liters": 2.5], ["liters": 1]]
    realm.create(Plant.self, value: ["name": "Beans", "waterings": waterings])
    realm.create(Plant.self, value: ["name": "Peas"])
  }
  let thirsty = realm.objects(Plant.self).where { $0.waterings.liters.sum < 2 }
  print(thirsty.first?.name ?? "none")  // Peas

  let saved = try JSONEncoder().encode(Array(realm.objects(Plant.self)))

  let moved = try Realm(configuration: .init(inMemoryIdentifier: "new garden"))
  let plants = try JSONDecoder().decode([Plant].self, from: saved)
  try moved.write { moved.add(plants) }
  print(moved.objects(Plant.self).count)  // 2
  print(moved.object(ofType: Plant.self, forPrimaryKey: plants[0]._id)?.waterings.count ?? 0)  // 2
  // The guide ends
  return printed
}
