import CairnModelTestSupport
import CairnObjects
import CairnSystem
import CairnTestSupport
import CairnValues
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct StoreFileTests {
  let file = TemporaryStore()

  private func fill(_ count: Int = 10) throws {
    let realm = try file.realm()
    try realm.write {
      for pages in 0..<count { realm.create(Book.self, value: ["pages": Int32(pages)]) }
    }
  }

  private func size() throws -> Int { try file.bytes().count }

  @Test func aStoreWithIncompatibleClassesIsEmptied() throws {
    try file.fill()
    var configuration = file.configuration(0, Second.types)
    configuration.deleteRealmIfMigrationNeeded = true
    let realm = try Realm(configuration: configuration)
    #expect(realm.isEmpty && realm.schema["Relic"] == nil)
    try realm.write { realm.create(Second.Person.self, value: ["fullName": "Ada"]) }
    #expect(try Realm(configuration: configuration).objects(Second.Person.self).count == 1)
    configuration.readOnly = true
    let error = try #require(throws: Realm.Error.self) {
      try Realm(configuration: configuration)
    }
    #expect(error.description.contains("`deleteRealmIfMigrationNeeded` when `readOnly`"))
  }

  @Test func aCopyHasTheContentThatTheRealmReads() throws {
    try fill()
    let realm = try file.realm()
    let frozen = realm.freeze()
    try realm.write { realm.create(Book.self, value: ["title": "late"]) }
    let (copy, older) = (TemporaryStore(), TemporaryStore())
    try realm.writeCopy(toFile: copy.url)
    try frozen.writeCopy(configuration: .init(fileURL: older.url))
    #expect(try copy.realm().objects(Book.self).count == 11)
    #expect(try older.realm().objects(Book.self).map(\.pages) == (0..<10).map { Int32($0) })
    try older.realm().write {}
    let error = try #require(throws: Realm.Error.self) { try realm.writeCopy(toFile: copy.url) }
    #expect(error.code == .fileExists)
    #expect(throws: Realm.Error.self) {
      try realm.write { try realm.writeCopy(toFile: URL(fileURLWithPath: copy.url.path + "2")) }
    }
    let lost = URL(fileURLWithPath: "/nowhere/at/all.cairn")
    #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: lost) }
  }

  @Test func aNewStoreStartsAsItsSeed() throws {
    try fill()
    let copy = TemporaryStore()
    var configuration = Realm.Configuration(fileURL: copy.url)
    configuration.seedFilePath = file.url
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Book.self).count == 10)
    try realm.write { realm.deleteAll() }
    #expect(try Realm(configuration: configuration).objects(Book.self).isEmpty)
    #expect(try file.realm().objects(Book.self).count == 10)
    configuration.fileURL = TemporaryStore().url
    configuration.seedFilePath = URL(fileURLWithPath: "/nowhere.cairn")
    let error = try #require(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    #expect(error.code == .fileNotFound && error.description.contains("/nowhere.cairn"))
  }

  @Test func aFileIsCompactedWhenItIsOpened() async throws {
    try await onNewThread { [self] in
      try fill(Soak.count(15_000, long: 50_000))
      let realm = try file.realm()
      try realm.write { realm.delete(realm.objects(Book.self).where { $0.pages > 10 }) }
      for _ in 0..<5 { try realm.write { realm.objects(Book.self).first?.title += "x" } }
    }
    let before = try size()
    let asked = Mutex<[Int]>([])
    try await onNewThread { [file] in
      var configuration = Realm.Configuration(fileURL: file.url)
      configuration.shouldCompactOnLaunch = { total, used in
        asked.withLock { $0 = [total, used] }
        return used < total
      }
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Book.self).count == 11)
      #expect(realm.objects(Book.self).first?.title == "untitledxxxxx")
      asked.withLock { $0.append(0) }
      // The store is already open, so the closure is not called.
      try await0 { _ = try Realm(configuration: configuration) }
      withExtendedLifetime(realm) {}
    }
    let numbers = asked.withLock { $0 }
    #expect(numbers.count == 3 && numbers[0] >= numbers[1] && numbers[0] == before)
    #expect(try size() <= before)
  }

  private func await0(_ body: () throws -> Void) rethrows { try body() }

  @Test func filesAreDeletedOnceTheyAreClosed() async throws {
    let configuration = Realm.Configuration(fileURL: file.url)
    #expect(!Realm.fileExists(for: configuration))
    #expect(try !Realm.deleteFiles(for: configuration))
    try await onNewThread { [self] in
      try fill()
      let realm = try file.realm()
      #expect(Realm.fileExists(for: configuration))
      let error = try #require(throws: Realm.Error.self) {
        try Realm.deleteFiles(for: configuration)
      }
      #expect(error.code == .alreadyOpen)
      withExtendedLifetime(realm) {}
    }
    await #expect(processExitsWith: .success) { [path = file.url.path as String] in
      let url = URL(fileURLWithPath: path)
      guard try Realm.deleteFiles(for: .init(fileURL: url)),
        !Realm.fileExists(for: .init(fileURL: url))
      else { fatalError("the files still exist") }
      let realm = try Realm(fileURL: url)
      try realm.write { realm.create(Book.self) }
    }
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!FileManager.default.fileExists(atPath: file.url.path + "-lock"))
  }

  @Test func versionsOfFiles() throws {
    #expect(throws: Realm.Error.self) { try schemaVersionAtURL(file.url) }
    try fill()
    #expect(try schemaVersionAtURL(file.url) == 0)
    try Realm.performMigration(for: file.configuration(6, [Book.self]))
    #expect(try schemaVersionAtURL(file.url) == 6)
    #expect(throws: Realm.Error.self) {
      try schemaVersionAtURL(file.url, encryptionKey: Data(repeating: 0, count: 64))
    }
  }
}
