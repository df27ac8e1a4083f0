import CairnSystem

/// The classes of one state of a store, which resolve each other's links.
///
/// The set and its tables retain each other until `close`. A table that is used afterwards still
/// finds the others, but each lookup makes a new one, so that old pages of the file are not kept
/// longer than a reader needs them.
class TableSet {
  final let transaction: LMDBTransaction
  private let states: [UInt32: TableState]
  final private(set) var schemas: [TableSchema]
  private var cachedSchema: StoreSchema?
  /// Whether these are the tables of a write transaction, which overlays its changes on them.
  private let isWritable: Bool
  /// Guards the tables' caches; nil if only one thread reads them.
  final let lock: Lock?
  /// The tables, in the order of `schemas`.
  private var tables: [Table?]
  final private(set) var isClosed = false

  init(
    _ schemas: [TableSchema], states: [UInt32: TableState], transaction: LMDBTransaction,
    isWritable: Bool, isShared: Bool = false
  ) {
    lock = isShared ? Lock() : nil
    self.schemas = schemas
    self.states = states
    self.transaction = transaction
    self.isWritable = isWritable
    tables = Array(repeating: nil, count: schemas.count)
  }

  /// The same state of the classes for any number of threads, while others use this set.
  func shared() -> TableSet {
    transaction.share()
    return TableSet(
      schemas, states: states, transaction: transaction, isWritable: false, isShared: true)
  }

  /// The same state of the classes for one other thread.
  func detached() -> TableSet {
    transaction.share()
    return TableSet(schemas, states: states, transaction: transaction, isWritable: false)
  }

  /// Releases the tables, even while others still use them.
  func close() {
    isClosed = true
    tables = Array(repeating: nil, count: schemas.count)
  }

  /// The classes sorted by name.
  var schema: StoreSchema {
    if let cachedSchema { return cachedSchema }
    let made = StoreSchema(tables: schemas)
    cachedSchema = made
    return made
  }

  /// Adds a class that the transaction makes.
  func add(_ schema: TableSchema) {
    cachedSchema = nil
    schemas.append(schema)
    tables.append(nil)
  }

  /// Adds a program's classes to the set: new names and inverse properties for the store's classes,
  /// and classes that the store lacks, which read as empty. None of this is stored.
  final func declare(_ drafts: [TableDraft]) throws(StoreError) {
    let absent = drafts.filter { index(of: $0.name) == nil }
    for schema in try SchemaReconciler(existing: schemas, absent).schemas() {
      add(schema.changed(id: .max - UInt32(schemas.count)))
    }
    for draft in drafts {
      guard let index = index(of: draft.name) else { continue }
      schemas[index] = schemas[index].declaring(draft)
      tables[index]?.schema = schemas[index]
    }
  }

  /// Replaces the schema of a class that the transaction has not edited. Its table is made again.
  func replace(_ schema: TableSchema, at index: Int) {
    cachedSchema = nil
    schemas[index] = schema
    tables[index] = nil
  }

  /// Replaces the schema of a class whose columns keep their positions.
  func rename(_ schema: TableSchema, at index: Int) {
    cachedSchema = nil
    schemas[index] = schema
    tables[index]?.schema = schema
  }

  /// Removes a class. The indexes of the classes after it change.
  func remove(at index: Int) {
    cachedSchema = nil
    schemas.remove(at: index)
    tables.remove(at: index)
    for table in tables { table?.forgetTargets() }
  }

  /// Returns the index in `schemas` of the class of that name. Names are compared by code point.
  final func index(of name: String) -> Int? {
    schemas.firstIndex { $0.name.hasSameCodePoints(as: name) }
  }

  /// Returns the index in `schemas` of the class of that number.
  final func index(ofID id: UInt32) -> Int? { schemas.firstIndex { $0.id == id } }

  /// Returns the table at an index.
  final func table(at index: Int) -> Table {
    guard let lock else { return lookUpTable(at: index) }
    return lock.withLock { lookUpTable(at: index) }
  }

  private func lookUpTable(at index: Int) -> Table {
    if let known = tables[index] { return known }
    let schema = schemas[index]
    let table = Table(
      schema: schema, state: states[schema.id] ?? TableState(), set: self, isOverlaid: isWritable)
    if !isClosed { tables[index] = table }
    return table
  }
}

extension TableSchema {
  /// Returns the class with a program's additional names and inverse properties.
  fileprivate func declaring(_ draft: TableDraft) -> TableSchema {
    let more = draft.inverses.filter { inverse(named: $0.name) == nil }
    return changed(inverses: inverses + more, aliases: draft.aliases)
  }
}
