import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

/// Conditions on objects, conditions on linked objects, and chains of conditions.
@Suite struct FilterTests {
  let temporary: TemporaryRealm
  var hounds: Results<Hound> { temporary.realm.objects(Hound.self) }

  init() throws {
    let ball = Plaything("Squeaky ball")
    temporary = try TemporaryRealm(
      Hound("Bruno", age: 1, coat: "tan", toy: ball),
      Hound("Asta", age: 9, coat: "tan"),
      Hound("Bella", age: 2, coat: "black", toy: Plaything("Rope")),
      Hound("Balu", age: 0, coat: "tan", toy: ball),
      Hound("Cleo", age: 4, coat: "white"))
  }

  @Test func allOfThem() {
    #expect(hounds.count == 5)
  }

  @Test func byAge() {
    #expect(hounds.where { $0.age < 2 }.map(\.name) == ["Bruno", "Balu"])
    #expect(hounds.filter("age < 2").map(\.name) == ["Bruno", "Balu"])
  }

  @Test func withoutALink() {
    #expect(hounds.where { $0.plaything == nil }.map(\.name) == ["Asta", "Cleo"])
    #expect(hounds.filter("plaything == nil").map(\.name) == ["Asta", "Cleo"])
  }

  @Test func throughALink() {
    #expect(hounds.where { $0.plaything.name == "Squeaky ball" }.map(\.name) == ["Bruno", "Balu"])
    #expect(hounds.filter("plaything.name == 'Squeaky ball'").map(\.name) == ["Bruno", "Balu"])
  }

  @Test func anObject() throws {
    let ball = try #require(hounds.first?.plaything)
    #expect(hounds.where { $0.plaything == ball }.map(\.name) == ["Bruno", "Balu"])
    #expect(hounds.filter("plaything == %@", ball).map(\.name) == ["Bruno", "Balu"])
    #expect(hounds.where { $0.plaything != ball }.count == 3)
    #expect(hounds.where { $0.plaything.in([ball, nil]) }.count == 4)
    #expect(hounds.where { $0.plaything == Plaything() }.isEmpty)
  }

  @Test func chained() {
    let tan = hounds.where { $0.coat == "tan" }
    #expect(tan.count == 3)
    #expect(tan.where { $0.name.starts(with: "B") }.map(\.name) == ["Bruno", "Balu"])
    let tanByText = hounds.filter("coat = 'tan'")
    #expect(tanByText.filter("name BEGINSWITH 'B'").map(\.name) == ["Bruno", "Balu"])
  }

  @Test func objectIds() throws {
    let known = Plaything("Known")
    known.id = ObjectId("11223344556677889900aabb")
    let realm = temporary.realm
    try realm.write { realm.add(known) }
    let toys = realm.objects(Plaything.self)
    let typed = toys.where { $0.id == ObjectId("11223344556677889900aabb") }
    #expect(typed.map(\.name) == ["Known"])
    let asked = toys.filter("id = %@", ObjectId("11223344556677889900aabb")).first
    #expect(asked?.name == "Known")
    #expect(throws: Predicate.Error.self) {
      try toys.filter(Predicate("id = '11223344556677889900aabb'"))
    }
    #expect(throws: Predicate.Error.self) {
      try toys.filter(Predicate("id = %@", "11223344556677889900aabb"))
    }
    Misuse.trap("filter: a text for an object ID")
  }

  @Test func pages() {
    let sorted = hounds.sorted(by: \.name)
    #expect(sorted.prefix(2).map(\.name) == ["Asta", "Balu"])
    #expect(sorted[2..<4].map(\.name) == ["Bella", "Bruno"])
  }
}
