import CairnValues

/// What to do with a row whose primary key is taken.
package enum ConflictPolicy: Sendable {
  /// The load fails, and the store stays as it was.
  case error
  /// The row takes the place of the older one.
  case replace
  /// The older row stays, the new one is dropped.
  case skip
}

/// What a bulk load did.
package struct BulkSummary: Equatable, Sendable {
  /// Rows that are new.
  package var inserted = 0
  /// Rows that took the place of an older one.
  package var replaced = 0
  /// Rows that were dropped because their key was taken.
  package var skipped = 0
}

/// Brings many rows into one class: sorts them along the Hilbert curve of their location, and writes
/// them as new chunks that nobody sees until the last, small commit.
///
/// Sections may be added by several threads. Memory is bounded by what a section takes, however many
/// there are: sorted sections wait in a nameless file beside the store.
package final class BulkLoad: @unchecked Sendable {
  // Sendable: `runs` is only touched under `lock`; all else is fixed once made, or used by `finish` alone.
  let store: Store
  let tableName: String
  let columns: [BulkColumn]
  let location: Int?
  let primaryKey: Int?
  let indexed: [Int]
  let policy: ConflictPolicy
  let spill: SpillFile
  /// Bytes of a block of the merge.
  var blockBytes = RunMerge.usualBlockBytes
  private let lock = Lock()
  private var runs: [Int: SortedRun] = [:]

  /// Begins a load into a class, which is made if there is none of that name.
  ///
  /// - Parameters:
  ///   - location: the point column whose order the rows get.
  ///   - primaryKey: the column that tells rows apart, when the class is new; an existing class has its own.
  ///   - indexed: columns that get a value index, when the class is new.
  package init(
    store: Store, table: String, columns: [BulkColumn], location: Int?, primaryKey: Int?,
    indexed: [Int], onConflict policy: ConflictPolicy
  ) throws(StoreError) {
    self.store = store
    tableName = table
    self.columns = columns
    self.location = location
    self.policy = policy
    let existing = try store.snapshot().schema.table(named: table)
    if let existing { try Self.check(columns, fit: existing) }
    self.primaryKey = existing?.primaryKey ?? primaryKey
    self.indexed = existing?.columns.filter(\.isIndexed).map(\.position) ?? indexed
    spill = try SpillFile(beside: store.environment.realPath)
    try check(isNew: existing == nil)
  }

  /// The columns of the class that the load makes, unless there is one.
  var schemaColumns: [ColumnSchema] {
    columns.enumerated().map { position, column in
      ColumnSchema(
        id: UInt16(position), name: column.name, type: column.type,
        isOptional: column.isOptional, isIndexed: indexed.contains(position),
        isPrimaryKey: primaryKey == position, position: position)
    }
  }

  private func check(isNew: Bool) throws(StoreError) {
    if isNew { try TableSchema(id: 0, name: tableName, columns: schemaColumns).check() }
    if let location, columns[location].type != .point {
      throw StoreError(
        .schemaMismatch,
        "'\(columns[location].name)' is of type \(columns[location].type.name), so it is no location"
      )
    }
  }

  private static func check(
    _ columns: [BulkColumn], fit schema: TableSchema
  ) throws(StoreError) {
    guard !schema.isEmbedded else {
      throw StoreError(
        .schemaMismatch,
        "class '\(schema.name)' is embedded: its objects live in others, and cannot be imported")
    }
    guard columns.count == schema.properties.count else {
      throw StoreError(
        .schemaMismatch,
        "class '\(schema.name)' has \(schema.properties.count) properties, the data has \(columns.count)"
      )
    }
    for (column, own) in zip(columns, schema.properties) {
      guard column.name == own.name, column.type == own.type, own.collection == .none,
        own.isOptional || !column.isOptional
      else {
        throw StoreError(
          .schemaMismatch,
          "property '\(schema.name).\(own.name)' is \(own.type)\(own.isOptional ? "?" : ""), "
            + "the data has '\(column.name)' of type \(column.type)\(column.isOptional ? "?" : "")")
      }
    }
  }

  /// Whether the class is still as the load takes it to be.
  func matches(_ schema: TableSchema) -> Bool {
    guard (try? Self.check(columns, fit: schema)) != nil else { return false }
    return schema.primaryKey == primaryKey
      && schema.columns.filter(\.isIndexed).map(\.position) == indexed.sorted()
  }

  /// The error for a class that is another one than the load was begun for.
  var changed: StoreError {
    StoreError(
      .schemaMismatch,
      "class '\(tableName)' was made or changed by someone else during the import; import again")
  }

  /// Sorts a section and sets it aside; the section may be used again afterwards.
  ///
  /// - Parameter number: its place in the source, from 0: rows at the same place keep the source's order.
  package func add(_ section: Section, number: Int) throws(StoreError) {
    let run = try SortedRun(
      section, number: number, location: location, keepsOrdinals: primaryKey != nil, into: spill)
    lock.withLock { runs[number] = run }
  }

  /// Merges the sections, writes them, and makes them visible.
  package func finish() throws(StoreError) -> BulkSummary {
    let sorted = lock.withLock { runs.sorted { $0.key < $1.key }.map(\.value) }
    let writer = try BulkWriter(self)
    do {
      try writer.write(RunMerge(sorted, columns, spill, blockBytes: blockBytes))
      return try writer.publish()
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// The place of a record in the source, from 1.
  func recordNumber(_ ordinal: UInt64) -> Int {
    let section = Int(ordinal >> 32)
    let before = lock.withLock {
      runs.filter { $0.key < section }.reduce(0) { $0 + $1.value.rowCount }
    }
    return before + Int(ordinal & 0xFFFF_FFFF) + 1
  }

  /// Ends the load without a trace.
  package func cancel() { lock.withLock { runs = [:] } }
}
