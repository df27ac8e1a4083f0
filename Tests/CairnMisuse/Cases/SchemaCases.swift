import Cairn
import CairnModelTestSupport
import CairnTestSupport

/// Errors in classes, configurations and migrations.
let schemaCases: [Case] = [
  Case("class: a link that is not optional") { _ = try newRealm().objects(Pass.self) },
  Case("configuration: a class that is not listed") {
    let file = TemporaryStore()
    _ = try Realm(
      configuration: Realm.Configuration(fileURL: file.url, objectTypes: [Ticket.self])
    ).objects(Beacon.self)
  },
  Case("migration: creating an object of a misspelt class") {
    try migrate { $0.create("Engin") }
  },
]

/// Migrates an engine in a block.
private func migrate(_ body: @escaping @Sendable (Migration) -> Void) throws {
  let url = TemporaryStore.untilExit().url
  do {
    let realm = try Realm(configuration: .init(fileURL: url, objectTypes: Before.types))
    try realm.write { realm.add(Before.Engine()) }
  }
  _ = try Realm(
    configuration: .init(
      fileURL: url, schemaVersion: 1, migrationBlock: { migration, _ in body(migration) },
      objectTypes: [After.Engine.self]))
}
