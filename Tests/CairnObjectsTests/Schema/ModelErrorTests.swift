import CairnModelTestSupport
import CairnStorage
import CairnTestSupport
import Testing

@testable import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

class NoProperties: Object {
  var name = ""
}

class RequiredLink: Object {
  @Persisted var name = ""
  @Persisted var friend: Target
}

class Target: Object {
  @Persisted var number = 0
}

class TwoKeys: Object {
  @Persisted(primaryKey: true) var one = 1
  @Persisted(primaryKey: true) var two = 2
}

class BoolKey: Object {
  @Persisted(primaryKey: true) var flag = false
}

class KeyedEmbedded: EmbeddedObject {
  @Persisted(primaryKey: true) var id = 1
}

class OfAnyClass: Object {
  @Persisted var friend: Object?
}

class BadInverse: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "nothing") var nobody: LinkingObjects<Target>
  @Persisted(originProperty: "number") var numbers: LinkingObjects<Target>
}

class NameClash: Object {
  @Persisted var one = 1
  @Persisted var two = 2

  override class func propertiesMapping() -> [String: String] { ["one": "two", "three": "3"] }
}

class EmbeddedSet: Object {
  @Persisted var spots: MutableSet<Spot>
}

enum Elsewhere {
  class Target: Object {
    @Persisted var text = ""
  }
  class UsesBoth: Object {
    @Persisted var ours: Elsewhere.Target?
    @Persisted var theirs: RequiredNothing?
  }
  class RequiredNothing: Object {
    @Persisted var target: CairnObjectsTests.Target?
  }
}

/// Mistakes in classes throw an error that names the class, the property and the remedy.
@Suite struct ModelErrorTests {
  private func mistake(_ type: ObjectBase.Type) -> String {
    do {
      let scratch = TemporaryStore()
      try scratch.realm().session.register(ObjectLayout.of(type))
      return ""
    } catch { return "\(error)" }
  }

  @Test func eachMistakeHasItsOwnMessage() {
    #expect(
      mistake(NoProperties.self)
        == "Class 'NoProperties' has no stored properties; mark them with @Persisted."
    )
    #expect(
      mistake(RequiredLink.self)
        == "Property 'RequiredLink.friend' links to an object, so it must be optional: declare it as 'Target?'."
    )
    #expect(
      mistake(TwoKeys.self)
        == "Class 'TwoKeys' has 2 primary keys, 'one' and 'two'; keep one of them.")
    #expect(
      mistake(BoolKey.self).hasPrefix(
        "Property 'BoolKey.flag' is the primary key and of type bool;"))
    #expect(
      mistake(KeyedEmbedded.self)
        == "Class 'KeyedEmbedded' is embedded and cannot have a primary key; remove it from 'id'.")
    #expect(
      mistake(OfAnyClass.self).hasPrefix(
        "Property 'OfAnyClass.friend' links to objects of any class;"))
    #expect(
      mistake(EmbeddedSet.self).hasPrefix(
        "Property 'EmbeddedSet.spots' is a set of embedded objects"))
  }

  @Test func severalMistakesAreListed() {
    #expect(
      mistake(BadInverse.self) == """
        The program's classes have mistakes:
        - Property 'BadInverse.nobody' is the inverse of 'Target.nothing', which class 'Target' does not have; \
        name a property that links to 'BadInverse'.
        - Property 'BadInverse.numbers' is the inverse of 'Target.number', which does not link to 'BadInverse'; \
        name a property that does.
        """)
    #expect(
      mistake(NameClash.self) == """
        The program's classes have mistakes:
        - Properties 'NameClash.one' and 'NameClash.two' have the same name 'two' in the store; \
        rename one of them in propertiesMapping().
        - 'NameClash.propertiesMapping()' names 'three', which is not a stored property.
        """)
  }

  @Test func twoClassesWithTheSameName() {
    let text = mistake(Elsewhere.UsesBoth.self)
    #expect(text.contains("have the same name 'Target' in the store; rename one of them."))
  }

  @Test func aMistakeInALiteralClassEndsTheProgramWithTheSameMessage() {
    let text = Misuse.trap("class: a link that is not optional")
    #expect(text.contains("Property 'Pass.station' links to an object, so it must be optional"))
  }

  /// In a separate process, because a realm compares the store with every class that the program
  /// has used.
  @Test func differencesFromTheStoreAreListedPropertyByProperty() async {
    await #expect(processExitsWith: .success) { try ModelErrorTests.expectDifferences() }
  }

  private static func expectDifferences() throws {
    let scratch = TemporaryStore()
    try Store.open(scratch.path, mode: .create).write { transaction in
      _ = try transaction.createTable(
        "Target",
        columns: [
          ColumnSchema(id: 0, name: "number", type: .string, isPrimaryKey: true, position: 0)
        ])
      _ = try transaction.createTable(
        "Animal",
        columns: [ColumnSchema(id: 0, name: "name", type: .string, isOptional: true, position: 0)])
      _ = try transaction.createTable(
        "Renamed", columns: [ColumnSchema(id: 0, name: "name", type: .string, position: 0)])
    }
    let session = try scratch.realm().session
    #expect(
      throws: Realm.Error(
        .schemaMismatch,
        description: """
          The store has other properties than the program's classes:
          - Property 'Target.number' is int in the class, string in the store.
          - Property 'Target.number' is the primary key in the store, not in the class.
          Raise schemaVersion above 0 in the configuration to migrate the store.
          """)
    ) { try session.register(ObjectLayout.of(Target.self)) }
    #expect(
      throws: Realm.Error(
        .schemaMismatch,
        description: "Property 'Animal.name' is required in the class, optional in the store. "
          + "Raise schemaVersion above 0 in the configuration to migrate the store.")
    ) { try session.register(ObjectLayout.of(Animal.self)) }
    #expect(
      throws: Realm.Error(
        .schemaMismatch,
        description: """
          The store has other properties than the program's classes:
          - Property 'Renamed.name' is the primary key in the class, not in the store.
          - Property 'Renamed.years' is not in the store.
          Raise schemaVersion above 0 in the configuration to migrate the store.
          """)
    ) { try session.register(ObjectLayout.of(Renamed.self)) }
  }

  @Test func columnsMissingInTheClassAreKept() throws {
    let scratch = TemporaryStore()
    try Store.open(scratch.path, mode: .create).write { transaction in
      let table = try transaction.createTable(
        "Target",
        columns: [
          ColumnSchema(id: 0, name: "extra", type: .string, position: 0),
          ColumnSchema(id: 0, name: "number", type: .int, position: 1),
          ColumnSchema(id: 0, name: "more", type: .double, isOptional: true, position: 2),
        ])
      try table.insert([.string("x"), .int(4), .double(0.5)])
    }
    let realm = try scratch.realm()
    let first = try #require(realm.objects(Target.self).first)
    let added = Target()
    added.number = 5
    try realm.write {
      first.number = 6
      realm.add(added)
    }
    #expect(realm.objects(Target.self).map(\.number) == [6, 5])
    let all = realm.dynamicObjects("Target")
    #expect(all[0]["extra"] as? String == "x" && all[0]["more"] as? Double == 0.5)
    #expect(all[1]["extra"] as? String == "" && all[1]["more"] == nil)
  }
}
