import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct ConfigurationTests {
  @Test func encryptionIsRejected() throws {
    let file = TemporaryStore()
    let error = try #require(throws: Realm.Error.self) {
      try Realm(
        configuration: Realm.Configuration(
          fileURL: file.url, encryptionKey: Data(repeating: 1, count: 64)))
    }
    #expect(error.description.contains("does not encrypt"))
    #expect(error.description.contains("encrypted volume"))
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
    // The same holds while the store is open.
    let realm = try Realm(fileURL: file.url)
    var configuration = realm.configuration
    configuration.encryptionKey = Data(repeating: 1, count: 64)
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
  }

  @Test func aFileAndANameExcludeOneAnother() {
    var configuration = Realm.Configuration(inMemoryIdentifier: "here")
    #expect(configuration.fileURL == nil)
    configuration.fileURL = URL(fileURLWithPath: "/tmp/there.cairn")
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "again"
    #expect(configuration.fileURL == nil)
  }

  @Test func anInMemoryStoreIsReleasedWithItsLastRealm() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Book.self, value: ["title": "Ways"]) }
      let other = try Realm(configuration: configuration)
      #expect(other.objects(Book.self).map(\.title) == ["Ways"])
      #expect(try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString)).isEmpty)
      let frozen = try #require(realm.objects(Book.self).first).freeze()
      #expect(frozen.thaw()?.title == "Ways")
      withExtendedLifetime(realm) {}
    }
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  @Test func theDefaultIsSetOnce() throws {
    let standard = Realm.Configuration.defaultConfiguration
    defer { Realm.Configuration.defaultConfiguration = standard }
    let file = TemporaryStore()
    Realm.Configuration.defaultConfiguration = Realm.Configuration(fileURL: file.url)
    try Realm().write {}
    #expect(FileManager.default.fileExists(atPath: file.url.path))
    #expect(try Realm().configuration.fileURL == file.url)
  }

  @Test func onlyTheListedClassesAreUsed() throws {
    let file = TemporaryStore()
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: file.url, objectTypes: [Book.self]))
    try realm.write { realm.create(Book.self) }
    #expect(realm.objects(Book.self).count == 1)
    let result = Misuse.trap("configuration: a class that is not listed")
    #expect(result.contains("Object type 'Beacon' is not managed by the Realm"))
    #expect(result.contains("add Beacon.self"))
  }

  @Test func linkedClassesMustBeListed() throws {
    let file = TemporaryStore()
    let error = try #require(throws: Realm.Error.self) {
      try Realm(
        configuration: Realm.Configuration(fileURL: file.url, objectTypes: [Reader.self]))
    }
    #expect(error.code == .schemaMismatch)
    #expect(error.description.contains("'Reader.favourite' leads to class 'Book'"))
    #expect(error.description.contains("add Book.self"))
  }

  @Test func openingTwiceOnAThreadReturnsTheSameRealm() async throws {
    let file = TemporaryStore()
    let (same, other) = try await onNewThread {
      let (one, two) = (try file.realm(), try file.realm())
      let readOnly = try Realm(
        configuration: Realm.Configuration(fileURL: file.url, readOnly: true))
      let book = try one.write { one.create(Book.self) }
      try two.write { book.title = "through the other" }
      return (one == two && two.objects(Book.self).first?.title == book.title, one == readOnly)
    }
    #expect(same)
    #expect(!other)
    #expect(try file.realm() != file.realm())
  }

  @Test func accessFromTheWrongThreadEndsTheProgram() {
    let result = Misuse.trap("thread: a realm of another")
    #expect(result.contains("Realm accessed from incorrect thread: it belongs to thread 0x"))
  }
}
