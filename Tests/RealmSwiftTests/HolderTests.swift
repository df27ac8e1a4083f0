import CairnModelTestSupport
import CairnTestSupport
import Foundation
import RealmSwift
import Testing

class Gauge: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var level: RealmOptional<Int>
  @Persisted var limit = RealmOptional<Double>(2.5)
  @Persisted var isOpen: RealmProperty<Bool?>
  @Persisted var note: RealmProperty<AnyRealmValue>
}

class PlainGauge: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var level: Int?
}

/// Properties whose value is in a wrapper's `value`.
@Suite struct HolderTests {
  let realm: Realm
  let gauge: Gauge

  init() throws {
    gauge = Gauge()
    gauge.level.value = 3
    gauge.isOpen.value = true
    gauge.note.value = "new"
    realm = try TestRealm(gauge).realm
  }

  @Test func outsideARealm() {
    let gauge = Gauge()
    #expect(gauge.level.value == nil)
    #expect(gauge.limit.value == 2.5)
    #expect(gauge.note.value == .none)
    gauge.level.value = 8
    #expect(gauge.level.value == 8)
    gauge.level.value = nil
    #expect(gauge.level.value == nil)
    #expect("\(gauge.limit)" == "Optional(2.5)")
  }

  @Test func inARealm() throws {
    #expect(gauge.level.value == 3)
    #expect(gauge.limit.value == 2.5)
    #expect(gauge.isOpen.value == true)
    #expect(gauge.note.value.stringValue == "new")
    let level = gauge.level
    try realm.write {
      level.value = nil
      gauge.limit.value = 7
      gauge.isOpen.value = nil
      gauge.note.value = .int(5)
    }
    let found = try #require(realm.object(ofType: Gauge.self, forPrimaryKey: 0))
    #expect(found.level.value == nil)
    #expect(found.limit.value == 7)
    #expect(found.isOpen.value == nil)
    #expect(found.note.value.intValue == 5)
  }

  @Test func settingTheWholeWrapper() throws {
    try realm.write {
      gauge.level = RealmOptional(9)
      gauge["limit"] = 1.5
      realm.create(Gauge.self, value: ["id": 2, "level": 4, "isOpen": NSNull()])
    }
    #expect(gauge.level.value == 9)
    #expect(gauge["level"] as? Int == 9)
    #expect(gauge.limit.value == 1.5)
    let other = try #require(realm.object(ofType: Gauge.self, forPrimaryKey: 2))
    #expect(other.level.value == 4)
    #expect(other.isOpen.value == nil)
  }

  @Test func conditionsAndOrder() throws {
    try realm.write {
      realm.create(Gauge.self, value: ["id": 2, "level": 1])
      realm.create(Gauge.self, value: ["id": 3])
    }
    let gauges = realm.objects(Gauge.self)
    #expect(gauges.where { $0.level.value == 3 }.map(\.id) == [0])
    #expect(gauges.where { $0.level.value == nil }.map(\.id) == [3])
    #expect(gauges.where { $0.level.value > 0 }.map(\.id) == [0, 2])
    #expect(gauges.filter("level == 1").map(\.id) == [2])
    #expect(gauges.sorted(by: \.level).map(\.id) == [3, 2, 0])
    #expect(gauges.max(of: \.level.value) == 3)
    #expect(realm.schema["Gauge"]?["level"]?.isOptional == true)
    #expect(realm.schema["Gauge"]?["level"]?.type == .int)
  }

  @Test func frozen() throws {
    let frozen = gauge.freeze()
    try realm.write { gauge.level.value = 4 }
    #expect(frozen.level.value == 3)
    #expect(gauge.level.value == 4)
  }

  @Test func coding() throws {
    let data = try JSONEncoder().encode(gauge)
    let fields = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(fields["level"] as? Int == 3)
    #expect(fields["note"] as? String == "new")
    let copy = try JSONDecoder().decode(Gauge.self, from: data)
    #expect(copy.level.value == 3)
    #expect(copy.limit.value == 2.5)
    let empty = #"{"id": 1, "level": null, "limit": null, "isOpen": null, "note": null}"#
    #expect(try JSONDecoder().decode(Gauge.self, from: Data(empty.utf8)).limit.value == nil)
  }

  @Test func settingOutsideATransactionEndsTheProgram() {
    Misuse.trap("RealmOptional: set outside of a transaction")
  }
}
