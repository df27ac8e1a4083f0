import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Damage to every kind of value that LMDB does not notice.
@Suite(.tags(.untrusted, .threads)) struct DamageTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    try MixedStore.make(folder, seed: 11)
  }

  /// Changes the first value of a kind, and returns the findings of `verify`.
  private func findings(
    _ kind: StorageKey.Kind, where matches: (StorageKey) -> Bool = { _ in true },
    _ change: (inout [UInt8]) -> Void
  ) throws -> [IntegrityFinding] {
    let store = try folder.store(.readWrite)
    try store.environment.writer.run {
      let transaction = try LMDBTransaction(writing: store.handle)
      var found: (StorageKey, [UInt8])?
      try transaction.scan(from: StorageKey(kind: kind)) { key, bytes in
        guard key.kind == kind else { return false }
        guard matches(key) else { return true }
        found = (key, Array(bytes))
        return false
      }
      var (key, bytes) = try #require(found)
      if !kind.isAligned { bytes.removeLast(ChecksumTrailer.size) }
      change(&bytes)
      try transaction.put(key, bytes: bytes)
      try transaction.commit()
    }
    let report = try Store.verify(folder.file())
    for threads in [1, 3] {
      let again = try Store.verify(folder.file(), threads: threads)
      #expect(again.findings == report.findings, "\(threads) threads")
    }
    let error =
      report.isSound
      ? nil
      : #expect(throws: StoreError.self) {
        try Store.open(folder.file(), mode: .readOnly, untrusted: true)
      }
    #expect(report.isSound || error?.kind == .damaged)
    return report.findings
  }

  /// Changes the rows of a chunk of integers, and encodes it correctly.
  private func edit(_ bytes: inout [UInt8], _ change: (ChunkBuffer) -> Void) {
    bytes = bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress, let chunk = Chunk(encoded: base, size: raw.count) else {
        return []
      }
      let buffer = ChunkBuffer(layout: .integers, copying: chunk)
      change(buffer)
      return ChunkEncoder.encode(buffer).bytes
    }
  }

  private func table(_ name: String) throws -> UInt32 {
    try #require(try folder.store(.readOnly).snapshot().schema.table(named: name)).id
  }

  @Test func aDamagedChunkIsFound() throws {
    let place = try table("Place")
    let found = try findings(.chunk, where: { $0.table == place && $0.number == 1 }) {
      $0[40] ^= 4
    }
    #expect(found.first?.description == "'Place.key', chunk 1: the checksum does not match")
    #expect(found.allSatisfy { $0.severity == .data })
  }

  @Test func aDamagedZoneIsFound() throws {
    let found = try findings(.zones) { $0[0] ^= 1 }
    #expect(found.count == 1 && found[0].severity == .index && found[0].chunk == 0)
  }

  @Test func aDamagedLiveRowBitmapIsFound() throws {
    let place = try table("Place")
    let found = try findings(.liveRowBitmap, where: { $0.table == place }) { $0[100] ^= 1 }
    #expect(found.contains { $0.severity == .data && $0.message.contains("live") })
  }

  @Test(arguments: [0, 4, 20, 24, 6000]) func aDamagedIndexEntryIsFound(offset: Int) throws {
    let place = try table("Place")
    let found = try findings(.runKeys, where: { $0.table == place && $0.group >> 31 == 1 }) {
      $0[offset] ^= 64
    }
    #expect(found.first?.severity == .index)
    #expect(found.first?.property == "key")
  }

  @Test func damagedRTreeNodesAreFound() throws {
    let place = try table("Place")
    let found = try findings(.runNodes, where: { $0.table == place }) { $0[18] ^= 1 }
    #expect(found.first?.severity == .index)
    #expect(found.first?.property == "at")
  }

  @Test func damagedPointsOfADeltaRunAreFound() throws {
    let place = try table("Place")
    for offset in [0, 20] {
      let found = try findings(.runEntries, where: { $0.table == place }) { $0[offset] ^= 1 }
      #expect(found.first?.severity == .index, "byte \(offset)")
      _ = try findings(.runEntries, where: { $0.table == place }) { $0[offset] ^= 1 }
    }
  }

  @Test func aDamagedTombstoneBitmapIsFound() throws {
    let found = try findings(.runTombstones) { bytes in
      for index in 0..<512 where bytes[index] != 0 {
        bytes[index] = 0
        break
      }
    }
    #expect(found.first?.severity == .index)
  }

  @Test(arguments: [0, 8, 16, 25]) func aDamagedStateIsFound(offset: Int) throws {
    let place = try table("Place")
    let found = try findings(.state, where: { $0.table == place }) {
      $0[offset] = $0[offset] == 0 ? 7 : 0
    }
    #expect(found.contains { $0.severity != .space }, "byte \(offset): \(found)")
  }

  @Test func aDamagedSchemaIsFound() throws {
    let found = try findings(.schema) { $0[4 + Int($0[0]) + 1] = 200 }
    #expect(found.contains { $0.severity == .data })
  }

  @Test func aRecordUnderAnotherKeyIsFound() throws {
    let (from, to) = (StorageKey.schema(try table("Place")), StorageKey.schema(try table("Dog")))
    let transaction = try LMDBTransaction(reading: try folder.store(.readOnly).handle)
    let stored = try #require(transaction.stored(from))
    #expect(ChecksumTrailer.record(in: stored, under: from)?.count == stored.count - 8)
    #expect(ChecksumTrailer.record(in: stored, under: to) == nil)
  }

  @Test func countersThatAreTooLowAreFound() throws {
    let found = try findings(.counters) { $0[0] = 1 }
    #expect(found.map(\.message) == ["the counters are lower than numbers that are in use"])
  }

  @Test func leftoversAreNotDamage() throws {
    let store = try folder.store(.readWrite)
    try store.environment.writer.run {
      let transaction = try LMDBTransaction(writing: store.handle)
      try transaction.put(.chunk(99, column: 0, extent: 0, chunk: 0), bytes: [1, 2, 3])
      try transaction.commit()
    }
    let report = try Store.verify(folder.file())
    #expect(report.isSound && report.count(.space) == 1)
  }

  @Test func aDuplicatePrimaryKeyIsFound() throws {
    let place = try table("Place")
    let found = try findings(.chunk, where: { $0.table == place && $0.column == 0 }) { bytes in
      edit(&bytes) { $0.integers[5] = $0.integers[6] }
    }
    #expect(found.contains { $0.severity == .index && $0.property == "key" })
  }

  @Test func aTextThatIsNotUTF8IsFound() throws {
    let every = try table("Every")
    let column = try #require(
      EveryColumnTests.columns.firstIndex { $0.type == .string && $0.collection == .none })
    let found = try findings(
      .chunk, where: { $0.table == every && $0.column == UInt16(column) }
    ) { bytes in
      let buffer = ChunkBuffer(layout: .bytes)
      buffer.count = 30
      ([0xFF, 0x41] as [UInt8]).withUnsafeBytes { buffer.setBytes($0, at: 3) }
      bytes = ChunkEncoder.encode(buffer).bytes
    }
    #expect(found.contains { $0.message.contains("UTF-8") }, "\(found)")
  }

  private static let kinds = ["Person", "Dog", "Address", "Spot"]

  /// Links to missing objects, and owners that do not contain their objects.
  @Test func damagedLinksAndOwnersAreFound() throws {
    // The links are the same in a store with fewer rows of another class.
    try MixedStore.make(folder, seed: 11, rows: Soak.count(100, long: 6000))
    let store = try folder.store(.readWrite)
    for name in Self.kinds {
      let table = try #require(try store.snapshot().table(name))
      for column in table.schema.columns
      where column.collection == .none && (column.isLink || column.role == .ownerKey) {
        let isUsed = (0..<table.endKey).contains {
          table.isLive($0) && table.value(column.position, at: $0) != .null
        }
        let found = try shift(column, of: table.id, by: 100_000)
        #expect(
          !isUsed || found.contains { $0.className == name && $0.severity == .data },
          "\(name).\(column.name) \(column.role): \(found)")
        #expect(try shift(column, of: table.id, by: -100_000) == [])
      }
    }
  }

  private func shift(
    _ column: ColumnSchema, of table: UInt32, by distance: Int64
  ) throws -> [IntegrityFinding] {
    try findings(.chunk, where: { $0.table == table && $0.column == column.id }) { bytes in
      edit(&bytes) { buffer in
        for row in 0..<buffer.count where !buffer.isNull(row) { buffer.integers[row] += distance }
      }
    }.filter { !$0.message.contains("bounds") }
  }
}
