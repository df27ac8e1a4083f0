import Cairn
import Foundation
import Testing

class OffsetToy: Object {
  @Persisted var name = ""
}

/// Index sets and index paths, as user interfaces pass them.
@Suite struct OffsetTests {
  @Test func offsetsOfLists() {
    for mask in 0..<64 {
      let offsets = IndexSet((0..<6).filter { mask >> $0 & 1 == 1 })
      for destination in 0...6 {
        let list = List<Int>()
        list.append(objectsIn: 0..<6)
        list.move(fromOffsets: offsets, toOffset: destination)
        let rest = (0..<6).filter { !offsets.contains($0) }
        let expected =
          rest.filter { $0 < destination } + offsets.map { $0 } + rest.filter { $0 >= destination }
        #expect(Array(list) == expected, "\(Array(offsets)) to \(destination)")
      }
      let list = List<Int>()
      list.append(objectsIn: 0..<6)
      #expect(list.objects(at: offsets) == offsets.map { $0 })
      list.remove(atOffsets: offsets)
      #expect(Array(list) == (0..<6).filter { !offsets.contains($0) })
    }
  }

  @Test func pathsOfSections() throws {
    var configuration = Realm.Configuration()
    configuration.inMemoryIdentifier = "paths of sections"
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for name in ["bo", "al", "be"] { realm.create(OffsetToy.self, value: ["name": name]) }
    }
    let sections = realm.objects(OffsetToy.self).sectioned(
      by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
    #expect(sections[IndexPath(indexes: [1, 1])].name == "bo")
  }
}
