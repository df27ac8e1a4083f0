import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The work of `index` and `unindex`.
struct IndexChange {
  private let change: StoreChange
  private let className: String
  private let names: [String]
  /// Whether the indexes are of words instead of values.
  private let isFullText: Bool

  init(
    _ target: ClassArguments, columns: [String], isFullText: Bool, options: ChangeOptions
  ) throws {
    change = try StoreChange(target.store, options: options)
    className = target.className
    names = columns
    self.isFullText = isFullText
  }

  /// Adds or removes the indexes.
  func run(adding: Bool) throws {
    try change.run { transaction in
      let schema = try transaction.writer(className, of: change.store).schema
      let columns = try names.map { try column($0, of: schema, adding: adding) }
      let names = columns.map(\.name)
      isFullText
        ? try transaction.setFullText(adding, names, of: className)
        : try transaction.setIndexed(adding, names, of: className)
      return StoreChange.Summary(
        subject: names.joined(separator: ", "),
        verb: adding
          ? (isFullText ? "indexed by word" : "indexed") : "left without \(indexName)",
        rest: "in \(className)")
    } detail: {
      adding ? try ", \(Quantity.bytes(size()))" : ""
    }
  }

  private var indexName: String { isFullText ? "a full-text index" : "an index" }

  private func column(
    _ name: String, of schema: TableSchema, adding: Bool
  ) throws -> ColumnSchema {
    let column = try ColumnList.column(name, of: schema)
    if isFullText { return try text(column, adding: adding) }
    if column.isPrimaryKey {
      throw Failure(
        .badData,
        message: "'\(name)' is the primary key of '\(schema.name)', which always has an index")
    }
    if column.isSpatial {
      throw Failure(.badData, message: "'\(name)' always has a spatial index")
    }
    if column.isIndexed == adding {
      throw Failure(.badData, message: "'\(name)' \(adding ? "already has an" : "has no") index")
    }
    return column
  }

  private func text(_ column: ColumnSchema, adding: Bool) throws -> ColumnSchema {
    if column.type != .string || column.collection != .none {
      throw Failure(
        .badData,
        message: "'\(column.name)' is not a column of texts, so it cannot have a full-text index")
    }
    if column.isFullText == adding {
      throw Failure(
        .badData,
        message: "'\(column.name)' \(adding ? "already has a" : "has no") full-text index")
    }
    return column
  }

  /// The bytes of the indexes of the columns.
  private func size() throws -> Int {
    let snapshot = try change.store.snapshot()
    let sizes = try snapshot.storedSizes()
    guard let schema = snapshot.schema.table(named: className) else { return 0 }
    return names.reduce(0) { total, name in
      total + (schema.column(named: name).map { sizes.bytes(of: $0, in: schema).indexes } ?? 0)
    }
  }
}

/// The work of `key`.
struct KeyChange {
  /// The most values that a message names.
  private static let maxExamples = 3

  private let change: StoreChange
  private let className: String
  private let column: String?

  /// - Parameter column: The new primary key; nil for none.
  init(_ target: ClassArguments, column: String?, options: ChangeOptions) throws {
    change = try StoreChange(target.store, options: options)
    className = target.className
    self.column = column
  }

  /// Changes the primary key.
  func run() throws {
    try change.run { transaction in
      let schema = try transaction.writer(className, of: change.store).schema
      let old = schema.primaryKey.map { schema.columns[$0].name }
      guard let column else { return try remove(old, in: transaction) }
      let name = try ColumnList.column(column, of: schema).name
      if name == old {
        throw Failure(.badData, message: "'\(name)' is already the primary key of '\(className)'")
      }
      try transaction.setPrimaryKey(name, of: className)
      try requireDistinctValues(of: name)
      return StoreChange.Summary(
        subject: name, verb: "made the primary key",
        rest: "of \(className)" + (old.map { " in place of \($0)" } ?? ""))
    }
  }

  private func remove(
    _ old: String?, in transaction: WriteTransaction
  ) throws -> StoreChange.Summary {
    guard let old else {
      throw Failure(.badData, message: "'\(className)' has no primary key")
    }
    try transaction.setPrimaryKey(nil, of: className)
    return StoreChange.Summary(
      subject: old, verb: "left as an ordinary column", rest: "of \(className), without an index")
  }

  /// Throws an error with examples if a value is null, or occurs more than once.
  private func requireDistinctValues(of name: String) throws {
    let source = try OpenedClass(change.store, className: className)
    let path = PropertyPath(name)
    let nulls = try Execution(
      TableQuery(
        table: className, predicate: Predicate(.compare(.path(path), .equal, .value(.null), []))),
      on: source.table)
    let count = nulls.count()
    if count > 0 {
      let rows = nulls.keys().prefix(Self.maxExamples).map { source.table.name(ofRow: $0) }
      throw failure(
        name,
        "\(Quantity.counted(count, noun: "row")) \(count == 1 ? "has" : "have") none, such as \(Hint.list(rows))"
      )
    }
    let repeated = try Execution(source.query, on: source.table).groups(by: [name])
      .filter { $0.count > 1 }
    guard !repeated.isEmpty else { return }
    let examples = repeated.prefix(Self.maxExamples).map { group in
      "\(ValueText.text(group.values[0])) (\(Quantity.counted(group.count, noun: "row")))"
    }
    let values = Quantity.counted(repeated.count, noun: "value")
    throw failure(
      name,
      "\(values) \(repeated.count == 1 ? "occurs" : "occur") more than once, such as \(Hint.list(examples))"
    )
  }

  private func failure(_ name: String, _ reason: String) -> Failure {
    Failure(
      .badData,
      message: "'\(name)' cannot be the primary key of '\(className)', "
        + "which has one value for each row: \(reason)")
  }
}
