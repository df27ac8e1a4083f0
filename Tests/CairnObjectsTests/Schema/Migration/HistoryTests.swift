import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Migrations to every version of a program's classes from every older one, with one block for all.
@Suite struct HistoryTests {
  private static let pairs = (0..<5).flatMap { old in ((old + 1)...5).map { (old, $0) } }

  @Test(arguments: pairs) func withTypes(old: Int, new: Int) throws {
    let file = TemporaryStore()
    try History.fill(try file.realm(UInt64(old), History.types(old)), old)
    let realm = try file.realm(UInt64(new), History.types(new), HistoryBlock.to(new))
    HistoryCheck.check(realm, new)
  }

  /// Programs without `objectTypes`: the classes that the block and the program use are registered.
  @Test(arguments: pairs) func withoutTypes(old: Int, new: Int) async throws {
    let file = TemporaryStore()
    try History.fill(try file.realm(UInt64(old), History.types(old)), old)
    await #expect(processExitsWith: .success) {
      [path = file.url.path as String, new = new as Int] in
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), schemaVersion: UInt64(new),
        migrationBlock: HistoryBlock.to(new))
      let realm = try Realm(configuration: configuration)
      HistoryCheck.check(realm, new)
    }
  }

  /// Migrates through all versions in sequence.
  @Test func migratesThroughAllVersions() throws {
    let file = TemporaryStore()
    try History.fill(try file.realm(0, History.types(0)), 0)
    for version in 1...5 {
      let realm = try file.realm(UInt64(version), History.types(version), HistoryBlock.to(version))
      HistoryCheck.check(realm, version)
    }
  }

  /// A class that is first used in a cancelled write gets its new schema at its next use.
  @Test func aCancelledWriteDropsTheNewSchema() async throws {
    let file = TemporaryStore()
    try History.fill(try file.realm(3, History.types(3)), 3)
    await #expect(processExitsWith: .success) { [path = file.url.path as String] in
      let realm = try Realm(
        configuration: .init(fileURL: URL(fileURLWithPath: path), schemaVersion: 4))
      realm.beginWrite()
      #expect(realm.objects(History.V4.Owner.self).count == 3)
      realm.cancelWrite()
      #expect(realm.objects(History.V4.House.self).isEmpty)
      try realm.write { realm.objects(History.V4.Owner.self).first?.house = History.V4.House() }
      #expect(realm.objects(History.V4.House.self).first?.residents.first?.fullName == "Ada Byron")
    }
  }
}

/// The migration blocks to each version from any older one.
private enum HistoryBlock {
  static func to(_ new: Int) -> MigrationBlock {
    { migration, old in
      let owner = History.ownerName(new)
      if old < 1 { joinNames(migration, owner) }
      if old < 2, new >= 2 { giveAnimals(migration, owner, new) }
      if old == 2, new >= 3 { renameClass(migration, owner) }
      if old < 3, new == 3 {
        migration.renameProperty(onType: owner, from: "age", to: "years")
      }
      if old < 4, new >= 4 { makeText(migration, owner, old, new) }
      if old < 5, new >= 5 { migration.deleteData(forType: "Hound") }
    }
  }

  private static func joinNames(_ migration: Migration, _ owner: String) {
    migration.enumerateObjects(ofType: owner) { old, new in
      guard let first = old?["firstName"] as? String, let last = old?["lastName"] as? String else {
        return
      }
      new?["fullName"] = "\(first) \(last)"
    }
  }

  private static func giveAnimals(_ migration: Migration, _ owner: String, _ version: Int) {
    let name = version == 2 ? History.V2.Hound.className() : "Beast"
    func make(_ animal: (String, Bool)) -> MigrationObject {
      let hound: [Any] = [animal.0, animal.1 ? "large" : "small"]
      let beast: [Any] = [animal.0, History.V3.Kind.hound.rawValue, animal.1 ? 2 : 1]
      return migration.create(name, value: version == 2 ? hound : beast)
    }
    var place = 0
    migration.enumerateObjects(ofType: owner) { _, new in
      let list = new?[version == 2 ? "hounds" : "beasts"] as? List<MigrationObject>
      for animal in History.animals[place] { list?.append(make(animal)) }
      place += 1
    }
    _ = make((History.stray, false))
  }

  private static func renameClass(_ migration: Migration, _ owner: String) {
    func beast(_ hound: DynamicObject) -> MigrationObject {
      let size = hound["size"] as? String == "large" ? 2 : 1
      let values: [Any?] = [hound["name"], History.V3.Kind.hound.rawValue, size]
      return migration.create("Beast", value: values)
    }
    var owned: Set<String> = []
    migration.enumerateObjects(ofType: owner) { old, new in
      guard let hounds = old?["hounds"] as? List<DynamicObject>,
        let beasts = new?["beasts"] as? List<MigrationObject>
      else { return }
      for hound in hounds {
        beasts.append(beast(hound))
        owned.insert(hound["name"] as? String ?? "")
      }
    }
    migration.enumerateObjects(ofType: "Hound") { old, _ in
      if let old, !owned.contains(old["name"] as? String ?? "") { _ = beast(old) }
    }
  }

  private static func makeText(
    _ migration: Migration, _ owner: String, _ version: UInt64, _ next: Int
  ) {
    migration.enumerateObjects(ofType: owner) { old, new in
      new?["years"] = "\(old?[version < 3 ? "age" : "years"] as? Int ?? -1)"
      guard new?["fullName"] as? String == "Ada Byron" else { return }
      let house = ["Broadway", "York"]
      new?["house"] =
        next == 4 ? History.V4.House(value: house) : History.V5.House(value: house) as ObjectBase
    }
  }
}

/// Checks of the content of a store in a version, whatever its previous version.
private enum HistoryCheck {
  static func check(_ realm: Realm, _ version: Int) {
    switch version {
    case 1: one(realm)
    case 2: two(realm)
    case 3: three(realm)
    case 4: four(realm)
    default: five(realm)
    }
  }

  private static let names = History.people.map { "\($0.0) \($0.1)" }
  private static let years = History.people.map { "\($0.2)" }
  private static let animals = History.animals.map { $0.map(\.0) }
  private static let all = (History.animals.joined().map(\.0) + [History.stray]).sorted()

  private static func one(_ realm: Realm) {
    let owners = realm.objects(History.V1.Owner.self)
    #expect(owners.map(\.fullName) == names)
    #expect(owners.map(\.age) == History.people.map(\.2))
  }

  private static func two(_ realm: Realm) {
    let owners = realm.objects(History.V2.Owner.self)
    #expect(owners.map(\.fullName) == names)
    #expect(owners.map { $0.hounds.map(\.name) } == animals)
    #expect(realm.objects(History.V2.Hound.self).map(\.name).sorted() == all)
    #expect(realm.objects(History.V2.Hound.self).where { $0.size == "large" }.count == 2)
  }

  private static func three(_ realm: Realm) {
    let owners = realm.objects(History.V3.Owner.self)
    #expect(owners.map(\.fullName) == names)
    #expect(owners.map(\.years) == History.people.map(\.2))
    #expect(owners.map { owner -> [String] in owner.beasts.map(\.name) } == animals)
    let beasts = realm.objects(History.V3.Beast.self)
    #expect(beasts.map(\.name).sorted() == all)
    #expect(beasts.allSatisfy { $0.kind == .hound })
    #expect(beasts.where { $0.size == .large }.map(\.name).sorted() == ["Asta", "Rex"])
  }

  private static func four(_ realm: Realm) {
    let owners = realm.objects(History.V4.Owner.self)
    #expect(owners.map(\.fullName) == names)
    #expect(owners.map(\.years) == years)
    #expect(owners.map { owner -> [String] in owner.beasts.map(\.name) } == animals)
    #expect(owners.map { owner -> String? in owner.house?.city } == ["York", nil, nil])
    let houses = realm.objects(History.V4.House.self)
    #expect(houses.map { house -> [String] in house.residents.map(\.fullName) } == [[names[0]]])
    #expect(realm.objects(History.V4.Beast.self).map(\.name).sorted() == all)
  }

  private static func five(_ realm: Realm) {
    let owners = realm.objects(History.V5.Owner.self)
    #expect(owners.map(\.fullName) == names)
    #expect(owners.map(\.years) == years)
    #expect(owners.map { owner -> [String] in owner.beasts.map(\.name) } == animals)
    #expect(owners.map { owner -> String? in owner.house?.city } == ["York", nil, nil])
    #expect(owners.first?.house?.residents.map(\.fullName) == [names[0]])
    #expect(realm.schema["Hound"] == nil)
  }
}
