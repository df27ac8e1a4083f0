import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private class Badge: Object {
  @Persisted(primaryKey: true) var code: String?
  @Persisted var text = ""
  @Persisted var count = 0
}

private class Ticket: Object {
  @Persisted(primaryKey: true) var number: Int?
  @Persisted var text = ""
}

/// Null is a primary key like any other.
@Suite struct NullKeyTests {
  private let file = TemporaryStore()

  @Test func objectsAreFoundByANullKey() throws {
    let realm = try file.realm()
    #expect(realm.object(ofType: Badge.self, forPrimaryKey: nil) == nil)
    try realm.write {
      for number in 0..<5000 { realm.create(Badge.self, value: ["code": "\(number)"]) }
      realm.create(Badge.self, value: ["text": "null"])
      #expect(realm.object(ofType: Badge.self, forPrimaryKey: nil)?.text == "null")
      for number in 0..<50 { realm.create(Badge.self, value: ["code": "b\(number)"]) }
    }
    #expect(realm.object(ofType: Badge.self, forPrimaryKey: nil)?.text == "null")
    #expect(realm.object(ofType: Badge.self, forPrimaryKey: nil as String?)?.text == "null")
    #expect(realm.object(ofType: Badge.self, forPrimaryKey: "7")?.code == "7")
    #expect(realm.dynamicObject(ofType: "Badge", forPrimaryKey: nil)?["text"] as? String == "null")
    #expect(realm.objects(Badge.self).where { $0.code == nil }.count == 1)
    try realm.write {
      let badge = try #require(realm.object(ofType: Badge.self, forPrimaryKey: nil))
      realm.delete(badge)
      #expect(realm.object(ofType: Badge.self, forPrimaryKey: nil) == nil)
      realm.create(Badge.self, value: ["text": "again"])
    }
    #expect(try file.realm().object(ofType: Badge.self, forPrimaryKey: nil)?.text == "again")
  }

  @Test func theObjectWithANullKeyIsUpdated() throws {
    let realm = try file.realm()
    try realm.write { realm.create(Badge.self, value: ["text": "first", "count": 1]) }
    for policy in [Realm.UpdatePolicy.all, .modified] {
      try realm.write {
        realm.create(
          Badge.self, value: ["code": NSNullLike.none, "text": "\(policy)"], update: policy)
      }
      let badge = try #require(realm.object(ofType: Badge.self, forPrimaryKey: nil))
      #expect(badge.text == "\(policy)" && badge.count == 1)
      try realm.write {
        let other = Badge()
        other.text = "added \(policy)"
        realm.add(other, update: policy)
        #expect(other.isSameObject(as: badge))
      }
      #expect(badge.text == "added \(policy)" && badge.count == 0)
      try realm.write { badge.count = 1 }
    }
    #expect(realm.objects(Badge.self).count == 1)
  }

  @Test func aSecondNullKeyIsRejected() throws {
    let realm = try file.realm()
    try realm.write { realm.create(Ticket.self, value: ["text": "a"]) }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        _ = try realm.create(Ticket.self, validating: ["number": nil, "text": "b"])
      }
    }
    #expect(error?.description.contains("existing primary key value '(null)'") == true)
    let added = #expect(throws: Realm.Error.self) {
      try realm.write { try realm.add(validating: Ticket()) }
    }
    #expect(added?.description.contains("existing primary key value '(null)'") == true)
    #expect(realm.objects(Ticket.self).count == 1)
    Misuse.trap("add: two null keys")
  }

  /// A property that becomes the primary key is null in several objects.
  @Test func aMigrationRejectsRepeatedNullKeys() throws {
    enum Then { class Label: Object { @Persisted var name: String? } }
    enum Now { class Label: Object { @Persisted(primaryKey: true) var name: String? } }
    let then = try file.realm(0, [Then.Label.self])
    try then.write { for name in ["a", nil, nil] { realm(then, name) } }
    let error = #expect(throws: Realm.Error.self) { try file.realm(1, [Now.Label.self]) }
    #expect(error?.description.contains("2 objects have the value") == true)
    let now = try file.realm(1, [Now.Label.self]) { migration, _ in
      var isFirst = true
      migration.enumerateObjects(ofType: "Label") { _, new in
        guard let new, new["name"] == nil else { return }
        if !isFirst { new["name"] = "b" }
        isFirst = false
      }
    }
    #expect(now.objects(Now.Label.self).map(\.name) == ["a", nil, "b"])
    #expect(now.object(ofType: Now.Label.self, forPrimaryKey: nil) != nil)

    func realm(_ realm: Realm, _ name: String?) {
      let label = Then.Label()
      label.name = name
      realm.add(label)
    }
  }
}

/// A nil for dictionaries of type `[String: Any]`.
private enum NSNullLike {
  static let none: String? = nil
}
