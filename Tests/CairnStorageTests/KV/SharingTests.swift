import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

@Suite struct SharingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  @Test func aFileOpenedTwiceIsOneEnvironment() throws {
    let first = try folder.store()
    let second = try folder.store(.readWrite)
    let reader = try folder.store(.readOnly)
    #expect(first.environment === second.environment && first.environment === reader.environment)
  }

  @Test func otherNamesOfAFileAreTheSameFile() throws {
    let store = try folder.store()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file())
    try FileManager.default.linkItem(atPath: folder.file(), toPath: folder.file("hard"))
    for name in ["link", "hard", "./test.cairn"] {
      let other = try Store.open(folder.file(name), mode: .readWrite)
      #expect(other.environment === store.environment, "\(name)")
    }
  }

  /// Two processes that reach a file by different names must agree on its lock file.
  @Test func aLinkLeadsToTheLockOfItsFile() throws {
    _ = try folder.store()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: "test.cairn")
    _ = try Store.open(folder.file("link"), mode: .readWrite)
    #expect(try folder.names() == ["link", "test.cairn", "test.cairn-lock"])
  }

  @Test func theEnvironmentClosesWithItsLastUser() throws {
    var store: Store? = try folder.store()
    let isOpen = { [weak environment = store?.environment] in environment != nil }
    var snapshot = try store?.snapshot()
    store = nil
    #expect(isOpen())
    #expect(snapshot?.schema.tables.isEmpty == true)
    snapshot = nil
    #expect(!isOpen())
    #expect(try folder.store(.readWrite).snapshot().schema.tables.isEmpty)
  }

  @Test func aTableThatOutlivesItsSnapshotKeepsTheMap() throws {
    var store: Store? = try folder.store()
    try store?.write { transaction in
      let writer = try transaction.createTable(
        "Row", columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)])
      try writer.insert([.int(42)])
    }
    let table = try store?.snapshot().table("Row")
    store = nil
    #expect(table?.value(0, at: 0) == .int(42))
  }

  @Test func aReaderInTheProcessPreventsAWriter() throws {
    try { _ = try folder.store() }()
    let reader = try folder.store(.readOnly)
    let error = #expect(throws: StoreError.self) { try folder.store(.readWrite) }
    #expect(error?.kind == .locked)
    #expect(try reader.snapshot().schema.tables.isEmpty)
  }

  @Test func aReadOnlyStoreRejectsWrites() throws {
    try { _ = try folder.store() }()
    let error = #expect(throws: StoreError.self) { try folder.store(.readOnly).beginWrite() }
    #expect(error?.kind == .readOnly)
  }
}
