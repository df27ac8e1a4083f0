import Cairn
import CairnTestSupport
import Foundation
import Testing

/// The code of the tutorial FirstProgram.md, as it is shown there.
@Suite struct FirstProgramTests {
  @Test @MainActor func theTutorialRunsAsShown() throws {
    let code = try DocumentedCode(of: ["Sources/Cairn/Cairn.docc/Tutorials/FirstProgram.md"])
    #expect(code.shown == code.run)
    #expect(code.expected.count > 3)
    let printed = try runTutorial()
    #expect(printed == code.expected)
  }
}

// The guide begins
class Walk: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var title = ""
  @Persisted var date = Date()
  @Persisted var kilometers = 0.0
  @Persisted var start: GeoPoint?
  @Persisted var remarks: List<Remark>
}

class Remark: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var stars: Int?
}
// The guide ends

/// Runs the tutorial and returns the lines that it prints.
@MainActor private func runTutorial() throws -> [String] {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  let scratch = try TemporaryFolder()
  defer { withExtendedLifetime(scratch) {} }
  let folder = scratch.url
  // The guide begins
  let realm = try Realm(fileURL: folder.appendingPathComponent("walks.cairn"))

  let walk = Walk()
  walk.title = "Around the lake"
  walk.kilometers = 11.5
  walk.start = GeoPoint(latitude: 47.37, longitude: 8.54)
  walk.remarks.append(Remark(value: ["text": "Muddy", "stars": 3]))

  let ridge = GeoPoint(latitude: 46.55, longitude: 7.98)!
  try realm.write {
    realm.add(walk)
    realm.create(Walk.self, value: ["title": "Ridge", "kilometers": 18.2, "start": ridge])
    realm.create(Walk.self, value: ["title": "Old town", "kilometers": 3.1])
  }

  try realm.write { walk.title = "Around the lake, slowly" }
  print(realm.objects(Walk.self).count)  // 3

  let walks = realm.objects(Walk.self)
  let long = walks.where { $0.kilometers > 10 }.sorted(by: \.kilometers, ascending: false)
  print(long.map(\.title).joined(separator: "; "))  // Ridge; Around the lake, slowly
  print(walks.where { $0.remarks.stars <= 3 }.first?.title ?? "none")  // Around the lake, slowly

  let zurich = GeoPoint(latitude: 47.3769, longitude: 8.5417)!
  let around = GeoCircle(center: zurich, radius: .kilometers(5)!)
  let nearby = walks.where { $0.start.geoWithin(around) }
  print(nearby.count)  // 1
  print(walks.nearest(to: zurich).first?.title ?? "none")  // Around the lake, slowly

  let token = long.observe { changes in
    if case .update(let walks, _, let insertions, _) = changes {
      print(insertions.map { "new: " + walks[$0].title }.joined())  // new: Pass
    }
  }
  realm.refresh()
  try realm.write {
    _ = realm.create(Walk.self, value: ["title": "Pass", "kilometers": 14.0])
  }
  realm.refresh()
  token.invalidate()

  try realm.write {
    realm.delete(walks.where { $0.kilometers < 5 })
  }
  print(walks.count)  // 3
  // The guide ends
  return printed
}
