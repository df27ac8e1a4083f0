/// Bytes that the values of a store take in its file, pages that are not filled included; what an import has written that
/// is under way, or was killed, belongs to no class yet.
package struct StoredSizes: Sendable {
  /// Of one column of a class.
  package struct Column: Sendable {
    /// Bytes of the values.
    package internal(set) var values = 0
    /// Bytes of its indexes.
    package internal(set) var indexes = 0
  }

  private struct Place: Hashable {
    let table: UInt32
    let column: UInt16
  }

  private var columns: [Place: Column] = [:]
  private var tables: [UInt32: Int] = [:]

  /// LMDB gives a value of more than about half a page whole pages, the first with a header.
  private static let pageSize = 4096
  private static let pageHeader = 16
  private static let largestInline = 2000
  private static let entryOverhead = 10 + StorageKey.size

  fileprivate init(_ transaction: LMDBTransaction) throws(StoreError) {
    let unpublished = Set(try transaction.pendingLoads().map(\.0))
    try transaction.scan(from: StorageKey(kind: .header)) { key, value in
      if let extent = key.extent, unpublished.contains(extent) { return true }
      add(key, value.count)
      return true
    }
  }

  private mutating func add(_ key: StorageKey, _ count: Int) {
    let pages = (count + Self.pageHeader + Self.pageSize - 1) / Self.pageSize
    let size = Self.entryOverhead + (count > Self.largestInline ? pages * Self.pageSize : count)
    let place = Place(table: key.table, column: key.column)
    switch key.kind {
    case .chunk, .zones: columns[place, default: Column()].values += size
    case .runNodes, .runPoints, .runDead, .runKeys:
      columns[place, default: Column()].indexes += size
    case .schema, .state, .liveness: break
    case .header, .journal, .pendingLoad, .counters, .schemaVersion: return
    }
    tables[key.table, default: 0] += size
  }

  /// Of a class, everything that belongs to it.
  package func bytes(of table: TableSchema) -> Int { tables[table.id] ?? 0 }

  /// Of a column.
  package func bytes(of column: ColumnSchema, in table: TableSchema) -> Column {
    columns[Place(table: table.id, column: column.id)] ?? Column()
  }
}

extension StorageKey {
  /// The extent that a value belongs to, where it belongs to one.
  fileprivate var extent: UInt32? {
    switch kind {
    case .chunk, .zones, .liveness: group
    case .runNodes, .runPoints, .runDead, .runKeys: BulkWriter.extent(ofRun: group)
    default: nil
    }
  }
}

extension Snapshot {
  /// What the classes take in the file; every key is looked at, and no value.
  package func storedSizes() throws(StoreError) -> StoredSizes { try StoredSizes(transaction) }
}
