import Cairn
import CairnModelTestSupport
import Foundation
import Testing

/// Sort orders, sections and aggregates.
@Suite struct OrderTests {
  let temporary: TemporaryRealm
  var hounds: Results<Hound> { temporary.realm.objects(Hound.self) }

  init() throws {
    temporary = try TemporaryRealm(
      Hound("Rex", age: 3, toy: Plaything("Rope")), Hound("Wolf", age: 1),
      Hound("Fido", age: 3, toy: Plaything("Ball")), Hound("Spot", age: 7))
  }

  @Test func sorted() {
    #expect(hounds.sorted(by: \.name).map(\.name) == ["Fido", "Rex", "Spot", "Wolf"])
    #expect(hounds.sorted(by: \.name, ascending: false).first?.name == "Wolf")
    let byName = hounds.sorted(byKeyPath: "name", ascending: false)
    #expect(byName.map(\.name) == ["Wolf", "Spot", "Rex", "Fido"])
    let byToy = hounds.sorted(byKeyPath: "plaything.name")
    #expect(byToy.map(\.name) == ["Fido", "Rex", "Wolf", "Spot"])
    let both = hounds.sorted(by: [
      SortDescriptor(keyPath: "age", ascending: false), SortDescriptor(keyPath: "name"),
    ])
    #expect(both.map(\.name) == ["Spot", "Fido", "Rex", "Wolf"])
  }

  @Test func sectioned() {
    var sections: SectionedResults<String, Hound>
    sections = hounds.sectioned(by: \.initial, ascending: true)
    #expect(sections.count == 4)
    #expect(sections.allKeys == ["F", "R", "S", "W"])
    #expect("Key for index 0: \(sections[0].key)" == "Key for index 0: F")
    let section = sections[0]
    #expect(section.first?.name == "Fido")
    #expect(section.count == 1)
    #expect(sections[IndexPath(indexes: [3, 0])].name == "Wolf")
  }

  @Test func sectionedByACallback() {
    let sections = hounds.sectioned(
      by: { String($0.name.first ?? "?") },
      sortDescriptors: [SortDescriptor.init(keyPath: "name", ascending: true)])
    #expect(sections.allKeys == ["F", "R", "S", "W"])
    #expect(sections.map { $0.map(\.name) } == [["Fido"], ["Rex"], ["Spot"], ["Wolf"]])
  }

  @Test func aggregates() {
    #expect(hounds.max(of: \.age) == 7)
    #expect(hounds.min(ofProperty: "age") == 1)
    #expect(hounds.sum(of: \.age) == 14)
    #expect(hounds.average(ofProperty: "age") == 3.5)
  }
}
