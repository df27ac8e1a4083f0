import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import CairnValues
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.tags(.threads)) struct ConcurrentMigrationTests {
  enum Then { class Count: Object { @Persisted var value = 0 } }
  enum Now { class Count: Object { @Persisted var value = 0; @Persisted var turns = 0 } }

  private static func fill(_ file: TemporaryStore) throws {
    let realm = try file.realm(0, [Then.Count.self])
    try realm.write { realm.create(Then.Count.self, value: [5]) }
  }

  private static func migrate(_ url: URL) throws -> Int {
    let realm = try Realm(
      configuration: .init(
        fileURL: url, schemaVersion: 1,
        migrationBlock: { migration, _ in
          migration.enumerateObjects(ofType: "Count") { old, new in
            new?["turns"] = (new?["turns"] as? Int ?? 0) + 1
            new?["value"] = (old?["value"] as? Int ?? 0) + 1
          }
        }, objectTypes: [Now.Count.self]))
    let count = realm.objects(Now.Count.self).first
    return (count?.turns ?? -1) * 100 + (count?.value ?? -1)
  }

  @Test func oneOfSeveralThreadsMigrates() async throws {
    let file = TemporaryStore()
    try Self.fill(file)
    let found = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await onNewThread { try Self.migrate(file.url) } } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found == Array(repeating: 106, count: 8))
  }

  @Test func oneOfSeveralProcessesMigrates() async throws {
    let file = TemporaryStore()
    try Self.fill(file)
    async let first: Void = migrateElsewhere(file.url.path)
    async let second: Void = migrateElsewhere(file.url.path)
    _ = await (first, second)
    #expect(try Self.migrate(file.url) == 106)
  }

  private func migrateElsewhere(_ path: String) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      guard try Self.migrate(URL(fileURLWithPath: path)) == 106 else {
        fatalError("migrated twice")
      }
    }
  }

  /// A process that dies in its migration block leaves the store unchanged for the next one.
  @Test func aBlockThatEndsTheProgram() async throws {
    let file = TemporaryStore()
    try Self.fill(file)
    await #expect(processExitsWith: .failure) { [path = file.url.path as String] in
      _ = try Realm(
        configuration: .init(
          fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
          migrationBlock: { migration, _ in
            migration.enumerateObjects(ofType: "Count") { _, new in new?["value"] = 77 }
            fatalError("the migration stops here")
          }, objectTypes: [Now.Count.self]))
    }
    #expect(try schemaVersionAtURL(file.url) == 0)
    #expect(try Self.migrate(file.url) == 106)
  }

  @Test func aStoreInMemoryIsMigrated() throws {
    let name = UUID().uuidString
    let old = try Realm(
      configuration: .init(inMemoryIdentifier: name, objectTypes: [Then.Count.self]))
    try old.write { old.create(Then.Count.self, value: [3]) }
    let new = try Realm(
      configuration: .init(
        inMemoryIdentifier: name, schemaVersion: 1, objectTypes: [Now.Count.self]))
    #expect(new.objects(Now.Count.self).map(\.value) == [3])
    withExtendedLifetime(old) {}
  }
}
