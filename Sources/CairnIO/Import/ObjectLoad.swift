internal import CairnStorage
import CairnSystem
internal import CairnValues

/// Stores rows that have links or embedded objects: one object after the other in one write
/// transaction. The rows are kept in memory until then.
final class ObjectLoad: Sendable {
  private let store: Store
  private let className: String
  private let plan: ImportPlan
  private let options: ImportOptions
  private let kept = KeptBatches()

  init(_ store: Store, className: String, plan: ImportPlan, options: ImportOptions) {
    self.store = store
    self.className = className
    self.plan = plan
    self.options = options
  }

  /// Adds the rows of a block, which must not change afterwards.
  func add(_ batch: ColumnBatch, of block: InputBlock) { kept.add(batch, of: block) }

  /// Ends the load without changing the store.
  func cancel() { kept.removeAll() }

  /// Stores all objects in one commit, or none.
  func finish() throws(ParseAbort) -> BulkSummary {
    let transaction = try ParseAbort.onStore { () throws(StoreError) in try store.beginWrite() }
    do throws(ParseAbort) {
      let writer = try ObjectWriter(
        transaction, className: className, plan: plan, options: options)
      for part in kept.inOrder {
        for row in 0..<part.batch.rowCount {
          try writer.insert(part.batch, row: row, at: part.position(ofRow: row))
        }
      }
      try writer.setLinks()
      try ParseAbort.onStore { () throws(StoreError) in try transaction.commit() }
      return writer.summary
    } catch {
      if transaction.isOpen { transaction.rollback() }
      throw error
    }
  }
}

/// Inserts the objects of an import in a write transaction.
private final class ObjectWriter {
  /// Links to objects of the class that is imported, which may come later in the files.
  private struct Links {
    let value: NestedValue
    let column: ColumnSchema
    let owner: TableWriter
    let key: Int
    let position: InputPosition
  }

  private(set) var summary = BulkSummary()
  private let transaction: WriteTransaction
  private let writer: TableWriter
  private let reader: NestedReader
  private let policy: CairnStorage.ConflictPolicy
  /// The columns of a batch, and the properties that they fill.
  private let columns: [(index: Int, property: ColumnSchema)]
  private let blank: [Value]
  private var links: [Links] = []
  private var rowCount = 0

  init(
    _ transaction: WriteTransaction, className: String, plan: ImportPlan, options: ImportOptions
  ) throws(ParseAbort) {
    self.transaction = transaction
    policy = options.onConflict.load
    let writer = try ParseAbort.onStore { () throws(StoreError) in
      try transaction.prepareClass(
        className, for: plan.bulkColumns, classes: options.programClasses)
    }
    self.writer = writer
    reader = NestedReader(transaction.schema, reading: plan.reading)
    let schema = writer.table.schema
    columns = plan.storedColumns.enumerated().compactMap { index, column in
      schema.column(named: column.name).map { (index, $0) }
    }
    blank = schema.properties.map(\.blank)
  }

  /// Inserts a row of a batch with its embedded objects.
  func insert(
    _ batch: ColumnBatch, row: Int, at position: InputPosition
  ) throws(ParseAbort) {
    rowCount += 1
    var values = blank
    for (index, property) in columns where !property.isLink {
      values[property.position] = batch.columns[index].value(at: row)
    }
    guard try makeWay(for: values) else { return }
    let key = try stored(at: position) { () throws(StoreError) in try writer.insert(values) }
    summary.inserted += 1
    for (index, property) in columns where property.isLink {
      let column = batch.columns[index]
      guard !column.isNull(row) else { continue }
      try set(try nested(column, row: row, property), property, of: writer, at: key, position)
    }
  }

  /// Applies the policy to a row whose primary key is taken. Returns whether the row is inserted.
  private func makeWay(for values: [Value]) throws(ParseAbort) -> Bool {
    guard let position = writer.table.schema.primaryKey,
      let taken = writer.table.find(primaryKey: values[position])
    else { return true }
    switch policy {
    case .error:
      let name = writer.table.schema.columns[position].name
      throw .failed(
        ImportError(
          StoreError(
            .duplicateKey,
            message: "the primary key '\(name)' \(values[position].plainText) exists already "
              + "(record \(rowCount))")))
    case .skip:
      summary.skipped += 1
      return false
    case .replace:
      try ParseAbort.onStore { () throws(StoreError) in try writer.delete(taken) }
      summary.replaced += 1
      summary.inserted -= 1
      return true
    }
  }

  private func nested(
    _ column: ColumnBuilder, row: Int, _ property: ColumnSchema
  ) throws(ParseAbort) -> NestedValue {
    if property.type == .link, property.collection == .none { return .link(column.value(at: row)) }
    column.makeReadable(beyondTexts: InputBlock.padding)
    let text = column.bytes(at: row).bindMemory(to: UInt8.self)
    do throws(NestedReader.Misfit) { return try reader.read(text, as: property) } catch {
      // The value was checked when it was read, so the classes have changed since.
      throw .failed(
        ImportError(
          .data, message: ImportMessage("`\(error.path)` \(error.problem); import again")))
    }
  }

  /// Sets the links that were left for the end.
  func setLinks() throws(ParseAbort) {
    for links in links where links.owner.table.isLive(links.key) {
      try store(links.value, links.column, of: links.owner, at: links.key, links.position)
    }
  }
}

// Links and embedded objects.
extension ObjectWriter {
  /// Sets a property of an object, now or, if it links to the class that is imported, at the end.
  private func set(
    _ value: NestedValue, _ column: ColumnSchema, of owner: TableWriter, at key: Int,
    _ position: InputPosition
  ) throws(ParseAbort) {
    if column.type == .link, reader.target(of: column)?.id == writer.table.schema.id {
      links.append(
        Links(value: value, column: column, owner: owner, key: key, position: position))
    } else {
      try store(value, column, of: owner, at: key, position)
    }
  }

  private func store(
    _ value: NestedValue, _ column: ColumnSchema, of owner: TableWriter, at key: Int,
    _ position: InputPosition
  ) throws(ParseAbort) {
    let made: Value
    switch value {
    case .list(let elements):
      var keys: [Value] = []
      for element in elements {
        keys.append(try single(element, column, of: owner, at: key, position))
      }
      made = .data(
        column.collection == .set
          ? StoredCollection.encode(set: keys, of: column.type)
          : StoredCollection.encode(keys, of: column.type))
    case .map(let entries):
      var keys: [(key: String, value: Value)] = []
      for entry in entries {
        keys.append((entry.key, try single(entry.value, column, of: owner, at: key, position)))
      }
      made = .data(StoredCollection.encode(map: keys, of: column.type))
    case .value, .link, .object: made = try single(value, column, of: owner, at: key, position)
    }
    try stored(at: position) { () throws(StoreError) in
      try owner.set(made, position: column.position, at: key)
    }
  }

  /// Returns what a row stores for an object: its key. An embedded object is inserted first.
  private func single(
    _ value: NestedValue, _ column: ColumnSchema, of owner: TableWriter, at key: Int,
    _ position: InputPosition
  ) throws(ParseAbort) -> Value {
    switch value {
    case .link(let wanted):
      guard let found = column.target.flatMap(transaction.table)?.table.find(primaryKey: wanted)
      else {
        throw missing(wanted, column, at: position)
      }
      return .int(Int64(found))
    case .object(let members):
      let owner = Owner(table: owner.table.schema.id, column: column.id, key: key)
      return .int(Int64(try embed(members, column, owner: owner, position)))
    case .value, .list, .map: return .null
    }
  }

  private func embed(
    _ members: [(column: ColumnSchema, value: NestedValue)], _ column: ColumnSchema, owner: Owner,
    _ position: InputPosition
  ) throws(ParseAbort) -> Int {
    guard let target = column.target.flatMap(transaction.table) else {
      throw .failed(ImportError(.data, message: "the class of `\(column.name)` is missing"))
    }
    var values = target.table.schema.properties.map(\.blank)
    for (column, value) in members {
      if let stored = value.stored(as: column) { values[column.position] = stored }
    }
    let key = try stored(at: position) { () throws(StoreError) in
      try target.insert(values, owner: owner)
    }
    for (column, value) in members where column.isLink {
      if case .value = value { continue }
      try set(value, column, of: target, at: key, position)
    }
    return key
  }

  private func missing(
    _ key: Value, _ column: ColumnSchema, at position: InputPosition
  ) -> ParseAbort {
    .unstorable(
      RejectedRecord(
        position: position, reason: .nestedValue(property: column.name),
        detail: ImportMessage(
          "`\(column.name)` links to the object `\(key.plainText)` of the class "
            + "\(column.target ?? ""), which does not exist")))
  }

  /// Names the record in an error of the store.
  private func stored<R>(
    at position: InputPosition, _ body: () throws(StoreError) -> R
  ) throws(ParseAbort) -> R {
    do throws(StoreError) { return try body() } catch {
      throw .unstorable(
        RejectedRecord(position: position, reason: "", detail: ImportMessage(error.message)))
    }
  }
}

extension ColumnSchema {
  /// The value of a property that a file does not fill.
  fileprivate var blank: Value {
    if collection != .none { return .data([]) }
    return isNullable ? .null : .defaultValue(of: type)
  }
}
