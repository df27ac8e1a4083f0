import CairnSystem
import CairnValues

/// The handling of a row whose primary key is taken.
package enum ConflictPolicy: Sendable {
  /// The load fails, and the store remains unchanged.
  case error
  /// The row replaces the older one.
  case replace
  /// The older row remains, and the new one is dropped.
  case skip
}

/// The outcome of a bulk load.
package struct BulkSummary: Equatable, Sendable {
  /// The number of new rows.
  package var inserted = 0
  /// The number of rows that replaced an older one.
  package var replaced = 0
  /// The number of rows that were dropped because their key was taken.
  package var skipped = 0
  /// The number of rows that were to replace an equal one, and were not written.
  package var unchanged = 0

  /// Makes a summary of a load.
  package init(inserted: Int = 0, replaced: Int = 0, skipped: Int = 0, unchanged: Int = 0) {
    self.inserted = inserted
    self.replaced = replaced
    self.skipped = skipped
    self.unchanged = unchanged
  }
}

/// Loads many rows into one class: sorts them along the Hilbert curve of their location and writes
/// them as new chunks, which become visible with the last, small commit.
///
/// Several threads may add column batches. Memory is bounded by the size of a batch, not by their
/// number: sorted batches wait in a nameless file beside the store.
package final class BulkLoad: @unchecked Sendable {
  // Sendable: `lock` guards the runs; the rest never changes, or only `finish` uses it.
  let store: Store
  let tableName: String
  /// The properties that the rows have, then the boxes of the geometries among them.
  let columns: [BulkColumn]
  /// The column of points or boxes that determines the row order.
  let location: Int?
  let primaryKey: Int?
  let indexed: [Int]
  /// The columns with a full-text index.
  let fullText: [Int]
  let policy: ConflictPolicy
  /// Whether the class must not exist, also not when the load ends.
  private let makesClass: Bool
  /// The changes to the class, if it existed when the load began.
  private let changes: [Widening.Change]
  /// The classes of the program, which the load makes if the store lacks them.
  private let classes: [TableDraft]
  let spill: SpillFile
  /// The target size in bytes of a merge block.
  var blockBytes = RunMerge.usualBlockBytes
  private let lock = Lock()
  private var runs: [Int: SortedRun] = [:]
  /// The rows that the class has already, which are not written.
  let known: KnownRows?
  private var knownRuns: [Int: SortedRun] = [:]
  /// Whether the rows in `knownRuns` are written after all, because the class changed meanwhile.
  private var writesAll = false

  /// Begins a load into a class. The load makes the class if it does not exist, and widens it if it
  /// lacks properties.
  ///
  /// - Parameters:
  ///   - columns: The properties that the rows have. They get null in the other properties of the
  ///     class.
  ///   - location: The point column that determines the row order. Without one, the boxes of the
  ///     first geometry do.
  ///   - primaryKey: The primary key of a new class. An existing class has its own.
  ///   - indexed: The new columns that get a value index.
  ///   - fullText: The new columns that get a full-text index.
  ///   - makesClass: Whether the load makes the class, and fails if it exists or somebody else makes it
  ///     meanwhile.
  ///   - classes: The class as a program declares it, and the classes that it refers to. The load
  ///     makes those that the store lacks, in the commit that adds the rows.
  package init(
    store: Store, table: String, columns: [BulkColumn], location: Int?, primaryKey: Int?,
    indexed: [Int], fullText: [Int] = [], onConflict policy: ConflictPolicy,
    makesClass: Bool = false, classes: [TableDraft] = []
  ) throws(StoreError) {
    self.store = store
    self.makesClass = makesClass
    self.classes = classes
    tableName = table
    self.columns = columns + columns.indices.compactMap { columns[$0].boxes(of: $0) }
    self.location =
      location ?? self.columns.firstIndex { $0.source != nil }
    self.policy = policy
    let schema = try store.snapshot().schema
    let declared = try Self.declared(table, of: classes, in: schema)
    guard !makesClass || schema.table(named: table) == nil else {
      throw StoreError(
        .schemaMismatch,
        message: "\(store.path) already has a class '\(table)'; give another name, or drop it first"
      )
    }
    let existing = schema.table(named: table) ?? declared
    let wanted = Set(indexed.map { columns[$0].name })
    let texts = Set(fullText.map { columns[$0].name })
    let widening = try existing.map { (existing) throws(StoreError) in
      try Widening(of: existing, for: columns, indexed: wanted, fullText: texts)
    }
    changes = widening?.changes ?? []
    self.primaryKey =
      widening.map { $0.positions(in: columns, where: { $0.isPrimaryKey }).first } ?? primaryKey
    self.indexed = widening?.positions(in: columns, where: { $0.isIndexed }) ?? indexed
    self.fullText = widening?.positions(in: columns, where: { $0.isFullText }) ?? fullText
    spill = try SpillFile(beside: store.environment.realPath)
    if let own = schema.table(named: table), let key = self.primaryKey, changes.isEmpty {
      known = KnownRows(own, columns: columns, key: key, policy: policy, of: store)
    } else {
      known = nil
    }
    try check(isNew: existing == nil)
  }

  /// The properties that the rows have.
  private var properties: [BulkColumn] { columns.filter { $0.source == nil } }

  /// The number of properties that the rows have.
  package var propertyCount: Int { properties.count }

  /// Returns the class that the load makes if none exists.
  func newSchema(id: UInt32 = 0, version: UInt64 = 0) -> TableSchema {
    let made = properties.enumerated().map { position, column in
      ColumnSchema(
        id: UInt16(position), name: column.name, type: column.type,
        collection: column.collection, isOptional: column.isOptional,
        isIndexed: indexed.contains(position),
        isFullText: fullText.contains(position), isPrimaryKey: primaryKey == position,
        position: position)
    }
    let schema = TableSchema(id: id, name: tableName, columns: made, version: version)
    return SchemaValidator(classes: [schema]).completed(schema)
  }

  /// Returns the load's class as the program declares it, without a number; nil if the store has the
  /// class, or the program does not declare it.
  func declared(in schema: StoreSchema) throws(StoreError) -> TableSchema? {
    try Self.declared(tableName, of: classes, in: schema)
  }

  private static func declared(
    _ name: String, of classes: [TableDraft], in schema: StoreSchema
  ) throws(StoreError) -> TableSchema? {
    try absent(classes, in: schema).first { $0.name.hasSameCodePoints(as: name) }
  }

  /// Returns the program's classes that the store lacks, without numbers.
  func absentClasses(
    in schema: StoreSchema, version: UInt64
  ) throws(StoreError) -> [TableSchema] {
    try Self.absent(classes, in: schema, version: version)
  }

  /// Returns the classes of a store, and those of a program that the store lacks, which have no
  /// numbers yet.
  package static func classes(
    of schema: StoreSchema, with drafts: [TableDraft]
  ) throws(StoreError) -> StoreSchema {
    StoreSchema(tables: schema.tables + (try absent(drafts, in: schema)))
  }

  private static func absent(
    _ classes: [TableDraft], in schema: StoreSchema, version: UInt64 = 0
  ) throws(StoreError) -> [TableSchema] {
    try SchemaReconciler(
      existing: schema.tables, classes.filter { schema.table(named: $0.name) == nil },
      version: version
    ).schemas()
  }

  private func check(isNew: Bool) throws(StoreError) {
    if isNew { try newSchema().check() }
    if let location, columns[location].type != .point, columns[location].type != .box {
      throw StoreError(
        .schemaMismatch,
        message: "'\(columns[location].name)' cannot be the location: expected a point, "
          + "found \(columns[location].type.name)"
      )
    }
  }

  /// The widening of the class; nil if the class has changed since the load began.
  func widening(_ schema: TableSchema) -> Widening? {
    let wanted = Set(indexed.map { columns[$0].name })
    let texts = Set(fullText.map { columns[$0].name })
    guard !makesClass,
      let widening = try? Widening(
        of: schema, for: properties, indexed: wanted, fullText: texts),
      widening.changes == changes,
      widening.positions(in: columns, where: { $0.isPrimaryKey }).first == primaryKey,
      widening.positions(in: columns, where: { $0.isIndexed }) == indexed.sorted(),
      widening.positions(in: columns, where: { $0.isFullText }) == fullText.sorted()
    else { return nil }
    return widening
  }

  /// The version of the store that keeps earlier Cairns from freeing the load in part.
  var requiredFormat: UInt32 {
    if !fullText.isEmpty { return Store.positionsFormat }
    return columns.contains { $0.type.isGeometry } ? Store.geometryFormat : 1
  }

  /// The error for a class that has changed since the load began.
  var changed: StoreError {
    let reason =
      makesClass
      ? "made by someone else meanwhile; give another name"
      : "made or changed by someone else during the import; import again"
    return StoreError(.schemaMismatch, message: "class '\(tableName)' was \(reason)")
  }

  /// Returns the numbers of the columns in a class.
  func ids(in schema: TableSchema) throws(StoreError) -> [UInt16] {
    let ids = columns.compactMap { column -> UInt16? in
      let property = schema.stored(column.name)
      return (column.source == nil ? property : property.flatMap(schema.bounds))?.id
    }
    guard ids.count == columns.count else { throw changed }
    return ids
  }

  /// Sorts a column batch and spills it to the temporary file. The caller may reuse the batch
  /// afterwards.
  ///
  /// - Parameter number: The index of the batch in the source, from 0. Rows at the same location
  ///   keep the source's order, unless the class changes meanwhile.
  package func add(_ section: ColumnBatch, number: Int) throws(StoreError) {
    section.makeBoxes(for: columns)
    let flags = try known?.flags(of: section, number: number)
    func run(isKnown: Bool) throws(StoreError) -> SortedRun {
      try SortedRun(
        section, number: number, location: location, keepsOrdinals: primaryKey != nil, into: spill,
        rows: flags, isFlagged: isKnown)
    }
    let new = try run(isKnown: false)
    let old = try flags == nil ? nil : run(isKnown: true)
    lock.withLock {
      runs[number] = new
      knownRuns[number] = old
    }
  }

  /// Merges the batches, writes them and makes them visible.
  package func finish() throws(StoreError) -> BulkSummary {
    while true {
      if let summary = try tryFinish() { return summary }
    }
  }

  /// Writes everything; nil if a transaction has made the program's class meanwhile, under another
  /// number than the one that this load reserved for it, or has changed rows that this load left out.
  private func tryFinish() throws(StoreError) -> BulkSummary? {
    guard try isOmissionRight() else { return nil }
    let sorted = lock.withLock {
      (Array(runs) + (writesAll ? Array(knownRuns) : [])).sorted { $0.key < $1.key }.map(\.value)
    }
    if omitted > 0, sorted.allSatisfy({ $0.rowCount == 0 }) { return withOmitted(BulkSummary()) }
    let writer = try BulkWriter(self)
    do {
      try writer.write(
        RunMerge(
          sorted, columns: columns, location: location, spill: spill, fullText: fullText,
          format: writer.format, blockBytes: blockBytes))
      if let summary = try writer.publish() { return withOmitted(summary) }
    } catch {
      writer.abandon()
      throw error
    }
    writer.abandon()
    return nil
  }

  /// The number of rows that are not written because the class has them already.
  private var omitted: Int {
    lock.withLock { writesAll ? 0 : knownRuns.values.reduce(0) { $0 + $1.rowCount } }
  }

  private func withOmitted(_ summary: BulkSummary) -> BulkSummary {
    var summary = summary
    if policy == .skip { summary.skipped += omitted } else { summary.unchanged = omitted }
    return summary
  }

  /// Whether the class still has the rows that are not written, after all commits so far. If not, the
  /// next attempt writes all.
  private func isOmissionRight() throws(StoreError) -> Bool {
    guard omitted > 0 else { return true }
    try store.environment.acquireWriterLock()
    defer { store.environment.releaseWriterLock() }
    return try isOmissionRight(replacing: [])
  }

  /// - Parameter replaced: Rows of the class that rows of the load replace. If one of them is also
  ///   equal to a row that was left out, the order of the two decides, which needs both.
  private func isOmissionRight(replacing replaced: [Int]) throws(StoreError) -> Bool {
    guard omitted > 0, let known else { return true }
    if try known.isCurrent(in: store.snapshot()), !replaced.contains(where: known.isDoubtful) {
      return true
    }
    lock.withLock { writesAll = true }
    return false
  }

  /// Whether the rows that are not written are right in the state that a transaction changes. Its base
  /// is committed then, so that a snapshot has it.
  func isOmissionRight(
    replacing replaced: [Int], in transaction: WriteTransaction
  ) throws(StoreError) -> Bool {
    guard omitted > 0 else { return true }
    try transaction.waitForBase()
    return try isOmissionRight(replacing: replaced)
  }

  /// Whether another transaction may make the class meanwhile: the program declares it.
  var sharesClass: Bool { classes.contains { $0.name.hasSameCodePoints(as: tableName) } }

  /// Returns the number of a record in the source, from 1.
  func recordNumber(_ ordinal: UInt64) -> Int {
    let section = Int(ordinal >> 32)
    let before = lock.withLock {
      (Array(runs) + Array(knownRuns)).filter { $0.key < section }
        .reduce(0) { $0 + $1.value.rowCount }
    }
    return before + Int(ordinal & 0xFFFF_FFFF) + 1
  }

  /// Ends the load without changing the store.
  package func cancel() {
    lock.withLock { (runs, knownRuns) = ([:], [:]) }
  }
}

extension Widening {
  /// Returns the positions of the load's columns that become such properties.
  fileprivate func positions(
    in data: [BulkColumn], where isWanted: (ColumnSchema) -> Bool
  ) -> [Int] {
    let names = Set(columns.filter(isWanted).map(\.name))
    return data.indices.filter { names.contains(data[$0].name) }
  }
}
