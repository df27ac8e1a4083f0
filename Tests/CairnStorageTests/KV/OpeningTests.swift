import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

@Suite struct OpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private func failure(_ mode: Store.Mode, _ name: String = "test.cairn") -> StoreError.Kind? {
    #expect(throws: StoreError.self) { try Store.open(folder.file(name), mode: mode) }?.kind
  }

  @Test(arguments: [Store.Mode.readOnly, .readWrite])
  func anAbsentFileIsNotCreated(mode: Store.Mode) throws {
    #expect(failure(mode) == .notFound)
    #expect(try folder.names() == [])
  }

  @Test(arguments: [Store.Mode.readOnly, .readWrite])
  func anEmptyFileIsNotAStore(mode: Store.Mode) throws {
    try write([], to: folder.file())
    #expect(failure(mode) == .notAStore)
    #expect(try folder.names() == ["test.cairn"])
    #expect(try contents(folder.file()) == [])
  }

  @Test func anEmptyFileBecomesAStoreOnRequest() throws {
    try write([], to: folder.file())
    #expect(try folder.store(.create).snapshot().schema.tables.isEmpty)
    #expect(try folder.store(.readOnly).snapshot().schema.tables.isEmpty)
  }

  @Test func foreignFilesAreRejectedAndUnchanged() throws {
    var random = SplitMix64(seed: 4)
    let noise = (0..<20_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let magic: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]
    let files: [[UInt8]] = [
      [0], Array("city,latitude,longitude\n".utf8), Array("SQLite format 3\0".utf8) + noise, noise,
      [UInt8](repeating: 0, count: 1 << 17), [UInt8](repeating: 0xFF, count: 8192),
      noise[..<16] + magic + noise[20...], noise[..<16] + magic + [1, 0, 0, 0] + noise[24...],
    ]
    for (index, bytes) in files.enumerated() {
      try write(bytes, to: folder.file("foreign"))
      for mode in [Store.Mode.readOnly, .readWrite, .create] {
        #expect(failure(mode, "foreign") == .notAStore, "file \(index)")
      }
      #expect(try contents(folder.file("foreign")) == bytes)
    }
    #expect(try folder.names() == ["foreign"])
  }

  @Test func aFolderIsNotAStore() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("sub"), withIntermediateDirectories: false)
    for mode in [Store.Mode.readOnly, .readWrite, .create] {
      #expect(failure(mode, "sub") == .notAStore)
    }
  }

  @Test func aMissingFolderIsReported() {
    #expect(failure(.create, "missing/test.cairn") == .notFound)
  }

  @Test func aNewerFormatIsReported() throws {
    do {
      let store = try folder.store()
      let environment = store.environment
      let header = Array("Cairn store\n".utf8) + [7, 1, 0, 0]
      try environment.writer.run {
        let transaction = try LMDBTransaction(writing: store.handle)
        try transaction.put(.header, bytes: header)
        try transaction.commit()
      }
    }
    for mode in [Store.Mode.readOnly, .readWrite, .create] {
      let error = #expect(throws: StoreError.self) { try folder.store(mode) }
      #expect(error?.kind == .newerVersion)
      #expect(error?.message.contains("format 263") == true)
    }
  }

  @Test func aForeignLMDBFileIsRejected() throws {
    do {
      let store = try folder.store()
      try store.environment.writer.run {
        let transaction = try LMDBTransaction(writing: store.handle)
        try transaction.delete(.header)
        try transaction.put(.counters, bytes: [1, 2, 3])
        try transaction.commit()
      }
    }
    let before = try contents(folder.file())
    for mode in [Store.Mode.readOnly, .readWrite, .create] {
      #expect(failure(mode) == .notAStore)
    }
    #expect(try contents(folder.file()) == before)
  }

  @Test func aForeignHeaderIsRejected() throws {
    do {
      let store = try folder.store()
      try store.environment.writer.run {
        let transaction = try LMDBTransaction(writing: store.handle)
        try transaction.put(.header, bytes: Array("Other store\n".utf8) + [1, 0, 0, 0])
        try transaction.commit()
      }
    }
    #expect(failure(.create) == .notAStore)
  }

  @Test func everyTruncationIsNoticed() throws {
    do {
      let store = try folder.store()
      try store.write { try fill($0, rows: 30_000) }
    }
    let bytes = try contents(folder.file())
    var random = SplitMix64(seed: 8)
    let lengths =
      [1, 15, 100, 168, 4095, 4096, 4097, 8191, 8192, bytes.count - 1, bytes.count - 4096]
      + (0..<60).map { _ in Int.random(in: 1..<bytes.count, using: &random) }
    for length in lengths {
      try write(Array(bytes[..<length]), to: folder.file("short"))
      let kind = failure(.readOnly, "short")
      #expect(kind == .truncated || (kind == .notAStore && length < 8192), "\(length) bytes")
    }
    try write(bytes, to: folder.file("whole"))
    #expect(
      try Store.open(folder.file("whole"), mode: .readOnly).snapshot().table("Row")?.liveCount
        == 30_000)
  }

  private func fill(_ transaction: WriteTransaction, rows: Int) throws {
    let writer = try transaction.createTable(
      "Row", columns: [ColumnSchema(id: 0, name: "number", type: .int, position: 0)])
    for row in 0..<rows { try writer.insert([.int(Int64(row * row))]) }
  }
}
