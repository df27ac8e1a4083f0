import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// The inventories of a store: exact after every kind of write, and a fault after any change that
/// bypasses them.
@Suite struct InventoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  /// The inventories of the store, counted anew from its values.
  private func counted(_ store: Store) throws -> [StorageKey: Inventory] {
    let transaction = try LMDBTransaction(reading: store.handle)
    defer { transaction.abort() }
    var counted: [StorageKey: Inventory] = [:]
    try transaction.scan(from: .header) { key, value in
      if key.kind.isInventoried {
        counted[key.inventory, default: Inventory()].add(value, under: key)
      }
      return true
    }
    return counted
  }

  /// The inventories that commits have written.
  private func recorded(_ store: Store) throws -> [StorageKey: Inventory] {
    let transaction = try LMDBTransaction(reading: store.handle)
    defer { transaction.abort() }
    var keys: [StorageKey] = []
    try transaction.scan(from: StorageKey(kind: .inventory)) { key, _ in
      keys.append(key)
      return true
    }
    var recorded: [StorageKey: Inventory] = [:]
    for key in keys { recorded[key] = try Inventory(decoding: try #require(transaction.get(key))) }
    return recorded
  }

  /// Loads, single writes, deletions, index merges, links, collections and a compaction.
  @Test(arguments: ([1, 2] as [UInt64]).prefix(Soak.count(1, long: 2)))
  func exactAfterEveryWrite(seed: UInt64) throws {
    try MixedStore.make(folder, seed: seed)
    try expectExact()
    let store = try folder.store()
    try store.write { transaction in
      for schema in transaction.schema.tables {
        guard let writer = transaction.table(schema.name), schema.ownerColumns == nil else {
          continue
        }
        for key in stride(from: 0, to: writer.table.endKey, by: 3) where writer.table.isLive(key) {
          try writer.delete(key)
        }
      }
    }
    try expectExact()
  }

  @Test func exactAfterCompaction() throws {
    try MixedStore.make(folder, seed: 3)
    _ = try Store.compact(folder.file())
    try expectExact()
  }

  private func expectExact() throws {
    let store = try folder.store()
    let (counted, recorded) = (try counted(store), try recorded(store))
    #expect(!counted.isEmpty)
    #expect(Set(counted.keys) == Set(recorded.keys))
    for (key, inventory) in counted { #expect(recorded[key] == inventory, "\(key)") }
  }

  /// Changes of values past their inventories, as damage makes them.
  enum Damage: String, CaseIterable {
    case lost, moved, added, older, exchanged
  }

  @Test(arguments: Damage.allCases) func damageIsNoticed(damage: Damage) throws {
    do {
      let store = try folder.store()
      try store.write { transaction in
        let writer = try transaction.createTable(
          "c",
          columns: [
            ColumnSchema(id: 0, name: "a", type: .string, isOptional: true, position: 0),
            ColumnSchema(id: 1, name: "b", type: .string, isOptional: true, position: 1),
          ])
        for number in 0..<3 { try writer.insert([.string("a\(number)"), .string("b\(number)")]) }
      }
      let old = try #require(try bytes(store, column: 0))
      try store.write { try $0.table("c")?.set(.string("new"), position: 0, at: 1) }
      #expect(try Store.verify(folder.file()).isSound)
      try store.bypassing { transaction in
        let (a, b) = (
          StorageKey.chunk(1, column: 0, extent: 0, chunk: 0),
          StorageKey.chunk(1, column: 1, extent: 0, chunk: 0)
        )
        let (first, second) = (
          Array(try #require(transaction.get(a))), Array(try #require(transaction.get(b)))
        )
        switch damage {
        case .lost: try transaction.delete(a)
        case .moved:
          try transaction.delete(a)
          try transaction.put(.chunk(1, column: 0, extent: 0, chunk: 1), bytes: first)
        case .added: try transaction.put(.chunk(1, column: 0, extent: 0, chunk: 1), bytes: first)
        case .older: try transaction.put(a, bytes: old)
        case .exchanged:
          try transaction.put(a, bytes: second)
          try transaction.put(b, bytes: first)
        }
      }
    }
    let report = try Store.verify(folder.file())
    #expect(report.isDataDamaged, "\(damage): \(report.findings)")
    #expect(throws: StoreError.self) {
      try Store.open(folder.file(), mode: .readOnly, untrusted: true)
    }
    let before = try contents(folder.file())
    #expect(throws: StoreError.self) { try Store.compact(folder.file()) }
    #expect(try contents(folder.file()) == before, "compaction does not drop what it does not know")
  }

  private func bytes(_ store: Store, column: UInt16) throws -> [UInt8]? {
    let transaction = try LMDBTransaction(reading: store.handle)
    defer { transaction.abort() }
    return transaction.get(.chunk(1, column: column, extent: 0, chunk: 0)).map(Array.init)
  }
}

extension Store {
  /// Changes values without their inventories.
  fileprivate func bypassing(_ body: (LMDBTransaction) throws -> Void) throws {
    try environment.writer.run {
      let transaction = try LMDBTransaction(writing: handle)
      defer { transaction.abort() }
      transaction.isInventoried = false
      try body(transaction)
      try transaction.commit()
    }
  }
}
