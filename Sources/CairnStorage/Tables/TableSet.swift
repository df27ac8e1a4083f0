/// The classes of one state of a store, from which a class finds those that its links lead to.
///
/// The set and its tables hold each other until `close`. A table that is used after that still finds the others: each
/// time made anew, so that nothing keeps old pages of the file for longer than someone reads them.
final class TableSet {
  let transaction: LMDBTransaction
  private let states: [UInt32: TableState]
  private(set) var schemas: [TableSchema]
  private var schemaIfMade: Schema?
  /// Whether the tables are those of a write transaction, which lays its changes over them.
  private let isWritable: Bool
  /// Held while tables remember what they read; nil where one thread alone reads them.
  let lock: Lock?
  /// In the order of `schemas`.
  private var tables: [Table?]
  private var writers: [TableWriter?]
  private var isClosed = false

  init(
    _ schemas: [TableSchema], _ states: [UInt32: TableState], _ transaction: LMDBTransaction,
    isWritable: Bool, isShared: Bool = false
  ) {
    lock = isShared ? Lock() : nil
    self.schemas = schemas
    self.states = states
    self.transaction = transaction
    self.isWritable = isWritable
    tables = Array(repeating: nil, count: schemas.count)
    writers = Array(repeating: nil, count: schemas.count)
  }

  /// The classes of a snapshot, to edit.
  convenience init(editing snapshot: Snapshot) {
    self.init(
      snapshot.schema.tables, snapshot.catalog.states, snapshot.transaction, isWritable: true)
  }

  /// Forgets the tables, whoever still uses them.
  func close() {
    isClosed = true
    for writer in writers { writer?.draft.connect([]) }
    tables = Array(repeating: nil, count: schemas.count)
    writers = []
  }

  /// The classes in the order of their names.
  var schema: Schema {
    if let schemaIfMade { return schemaIfMade }
    let made = Schema(tables: schemas)
    schemaIfMade = made
    return made
  }

  /// Adds a class that the transaction makes.
  func add(_ schema: TableSchema) {
    schemaIfMade = nil
    schemas.append(schema)
    tables.append(nil)
    if !isClosed { writers.append(nil) }
  }

  /// Lets the set know classes as a program has them: what they add to those of the store, and those that the store
  /// lacks, which read as empty. Nothing of it is stored.
  func know(_ drafts: [TableDraft]) throws(StoreError) {
    let absent = drafts.filter { place(of: $0.name) == nil }
    for schema in try SchemaFitting(existing: schemas, absent).schemas() {
      add(schema.changed(id: .max - UInt32(schemas.count)))
    }
    for draft in drafts {
      guard let place = place(of: draft.name) else { continue }
      schemas[place] = schemas[place].knowing(draft)
      tables[place]?.schema = schemas[place]
    }
  }

  /// Gives a class another form; nothing of it may have been edited. Its table and its writer are made anew.
  func replace(_ schema: TableSchema, at place: Int) {
    schemaIfMade = nil
    schemas[place] = schema
    tables[place] = nil
    writers[place]?.draft.connect([])
    writers[place] = nil
    forgetDrafts()
  }

  /// Gives a class another form, in which its columns stand where they stood.
  func rename(_ schema: TableSchema, at place: Int) {
    schemaIfMade = nil
    schemas[place] = schema
    tables[place]?.schema = schema
    forgetDrafts()
  }

  /// Removes a class. The places of those behind it change.
  func remove(at place: Int) {
    schemaIfMade = nil
    schemas.remove(at: place)
    tables.remove(at: place)
    writers.remove(at: place)?.draft.connect([])
    for table in tables { table?.forgetTargets() }
    forgetDrafts()
  }

  /// Lets rows that are put together look up anew where they go, and what they link to.
  private func forgetDrafts() {
    for writer in writers {
      writer?.draft.invalidate()
      writer?.draft.knownOwner = -1
    }
  }

  /// The place of the class of that name among `schemas`, compared by code point.
  func place(of name: String) -> Int? {
    schemas.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The place of the class of that number among `schemas`.
  func place(id: UInt32) -> Int? { schemas.firstIndex { $0.id == id } }

  /// The class at a place.
  func table(at place: Int) -> Table {
    guard let lock else { return rememberedTable(at: place) }
    return lock.withLock { rememberedTable(at: place) }
  }

  private func rememberedTable(at place: Int) -> Table {
    if let known = tables[place] { return known }
    let schema = schemas[place]
    let table = Table(
      schema: schema, state: states[schema.id] ?? TableState(), set: self, isOverlaid: isWritable)
    if !isClosed { tables[place] = table }
    return table
  }

  /// The class at a place, to edit; nil outside write transactions.
  func writer(at place: Int) -> TableWriter? {
    guard isWritable, !isClosed else { return nil }
    if let known = writers[place] { return known }
    let writer = TableWriter(table(at: place))
    writers[place] = writer
    return writer
  }

  /// The classes that were edited, in the order of their numbers.
  var changedWriters: [TableWriter] {
    writers.compactMap { $0 }.filter { $0.isChanged || $0.isAltered }.sorted { $0.schema.id < $1.schema.id }
  }
}

extension TableSet {
  /// Where in each class the keys end that the transaction gave to rows of its own, by number of the class.
  var spentKeys: [UInt32: Int] {
    var spent: [UInt32: Int] = [:]
    for writer in changedWriters { spent[writer.schema.id] = writer.spentKeys }
    return spent
  }
}

extension TableSchema {
  /// The class with the names and the inverse properties that a program has for it.
  fileprivate func knowing(_ draft: TableDraft) -> TableSchema {
    let more = draft.inverses.filter { inverse(named: $0.name) == nil }
    return changed(inverses: inverses + more, aliases: draft.aliases)
  }
}
