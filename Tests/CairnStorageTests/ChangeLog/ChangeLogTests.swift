import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Compares a change log with its two snapshots, row by row and property by property.
@Suite struct ChangeLogTests {
  private static let drafts = [
    TableDraft(
      name: "Row",
      columns: [
        column("n", .int), column("weight", .double), column("ratio", .float),
        column("name", .string), column("code", .uuid), column("at", .point),
        column("tags", .string, .list), column("part", .embedded, to: "Part"),
      ]),
    TableDraft(name: "Part", columns: [column("size", .int)], isEmbedded: true),
  ]

  private static func column(
    _ name: String, _ type: ValueType, _ collection: CollectionKind = .none,
    to target: String? = nil
  ) -> ColumnSchema {
    ColumnSchema(
      id: 0, name: name, type: type, collection: collection, isOptional: collection == .none,
      target: target, position: 0)
  }

  /// Snapshots are kept for a while, so that logs span several commits.
  @Test(
    arguments: ([(1, 10), (2, 200), (3, 5000), (4, 9000)] as [(UInt64, Int)])
      .prefix(Soak.count(3, long: 4)))
  func randomTransactions(seed: UInt64, rows: Int) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { transaction in
      try transaction.createTables(Self.drafts)
      for _ in 0..<rows { try Self.insert(transaction, &random) }
    }
    var kept = [try store.snapshot()]
    for number in 0..<Soak.count(12, long: 40) {
      try store.write { try Self.change($0, &random) }
      let now = try store.snapshot()
      for old in kept {
        var logged = try #require(now.changes(of: "Row", since: old.version))
        let exact = now.changes(since: old).changes(of: "Row")
        #expect(exact.deleted.subtracting(logged.deleted).isEmpty)
        // The others were inserted and deleted in between.
        for key in logged.deleted.subtracting(exact.deleted).keys {
          #expect(old.table("Row")?.isLive(key) != true && now.table("Row")?.isLive(key) != true)
        }
        logged.deleted = exact.deleted
        #expect(logged == exact)
        let label = "seed \(seed), step \(number), \(now.version - old.version) commits"
        try check(now.changes(since: old), isExact: now.version - old.version == 1, label)
      }
      if Int.random(in: 0..<3, using: &random) == 0 { kept.append(now) }
      if kept.count > 4 { kept.removeFirst() }
      if Int.random(in: 0..<3, using: &random) == 0 { kept = [now] }
    }
  }

  private static func change(_ transaction: WriteTransaction, _ random: inout SplitMix64) throws {
    let writer = try #require(transaction.table("Row"))
    let many = Int.random(in: 0..<6, using: &random) == 0
    for _ in 0..<(many ? 300 : Int.random(in: 1...4, using: &random)) {
      let key = Int.random(in: 0..<max(writer.table.endKey, 1), using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try insert(transaction, &random)
      case 1: if writer.table.isLive(key) { try writer.delete(key) }
      default:
        guard writer.table.isLive(key) else { continue }
        let position = Int.random(in: 0..<8, using: &random)
        let value = try value(position, key, transaction, &random)
        let before = writer.table.value(position, at: key)
        try writer.set(value, position: position, at: key)
        // A value that was set back is not a change.
        if position < 7, Int.random(in: 0..<4, using: &random) == 0 {
          try writer.set(before, position: position, at: key)
        }
      }
    }
    if Int.random(in: 0..<25, using: &random) == 0 { writer.deleteAll() }
  }

  private static func insert(_ transaction: WriteTransaction, _ random: inout SplitMix64) throws {
    let writer = try #require(transaction.table("Row"))
    let key = writer.nextKey
    try writer.insert(try (0..<8).map { try value($0, key, transaction, &random) })
  }

  private static func value(
    _ position: Int, _ key: Int, _ transaction: WriteTransaction, _ random: inout SplitMix64
  ) throws -> Value {
    let number = Int.random(in: 0..<4, using: &random)
    if number == 0, position != 6 { return .null }
    switch position {
    case 0: return .int(Int64(number))
    case 1: return .double([-0.0, 0, .nan, 5][number])
    case 2: return .float(Float(number))
    case 3: return .string(String(repeating: "a", count: number))
    case 4:
      return .uuid(
        Array(repeating: UInt8(number), count: 16).withUnsafeBytes { UUIDBytes(storedBytes: $0) })
    case 5: return .point(Position(latitude: Double(number), longitude: 3))
    case 6:
      return .data(StoredCollection.encode((0..<number).map { .string("\($0)") }, of: .string))
    default:
      let owner = try #require(transaction.table("Row")).schema
      let part = try #require(transaction.table("Part"))
      return .int(
        Int64(
          try part.insert(
            [.int(Int64(number))],
            owner: Owner(table: owner.id, column: owner.columns[7].id, key: key))))
    }
  }

  private func check(_ log: ChangeLog, isExact: Bool, _ label: String) throws {
    for name in ["Row", "Part"] {
      let old = try #require(log.old.table(name))
      let new = try #require(log.new.table(name))
      let expected = TableChanges.byRow(old, new)
      let found = log.changes(of: name)
      #expect(found.inserted == expected.inserted, "\(label), \(name)")
      #expect(found.deleted == expected.deleted, "\(label), \(name)")
      for column in new.schema.columns {
        let keys = found.modified { $0 == column.id }
        let wanted = expected.modified { $0 == column.id }
        // Over several commits a value may have been set and set back.
        #expect(
          isExact ? keys == wanted : wanted.subtracting(keys).isEmpty,
          "\(label), \(name).\(column.name)")
        #expect(keys.keys.allSatisfy { old.isLive($0) && new.isLive($0) }, "\(label), \(name)")
      }
      #expect(TableChanges(from: old, to: new) == expected, "\(label), \(name) compared")
    }
  }

  @Test func aSnapshotHasNoChangesToItself() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { _ = try $0.createTables(Self.drafts) }
    let log = try store.snapshot().changes(since: store.snapshot())
    #expect(log.isEmpty)
    #expect(log.changes(of: "Row").isEmpty)
    #expect(log.changes(of: "None").isEmpty)
  }

  @Test func classesCreatedBetweenSnapshots() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let old = try store.snapshot()
    try store.write { transaction in
      try transaction.createTables(Self.drafts)
      var random = SplitMix64(seed: 9)
      for _ in 0..<3 { try Self.insert(transaction, &random) }
    }
    let log = try store.snapshot().changes(since: old)
    #expect(!log.isEmpty && log.isAltered)
    #expect(log.changes(of: "Row").inserted.runs == [0..<3])
    #expect(log.classNames == ["Part", "Row"])
  }

  /// The snapshots are compared where the change log does not reach back far enough.
  @Test func aTrimmedChangeLog() throws {
    var random = SplitMix64(seed: 12)
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    try store.write { transaction in
      try transaction.createTables(Self.drafts)
      for _ in 0..<5000 { try Self.insert(transaction, &random) }
    }
    let old = try store.snapshot()
    for _ in 0...CommitLog.length {
      try store.write { transaction in
        try Self.change(transaction, &random)
        // Changes of deleted rows only would not be a commit.
        try Self.insert(transaction, &random)
      }
    }
    let log = try store.snapshot().changes(since: old)
    #expect(!log.isEmpty)
    try check(log, isExact: true, "trimmed")
    let version = log.new.version
    #expect(log.new.changes(of: "Row", since: old.version) == nil)
    #expect(log.new.changes(of: "Row", since: version - CommitLog.length) != nil)
    #expect(log.new.changes(of: "Row", since: version) == TableChanges())
    #expect(log.new.changes(of: "Row", since: version + 1) == nil)
  }

  @Test func bulkLoads() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let store = try folder.store()
    let columns = [BulkColumn(name: "key", type: .int, isOptional: false)]
    try Batch(columns, rows: 5000, seed: 1).load(into: store, primaryKey: 0)
    let old = try store.snapshot()
    try store.write { try $0.table("Row")?.delete(7) }
    // Rows whose key exists are dropped, and marked as deleted.
    try Batch(columns, rows: 6000, seed: 1).load(into: store, primaryKey: 0, onConflict: .skip)
    try store.write { try $0.table("Row")?.delete(9) }
    let log = try store.snapshot().changes(since: old)
    let changes = log.changes(of: "Row")
    #expect(changes == TableChanges.byRow(old.table("Row"), log.new.table("Row")))
    #expect(changes.deleted.runs == [7..<8, 9..<10])
    #expect(changes.inserted.count == 1001)
  }
}

extension TableChanges {
  /// The changes of a class, found row by row.
  fileprivate static func byRow(_ old: Table?, _ new: Table?) -> TableChanges {
    guard let old, let new else { return TableChanges() }
    var changes = TableChanges()
    let keys = 0..<max(old.endKey, new.endKey)
    changes.inserted = KeyRangeSet(rising: keys.filter { !old.isLive($0) && new.isLive($0) })
    changes.deleted = KeyRangeSet(rising: keys.filter { old.isLive($0) && !new.isLive($0) })
    var groups: [[UInt16]: [Int]] = [:]
    for key in keys where old.isLive(key) && new.isLive(key) {
      let columns = new.schema.columns.filter {
        !new.value($0.position, at: key).isBitIdentical(to: old.value($0.position, at: key))
      }
      if !columns.isEmpty { groups[columns.map(\.id), default: []].append(key) }
    }
    changes.modified = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { ModifiedRows(columns: $0.key, keys: KeyRangeSet(rising: $0.value)) }
    return changes
  }
}
