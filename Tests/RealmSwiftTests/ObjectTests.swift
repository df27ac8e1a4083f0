import CairnModelTestSupport
import Foundation
import RealmSwift
import Testing

/// A class whose instances are equal if their titles are.
class Titled: Object {
  @Persisted var title = ""

  override func isEqual(_ object: Any?) -> Bool { (object as? Titled)?.title == title }
  override var hash: Int { title.hashValue }
}

class Stamped: Object, ObjectKeyIdentifiable, Codable {
  @Persisted(primaryKey: true) var id = ""
}

/// Equality, identity, coding and searching.
@Suite struct ObjectTests {
  private func titled(_ title: String) -> Titled { Titled(value: ["title": title]) }

  @Test func customEquality() throws {
    #expect(titled("a") == titled("a"))
    #expect(titled("a") != titled("b"))
    #expect(titled("a").hashValue == titled("a").hashValue)
    #expect(Set([titled("a"), titled("a"), titled("b")]).count == 2)
    let realm = try TestRealm(titled("a"), titled("a")).realm
    let stored = realm.objects(Titled.self)
    #expect(stored[0] == stored[1])
    #expect(!stored[0].isSameObject(as: stored[1]))
  }

  @Test func defaultEquality() throws {
    let realm = try TestRealm(Sailor(1, "Ann"), Ship("Ark")).realm
    let (first, again) = (realm.objects(Sailor.self)[0], realm.objects(Sailor.self)[0])
    #expect(first.isEqual(again))
    #expect(first.hash == again.hash)
    #expect(!first.isEqual("Ann"))
    #expect(!first.isEqual(nil))
    // Without a primary key an instance is equal only to itself.
    let (ship, same) = (realm.objects(Ship.self)[0], realm.objects(Ship.self)[0])
    #expect(!ship.isEqual(same))
    #expect(ship.freeze().isEqual(same.freeze()))
  }

  @Test func identities() throws {
    func id<T: Identifiable>(of value: T) -> T.ID { value.id }
    let loose = Sailor(3, "Cy")
    #expect(id(of: loose) == id(of: loose))
    #expect(id(of: loose) != id(of: Sailor(3, "Cy")))
    let realm = try TestRealm(Sailor(1, "Ann"), Sailor(2, "Bo")).realm
    let sailors = realm.objects(Sailor.self)
    #expect(id(of: sailors[0]) == id(of: sailors[0]))
    #expect(id(of: sailors[0]) != id(of: sailors[1]))
    #expect(id(of: sailors[0]) == id(of: sailors[0].freeze()))
    #expect(id(of: Stamped(value: ["id": "x"])) == "x")
  }

  @Test func encodingResults() throws {
    let objects = ["b", "a"].map { Stamped(value: ["id": $0]) }
    let realm = try TestRealm(objects[0], objects[1]).realm
    let results = realm.objects(Stamped.self).sorted(byKeyPath: "id")
    let data = try JSONEncoder().encode(results)
    #expect(String(decoding: data, as: UTF8.self) == #"[{"id":"a"},{"id":"b"}]"#)
    let none = try JSONEncoder().encode(results.filter("id == 'c'"))
    #expect(String(decoding: none, as: UTF8.self) == "[]")
  }

  /// A condition finds the same index as plain Swift.
  @Test(arguments: [true, false]) func indexOfValues(isStored: Bool) throws {
    let ship = Ship("Ark")
    ship.knots.append(objectsIn: [4, 9, 2, 9])
    ship.depths.append(objectsIn: [1.5, nil, 3])
    ship.ranks.append(objectsIn: [.mate, .admiral])
    ship.watches.append(objectsIn: [Watch(5), Watch(50)])
    ship.ports.insert("Kiel")
    ship.anything.append(objectsIn: [.string("x"), .int(1), .bool(true)])
    let realm = try isStored ? TestRealm(ship).realm : nil
    #expect(ship.knots.index(matching: { $0 == 9 }) == 1)
    #expect(ship.knots.index(matching: { $0 < 4 }) == 2)
    #expect(ship.knots.index(matching: { $0 > 9 }) == nil)
    #expect(ship.knots.index(matching: { $0.in([2, 9]) && !($0 == 9) }) == 2)
    #expect(ship.knots.index(matching: { $0.contains(5...9) || $0 == 4 }) == 0)
    #expect(ship.depths.index(matching: { $0 == nil }) == 1)
    #expect(ship.depths.index(matching: { $0 > 2 }) == 2)
    #expect(ship.ranks.index(matching: { $0 == .admiral }) == 1)
    #expect(ship.ranks.index(matching: { $0.rawValue > 1 }) == 1)
    #expect(ship.watches.index(matching: { $0.persistableValue > 10 }) == 1)
    #expect(ship.ports.index(matching: { $0.starts(with: "K") }) == 0)
    #expect(ship.ports.index(matching: { $0.contains("kie") }) == nil)
    #expect(ship.ports.index(matching: { $0.contains("kie", options: .caseInsensitive) }) == 0)
    #expect(ship.anything.index(matching: { $0 == .bool(true) }) == 1)
    withExtendedLifetime(realm) {}
  }

  @Test func predicatesWithoutTry() throws {
    let realm = try TestRealm(Sailor(1, "Ann"), Sailor(2, "Bo")).realm
    let predicate = NSPredicate(format: "number > 1")
    let found: Results<Sailor> = realm.objects(Sailor.self).filter(predicate)
    #expect(found.map(\.name) == ["Bo"])
    #expect(realm.objects(Sailor.self).index(matching: predicate) == 1)
  }
}
