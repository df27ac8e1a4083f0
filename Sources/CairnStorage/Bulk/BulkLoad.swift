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
  /// What the class becomes, if it was there when the load began.
  private let changes: [Widening.Change]
  let spill: SpillFile
  /// Bytes of a block of the merge.
  var blockBytes = RunMerge.usualBlockBytes
  private let lock = Lock()
  private var runs: [Int: SortedRun] = [:]

  /// Begins a load into a class, which is made if there is none of that name, and widened if it lacks something.
  ///
  /// - Parameters:
  ///   - columns: what the rows bring; of the other properties of the class they get null.
  ///   - location: the point column whose order the rows get.
  ///   - primaryKey: the column that tells rows apart, when the class is new; an existing class has its own.
  ///   - indexed: columns that get a value index, when they are new.
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
    let wanted = Set(indexed.map { columns[$0].name })
    let widening = try existing.map { (existing) throws(StoreError) in
      try Widening(of: existing, for: columns, indexed: wanted)
    }
    changes = widening?.changes ?? []
    self.primaryKey =
      widening.map { $0.positions(in: columns, where: { $0.isPrimaryKey }).first } ?? primaryKey
    self.indexed = widening?.positions(in: columns, where: { $0.isIndexed }) ?? indexed
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

  /// The class as it is to be; nil where it has become another one than the load was begun for.
  func widening(_ schema: TableSchema) -> Widening? {
    let wanted = Set(indexed.map { columns[$0].name })
    guard let widening = try? Widening(of: schema, for: columns, indexed: wanted),
      widening.changes == changes,
      widening.positions(in: columns, where: { $0.isPrimaryKey }).first == primaryKey,
      widening.positions(in: columns, where: { $0.isIndexed }) == indexed.sorted()
    else { return nil }
    return widening
  }

  /// The error for a class that is another one than the load was begun for.
  var changed: StoreError {
    StoreError(
      .schemaMismatch,
      "class '\(tableName)' was made or changed by someone else during the import; import again")
  }

  /// The numbers that the columns have in a class.
  func ids(in schema: TableSchema) throws(StoreError) -> [UInt16] {
    let ids = columns.compactMap { schema.stored($0.name)?.id }
    guard ids.count == columns.count else { throw changed }
    return ids
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

extension Widening {
  /// Which columns of a load become such properties.
  fileprivate func positions(
    in data: [BulkColumn], where isWanted: (ColumnSchema) -> Bool
  ) -> [Int] {
    let names = Set(columns.filter(isWanted).map(\.name))
    return data.indices.filter { names.contains(data[$0].name) }
  }
}
