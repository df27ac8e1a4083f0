import Cairn
import CairnFormats
import CairnModelTestSupport
import CairnStorage
import CairnTestSupport
import Foundation
import Testing

/// Streams, cancellation and misuse of imports through the public API.
@Suite(.tags(.threads)) struct RealmImportMisuseTests {
  /// An error of a stream.
  private struct Broken: Error {}

  /// A CSV of some rows, as chunks; ends with an error if it is broken.
  private static func chunks(_ rows: Int, isBroken: Bool = false) -> AsyncThrowingStream<
    [UInt8], any Error
  > {
    AsyncThrowingStream { continuation in
      continuation.yield(Array("id,name,lat,lon\n".utf8))
      for row in 0..<rows {
        continuation.yield(Array("\(row),N\(row),\(row % 90),\(row % 180)\n".utf8))
      }
      continuation.finish(throwing: isBroken ? Broken() : nil)
    }
  }

  /// The same as single bytes.
  private struct Bytes: AsyncSequence, AsyncIteratorProtocol {
    var chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator
    var rest: ArraySlice<UInt8> = []

    func makeAsyncIterator() -> Bytes { self }

    mutating func next() async throws -> UInt8? {
      while rest.isEmpty {
        guard let chunk = try await chunks.next() else { return nil }
        rest = chunk[...]
      }
      return rest.removeFirst()
    }
  }

  @Test @MainActor func streamsOfChunksAndBytes() async throws {
    let realm = try TestRealm().realm
    try await realm.importBytes(Self.chunks(5000), as: ImportedCity.self)
    #expect(realm.objects(ImportedCity.self).count == 5000)
    #expect(realm.object(ofType: ImportedCity.self, forPrimaryKey: 4999)?.name == "N4999")
    var options = ImportOptions()
    options.onConflict = .skip
    let summary = try await realm.importBytes(
      Bytes(chunks: Self.chunks(5001).makeAsyncIterator()), as: ImportedCity.self,
      options: options)
    #expect(summary.inserted == 1 && summary.conflictsSkipped == 5000)
  }

  @Test @MainActor func aBrokenStreamLeavesNothing() async throws {
    let realm = try TestRealm().realm
    await #expect(throws: Broken.self) {
      try await realm.importBytes(
        Self.chunks(10, isBroken: true), as: ImportedCity.self, named: "broken-\(#line).csv")
    }
    #expect(realm.objects(ImportedCity.self).isEmpty)
  }

  @Test @MainActor func aCancelledImportLeavesNothing() async throws {
    let (folder, store) = try (TemporaryFolder(), TemporaryStore())
    let realm = try store.realm()
    var text = "id,name,lat,lon\n"
    for row in 0..<400_000 { text += "\(row),A rather long name \(row),\(row % 90),\(row % 180)\n" }
    let file = try folder.file("many.csv", text)
    let before = Task { @MainActor in
      try await realm.importFile(file, as: ImportedCity.self)
    }
    before.cancel()
    await #expect(throws: CancellationError.self) { try await before.value }
    let signal = AsyncStream<Void>.makeStream()
    // The import waits for its cancellation, however long the main thread is busy with other tests.
    let cancelled = DispatchSemaphore(value: 0)
    let during = Task { @MainActor in
      try await realm.importFile(file, as: ImportedCity.self) { progress in
        guard progress.phase == .importing else { return }
        signal.continuation.yield()
        cancelled.wait()
        cancelled.signal()
      }
    }
    for await _ in signal.stream { break }
    during.cancel()
    cancelled.signal()
    await #expect(throws: CancellationError.self) { try await during.value }
    realm.refresh()
    #expect(realm.objects(ImportedCity.self).isEmpty)
    try await realm.importData(Data("id,name,lat,lon\n1,a,2,3\n".utf8), as: ImportedCity.self)
    #expect(realm.objects(ImportedCity.self).count == 1)
  }

  /// The names of the classes in a store.
  private static func classes(_ store: TemporaryStore) throws -> [String] {
    try Store.open(store.path, mode: .readOnly).snapshot().schema.tables.map(\.name)
  }

  @Test @MainActor func aFailedImportMakesNoClass() async throws {
    let store = TemporaryStore()
    let realm = try store.realm()
    for text in [
      "id,name,lat,lon\n1,a,2,3\nx,b,2,3\n", "id,name,lat,lon\n1,a,2,3\n1,b,2,3\n", "id\n",
      "id,name,lat,lon\n1,a,2,300\n",
    ] {
      await #expect(throws: ImportError.self, "\(text)") {
        try await realm.importData(Data(text.utf8), as: ImportedCity.self)
      }
      #expect(try Self.classes(store) == [])
    }
    // A class that the import leads to is made with it.
    try await realm.importData(Data("id,n\n1,2\n".utf8), as: ImportedOwner.self)
    #expect(try Self.classes(store) == ["ImportedOwner", "ImportedRow"])
    #expect(realm.object(ofType: ImportedOwner.self, forPrimaryKey: 1)?.rows.isEmpty == true)
  }

  @Test @MainActor func theClassMayBeMadeMeanwhile() async throws {
    let store = TemporaryStore()
    let realm = try store.realm()
    var text = "id,name,lat,lon\n"
    for row in 0..<20_000 { text += "\(row),N\(row),\(row % 90),\(row % 180)\n" }
    let (folder, ready) = try (TemporaryFolder(), AsyncStream<Void>.makeStream())
    let file = try folder.file("many.csv", text)
    let url = store.url
    let load = Task { @MainActor in
      try await realm.importFile(file, as: ImportedCity.self) { progress in
        guard progress.phase == .indexing else { return }
        // The classes of the program are made between the reading and the writing of the rows.
        let other = try? Realm(fileURL: url)
        try? other?.write {
          let city = ImportedCity()
          city.id = -1
          other?.add(city)
        }
        ready.continuation.yield()
      }
    }
    for await _ in ready.stream { break }
    #expect(try await load.value.inserted == 20_000)
    #expect(realm.objects(ImportedCity.self).count == 20_001)
    #expect(realm.object(ofType: ImportedCity.self, forPrimaryKey: 19_999)?.name == "N19999")
  }

  @Test @MainActor func realmsThatCannotBeWritten() async throws {
    let store = TemporaryStore()
    let realm = try store.realm()
    let data = Data("id,name,lat,lon\n1,a,2,3\n".utf8)
    realm.beginWrite()
    await #expect(throws: Realm.Error.self) {
      try await realm.importData(data, as: ImportedCity.self)
    }
    realm.cancelWrite()
    await #expect(throws: Realm.Error.self) {
      try await realm.freeze().importData(data, as: ImportedCity.self)
    }
    var configuration = Realm.Configuration(fileURL: store.url)
    configuration.readOnly = true
    let copy = try TemporaryFolder()
    let url = URL(fileURLWithPath: copy["copy.cairn"])
    try realm.writeCopy(toFile: url)
    configuration.fileURL = url
    let readOnly = try Realm(configuration: configuration)
    do {
      try await readOnly.importData(data, as: ImportedCity.self)
      Issue.record("an import into a read-only realm")
    } catch Realm.Error.filePermissionDenied {}
    try await realm.importData(data, as: ImportedCity.self)
    #expect(realm.objects(ImportedCity.self).count == 1)
  }

  @Test @MainActor func missingFilesAndPrograms() async throws {
    let (folder, realm) = try (TemporaryFolder(), TestRealm().realm)
    let missing = URL(fileURLWithPath: folder["none.csv"])
    let error = await #expect(throws: ImportError.self) {
      try await realm.importFile(missing, as: ImportedCity.self)
    }
    #expect(error?.kind == .noInput)
    let file = try folder.file("x.fgb", "fgb")
    var options = ImportOptions()
    options.gdalReader = folder["no-such-program"]
    await #expect(throws: ImportError.self) {
      try await realm.importFile(file, as: ImportedCity.self, options: options)
    }
  }

  /// An actor with a realm of its own.
  private actor Importer {
    func run(_ url: URL, _ text: String) async throws -> Int {
      let realm = try await Realm(configuration: .init(fileURL: url), actor: self)
      try await realm.importData(Data(text.utf8), as: ImportedCity.self)
      return realm.objects(ImportedCity.self).count
    }
  }

  @Test @MainActor func actorsImportSideBySide() async throws {
    let store = TemporaryStore()
    let realm = try store.realm()
    async let first = Importer().run(store.url, "id,name,lat,lon\n1,a,2,3\n2,b,2,3\n")
    async let second = Importer().run(store.url, "id,name,lat,lon\n3,a,2,3\n4,b,2,3\n")
    let counts = try await [first, second]
    #expect(counts.max() == 4 && counts.allSatisfy { $0 >= 2 })
    realm.refresh()
    #expect(realm.objects(ImportedCity.self).count == 4)
  }
}
