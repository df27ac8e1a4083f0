import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private enum Rate: Int16, PersistableEnum { case low = 1, high = 2 }

private class Widths: Object {
  @Persisted var int = 0
  @Persisted var small: Int8 = 0
  @Persisted var middle: Int16?
  @Persisted var large: Int32 = 0
  @Persisted var huge: Int64 = 0
  @Persisted var grade = Rate.low
  @Persisted var gradeOptional: Rate?
  @Persisted var list: List<Int8>
  @Persisted var optionals: List<Int16?>
  @Persisted var set: MutableSet<Int32>
  @Persisted var map: Map<String, Int8>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

/// Dynamic objects return integers in the width that the program's class declares, and objects in
/// mixed values.
@Suite struct DynamicNumberTests {
  private let file = TemporaryStore()

  private func realm() throws -> Realm {
    let realm = try file.realm()
    let widths = Widths()
    (widths.int, widths.small, widths.middle, widths.large, widths.huge) = (1, 2, 3, 4, 5)
    widths.gradeOptional = .high
    widths.list.append(objectsIn: [1, -1])
    widths.optionals.append(objectsIn: [1, nil])
    widths.set.insert(7)
    widths.map["k"] = 8
    let other = Widths()
    other.int = 99
    widths.any = .object(other)
    widths.anys.append(.object(other))
    try realm.write { realm.add(widths) }
    return realm
  }

  @Test func integersHaveTheWidthOfTheClass() throws {
    let realm = try realm()
    let object = try #require(realm.dynamicObjects("Widths").first { $0["int"] as? Int == 1 })
    #expect(object["small"] as? Int8 == 2)
    #expect(object["middle"] as? Int16 == 3)
    #expect(object["large"] as? Int32 == 4)
    #expect(object["huge"] as? Int64 == 5)
    #expect(object["grade"] as? Int16 == 1)
    #expect(object["gradeOptional"] as? Int16 == 2)
    #expect((object["list"] as? List<Int8>).map { Array($0) } == [1, -1])
    #expect((object["optionals"] as? List<Int16?>).map { Array($0) } == [1, nil])
    #expect((object["set"] as? MutableSet<Int32>).map { Array($0) } == [7])
    #expect((object["map"] as? Map<String, Int8>)?["k"] == 8)
    try realm.write {
      object["small"] = 5 as Int
      object["middle"] = nil
      (object["list"] as? List<Int8>)?.append(3)
    }
    #expect(object["small"] as? Int8 == 5 && object["middle"] == nil)
    #expect(realm.objects(Widths.self).where { $0.list.contains(3) }.count == 1)
  }

  @Test func integersWithoutAClassAreInts() async throws {
    _ = try realm()
    await #expect(processExitsWith: .success) { [path = file.url.path as String] in
      let realm = try Realm(fileURL: URL(fileURLWithPath: path))
      let object = try #require(realm.dynamicObjects("Widths").first { $0["int"] as? Int == 1 })
      #expect(object["small"] as? Int == 2)
      #expect((object["list"] as? List<Int>).map { Array($0) } == [1, -1])
      let other = try #require(object["any"] as? DynamicObject)
      #expect(other["int"] as? Int == 99)
      let listed = (object["anys"] as? List<AnyRealmValue>)?.first?.object(DynamicObject.self)
      #expect(listed?["int"] as? Int == 99)
    }
  }

  @Test func objectsInMixedValues() throws {
    let realm = try realm()
    let object = try #require(realm.dynamicObjects("Widths").first { $0["int"] as? Int == 1 })
    let other = try #require(object["any"] as? DynamicObject)
    #expect(other["int"] as? Int == 99)
    // A program that has the class receives instances of it.
    let typed = try #require(realm.objects(Widths.self).first { $0.int == 1 })
    #expect(typed.any.object(Widths.self)?.int == 99)
    #expect(typed.anys.first?.object(Widths.self)?.int == 99)
  }

  // MARK: Migrations

  private enum Then {
    class Tally: Object { @Persisted var number = 0; @Persisted var other: AnyRealmValue }
  }
  private enum Now {
    class Tally: Object { @Persisted var number: Int8 = 0; @Persisted var other: AnyRealmValue }
  }

  @Test func integersOnBothSidesOfAMigration() throws {
    let then = try file.realm(0, [Then.Tally.self])
    try then.write {
      let first = then.create(Then.Tally.self, value: ["number": 3])
      let second = then.create(Then.Tally.self, value: ["number": 300])
      first.other = .object(second)
    }
    let realm = try file.realm(1, [Now.Tally.self]) { migration, _ in
      migration.enumerateObjects(ofType: "Tally") { old, new in
        if let small = old?["number"] as? Int8 {
          #expect(small == 3 && new?["number"] as? Int8 == 3)
          #expect((old?["other"] as? MigrationObject)?["number"] as? Int == 300)
          #expect(new?["other"] as? MigrationObject != nil)
        } else {
          // A value that does not fit the current class is read as an Int.
          #expect(old?["number"] as? Int == 300 && new?["number"] as? Int == 300)
          new?["number"] = 127
          #expect(new?["number"] as? Int8 == 127)
        }
      }
    }
    #expect(realm.objects(Now.Tally.self).map(\.number) == [3, 127])
  }

  // MARK: Raw values without a case

  @Test func rawValuesWithoutACase() throws {
    let realm = try realm()
    let typed = try #require(realm.objects(Widths.self).first { $0.int == 1 })
    try realm.write {
      typed["gradeOptional"] = 77
      typed["grade"] = 78
    }
    #expect(typed.gradeOptional == nil)
    #expect(typed["gradeOptional"] as? Int16 == 77 && typed["grade"] as? Int16 == 78)
    #expect(typed.value(forKey: "gradeOptional") as? Int16 == 77)
    // A copy preserves them, and so does an object created by name.
    try realm.write {
      let copy = realm.create(Widths.self, value: typed)
      #expect(copy["gradeOptional"] as? Int16 == 77 && copy["grade"] as? Int16 == 78)
      let made = realm.create(Widths.self, value: ["gradeOptional": 79, "int": 5])
      #expect(made["gradeOptional"] as? Int16 == 79 && made.gradeOptional == nil && made.int == 5)
      made.gradeOptional = .low
      #expect(made["gradeOptional"] as? Int16 == 1)
    }
    #expect(realm.objects(Widths.self).filter("gradeOptional == 77").count == 2)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { try typed.setValue(validating: "x", forKey: "grade") }
    }
    #expect(error?.description.contains("'Widths.grade'") == true)
    #expect(throws: Realm.Error.self) {
      try realm.write { try typed.setValue(validating: 70_000, forKey: "grade") }
    }
  }
}
