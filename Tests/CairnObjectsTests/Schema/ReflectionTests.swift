import CairnModelTestSupport
import CairnStorage
import Testing

@testable import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

class Animal: Object {
  @Persisted var name = "none"
  var nickname = "not stored"
  var shout: String { name.uppercased() }
}

class Hound: Animal {
  @Persisted(indexed: true) var speed = 5
  @Persisted var `class`: String?
  @Persisted var größe = 1.5
  @Persisted var friend: Hound?
  lazy var later = 3
}

enum Outer {
  class Nested: Object {
    @Persisted(primaryKey: true) var id = 1
    @Persisted var first: Ring?
  }
}

class Ring: Object {
  @Persisted var next: Ring?
  @Persisted var owner: Outer.Nested?
}

class Renamed: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var secret = 7

  override class func primaryKey() -> String? { "name" }
  override class func indexedProperties() -> [String] { ["age"] }
  override class func ignoredProperties() -> [String] { ["secret"] }
  override class func propertiesMapping() -> [String: String] { ["age": "years"] }
}

/// Runtime reflection on classes. These tests fail if a toolchain changes the layout of the
/// metadata.
@Suite struct ReflectionTests {
  @Test func fieldsOfAClassAndItsSuperclasses() {
    let fields = Field.fields(of: Hound.self)
    #expect(
      fields.map(\.name) == [
        "row", "_name", "nickname", "_speed", "_class", "_größe", "_friend",
        "$__lazy_storage_$_later",
      ])
    #expect(fields[1].type is Persisted<String>.Type)
    #expect(fields[3].type is Persisted<Int>.Type)
    #expect(fields[6].type is Persisted<Hound?>.Type)
    #expect(zip(fields, fields.dropFirst()).allSatisfy { $0.offset < $1.offset })
    #expect(fields.map(\.offset) == fields.map(\.offset).sorted())
    #expect(ObjectBase.includes(Hound.self) && Animal.includes(Hound.self))
    #expect(Hound.includes(Hound.self) && !Hound.includes(Animal.self))
  }

  @Test func offsetsLeadToTheProperties() throws {
    let hound = Hound()
    hound.name = "Rex, a name that is too long for the small form of texts"
    hound.speed = 42
    let layout = ObjectLayout.of(Hound.self)
    let name = try #require(layout.property(named: "name"))
    let speed = try #require(layout.property(named: "speed"))
    #expect(name.wrapper.read(name.pointer(in: hound), row: nil) as? String == hound.name)
    #expect(speed.wrapper.read(speed.pointer(in: hound), row: nil) as? Int == 42)
  }

  @Test func chunkConstants() {
    #expect(ChunkShape.shift == 12)
    #expect(ChunkShape.rows == 4096)
  }

  @Test func namesAndOptions() throws {
    let layout = ObjectLayout.of(Renamed.self)
    #expect(layout.properties.map(\.name) == ["name", "age"])
    #expect(layout.properties.map(\.columnName) == ["name", "years"])
    #expect(layout.properties.map(\.isPrimaryKey) == [true, false])
    #expect(layout.properties.map(\.isIndexed) == [false, true])
    #expect(ObjectLayout.of(Outer.Nested.self).className == "Nested")
    #expect(ObjectLayout.of(Ring.self).isOnCycle)
    #expect(!ObjectLayout.of(Everything.self).targets.isEmpty)
    #expect(!ObjectLayout.of(Spot.self).isOnCycle)
  }

  @Test func mappedAndIgnoredProperties() throws {
    let scratch = TemporaryStore()
    let realm = try scratch.realm()
    let object = Renamed()
    object.name = "a"
    object.age = 9
    object.secret = 8
    try realm.write { realm.add(object) }
    #expect(object.secret == 8 && object.age == 9)
    let found = try #require(realm.objects(Renamed.self).filter("age == 9 AND years == 9").first)
    #expect(found.secret == 7)
    #expect(realm.objects(Renamed.self).where { $0.age > 8 }.count == 1)
    let dynamic = try #require(realm.dynamicObjects("Renamed").first)
    #expect(dynamic["years"] as? Int == 9)
    #expect(realm.object(ofType: Renamed.self, forPrimaryKey: "a")?.age == 9)
  }

  @Test func inheritedPropertiesAndOddNames() throws {
    let scratch = TemporaryStore()
    let realm = try scratch.realm()
    let hound = Hound()
    hound.name = "Ren"
    hound.class = "dog"
    hound.größe = 0.5
    hound.friend = hound
    try realm.write { realm.add(hound) }
    let found = try #require(
      realm.objects(Hound.self).filter("class == 'dog' AND größe < 1 AND name == 'Ren'").first)
    #expect(found.friend?.friend?.isSameObject(as: hound) == true)
    #expect(found.nickname == "not stored" && found.shout == "REN" && found.later == 3)
    #expect(realm.objects(Animal.self).isEmpty)
  }

  @Test func cyclesOfObjects() throws {
    let scratch = TemporaryStore()
    let realm = try scratch.realm()
    let rings = (0..<100).map { _ in Ring() }
    for (index, ring) in rings.enumerated() { ring.next = rings[(index + 1) % 100] }
    let owner = Outer.Nested()
    owner.first = rings[0]
    rings[50].owner = owner
    try realm.write { realm.add(owner) }
    #expect(realm.objects(Ring.self).count == 100)
    var ring = owner.first
    for _ in 0..<50 { ring = ring?.next }
    #expect(ring?.owner?.id == 1)
  }

  @Test func sessionsEndWithTheirLastUser() throws {
    let scratch = TemporaryStore()
    weak var session: Session?
    var kept: Ring?
    do {
      let realm = try scratch.realm()
      session = realm.session
      let ring = Ring()
      ring.next = ring
      try realm.write { realm.add(ring) }
      kept = realm.objects(Ring.self).first
    }
    #expect(kept?.next?.next != nil)
    #expect(session != nil)
    kept = nil
    #expect(session == nil)
  }
}
