/// The bytes that the values of a store take in its file, including unfilled parts of pages. The
/// data of an import that is running or was killed is not part of a class yet.
package struct StoredSizes: Sendable {
  /// The sizes of one column of a class.
  package struct Column: Sendable {
    /// The bytes of the values.
    package internal(set) var values = 0
    /// The bytes of the indexes.
    package internal(set) var indexes = 0
  }

  private struct ColumnID: Hashable {
    let table: UInt32
    let column: UInt16
  }

  private var columns: [ColumnID: Column] = [:]
  private var tables: [UInt32: Int] = [:]

  /// LMDB stores a value of more than about half a page on pages of its own, the first with a
  /// header.
  private let pageSize: Int
  private var largestInline: Int { pageSize / 2 - 48 }
  private static let pageHeader = 16
  private static let entryOverhead = 10 + StorageKey.size

  fileprivate init(_ transaction: LMDBTransaction) throws(StoreError) {
    pageSize = transaction.environment.alignedSize * 2
    let unpublished = Set(try transaction.pendingLoads().map(\.0))
    try transaction.scan(from: StorageKey(kind: .header)) { key, value in
      if let extent = key.extent, unpublished.contains(extent) { return true }
      add(key, count: value.count)
      return true
    }
  }

  private mutating func add(_ key: StorageKey, count: Int) {
    let pages = (count + Self.pageHeader + pageSize - 1) / pageSize
    let size = Self.entryOverhead + (count > largestInline ? pages * pageSize : count)
    let id = ColumnID(table: key.table, column: key.column)
    switch key.kind {
    case .chunk, .zones, .largeValue, .largeValueGroup:
      columns[id, default: Column()].values += size
    case .runNodes, .runEntries, .runTombstones, .runKeys, .runWords,
      .runPositions:
      columns[id, default: Column()].indexes += size
    case .schema, .state, .liveRowBitmap: break
    case .header, .changeLog, .pendingLoad, .counters, .schemaVersion, .inventory: return
    }
    tables[key.table, default: 0] += size
  }

  /// Returns the bytes of everything that belongs to a class.
  package func bytes(of table: TableSchema) -> Int { tables[table.id] ?? 0 }

  /// Returns the bytes of a column.
  package func bytes(of column: ColumnSchema, in table: TableSchema) -> Column {
    columns[ColumnID(table: table.id, column: column.id)] ?? Column()
  }
}

extension StorageKey {
  /// The extent that a value belongs to; nil if its kind has no extent.
  fileprivate var extent: UInt32? {
    switch kind {
    case .chunk, .zones, .liveRowBitmap, .largeValue, .largeValueGroup: group
    case .runNodes, .runEntries, .runTombstones, .runKeys, .runWords,
      .runPositions:
      StorageKey.extent(ofLoadRun: group)
    default: nil
    }
  }
}

extension Snapshot {
  /// Returns the sizes of the classes in the file. This visits every key but reads no value.
  package func storedSizes() throws(StoreError) -> StoredSizes { try StoredSizes(transaction) }
}
