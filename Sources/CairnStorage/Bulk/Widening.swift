import CairnValues

/// The changes that make a class wide enough for the data of a load without losing stored values.
package struct Widening {
  /// A change to one property.
  package enum Change: Hashable, Sendable {
    /// The class gets the property; existing rows have null in it.
    case added(String, ValueType)
    /// The property's values are converted to a type that can represent them all.
    case retyped(String, from: ValueType, to: ValueType)
    /// The property becomes optional.
    case optional(String, ValueType)
  }

  /// The changes to the class, in the order of its properties.
  package private(set) var changes: [Change] = []
  /// The properties of the widened class.
  private(set) var columns: [ColumnSchema] = []
  private let schema: TableSchema
  private let keepsOthers: Bool

  /// - Parameters:
  ///   - data: The properties of the load.
  ///   - keepsOthers: Whether the load changes rows of the class, which keep their values of its other
  ///     properties. Otherwise its rows are new, and get null in these.
  ///   - indexed: The new properties that get a value index.
  ///   - fullText: The new properties that get a full-text index.
  /// - Throws: The property that cannot be widened.
  package init(
    of schema: TableSchema, for data: [BulkColumn], keepsOthers: Bool = false,
    indexed: Set<String> = [], fullText: Set<String> = []
  ) throws(StoreError) {
    self.schema = schema
    self.keepsOthers = keepsOthers
    guard !schema.isEmbedded else {
      throw Self.mismatch(
        "class '\(schema.name)' is embedded: "
          + "its objects belong to other objects and cannot be imported"
      )
    }
    for own in schema.properties {
      columns.append(try widened(own, column: data.first { own.isNamed($0.name) }))
    }
    for column in data where schema.stored(column.name) == nil {
      guard column.isOptional else {
        throw Self.mismatch(
          "property '\(schema.name).\(column.name)' is new to the class, so it must be optional"
        )
      }
      changes.append(.added(column.name, column.type))
      columns.append(
        ColumnSchema(
          id: 0, name: column.name, type: column.type, collection: column.collection,
          isOptional: column.isOptional,
          isIndexed: indexed.contains(column.name), isFullText: fullText.contains(column.name),
          position: columns.count))
    }
  }

  /// The widened class; nil if the class is already wide enough.
  var draft: TableDraft? {
    changes.isEmpty
      ? nil : TableDraft(name: schema.name, columns: columns, inverses: schema.inverses)
  }

  private mutating func widened(
    _ own: ColumnSchema, column: BulkColumn?
  ) throws(StoreError) -> ColumnSchema {
    guard let column else {
      if keepsOthers { return own }
      guard !own.isPrimaryKey else {
        throw Self.mismatch("the data has no '\(own.name)', the primary key of '\(schema.name)'")
      }
      return own.isNullable || own.collection != .none ? own : madeOptional(own)
    }
    guard own.collection == column.collection,
      column.type == own.type || own.isRetyped(to: column.type),
      !own.isPrimaryKey || own.isOptional || !column.isOptional
    else {
      throw Self.mismatch(
        "property '\(schema.name).\(own.name)' is \(own.typeText)\(own.isOptional ? "?" : "") "
          + "in the class "
          + "and \(column.type)\(column.isOptional ? "?" : "") in the data")
    }
    var wide = own
    if column.type != own.type {
      changes.append(.retyped(own.name, from: own.type, to: column.type))
      wide = wide.changed(type: column.type)
    }
    return column.isOptional && !own.isNullable ? madeOptional(wide) : wide
  }

  private mutating func madeOptional(_ column: ColumnSchema) -> ColumnSchema {
    changes.append(.optional(column.name, column.type))
    return column.changed(isOptional: true)
  }

  private static func mismatch(_ message: String) -> StoreError {
    StoreError(.schemaMismatch, message: message)
  }
}

extension WriteTransaction {
  /// Prepares a class for rows that are inserted one by one, as a bulk load does: makes the classes of
  /// the program that the store lacks, and widens the class.
  ///
  /// - Parameters:
  ///   - columns: The properties of the rows.
  ///   - classes: The class as a program declares it, and the classes that it refers to.
  package func prepareClass(
    _ name: String, for columns: [BulkColumn], classes: [TableDraft]
  ) throws(StoreError) -> TableWriter {
    try createTables(classes.filter { schema.table(named: $0.name) == nil })
    if let known = schema.table(named: name),
      let draft = try Widening(of: known, for: columns).draft
    {
      try alter([draft], version: known.version, derives: true)
    }
    return try writer(of: name)
  }

  /// Prepares a class for changes of some properties: adds those that it lacks, and widens the others.
  ///
  /// - Parameters:
  ///   - columns: The properties.
  ///   - indexed: The new ones that get a value index.
  ///   - fullText: The new ones that get a full-text index.
  package func prepareUpdate(
    of name: String, by columns: [BulkColumn], indexed: Set<String>, fullText: Set<String>
  ) throws(StoreError) -> TableWriter {
    let known = try writer(of: name).schema
    let widening = try Widening(
      of: known, for: columns, keepsOthers: true, indexed: indexed, fullText: fullText)
    if let draft = widening.draft {
      try alter([draft], version: known.version, derives: true)
    }
    return try writer(of: name)
  }

  private func writer(of name: String) throws(StoreError) -> TableWriter {
    guard let writer = table(name) else {
      throw StoreError(
        .schemaMismatch, message: "class '\(name)' was removed during the import")
    }
    return writer
  }
}

extension ColumnSchema {
  /// Returns whether a load may change the property to that type: every value has an equivalent
  /// there, or the load fails. Text changes its type only if all of it is null and it has no
  /// full-text index, which the user has asked for. A primary key keeps its type.
  package func isRetyped(to other: ValueType) -> Bool {
    guard collection == .none, !isPrimaryKey else { return false }
    return switch (type, other) {
    case (.int, .double), (.int, .string), (.double, .string), (.bool, .string), (.date, .string):
      true
    case (.string, .int), (.string, .double), (.string, .bool), (.string, .date):
      isOptional && !isFullText
    default: false
    }
  }

  fileprivate func isNamed(_ other: String) -> Bool { name.hasSameCodePoints(as: other) }
}
