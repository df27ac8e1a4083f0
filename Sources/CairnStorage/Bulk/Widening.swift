import CairnValues

/// How a class becomes wide enough for what a load brings, so that nothing is lost of what it holds.
package struct Widening {
  /// What becomes of one property.
  package enum Change: Hashable, Sendable {
    /// The class gets it; the rows that are there have null in it.
    case added(String, ValueType)
    /// Its values are converted into a type that holds them all.
    case retyped(String, from: ValueType, to: ValueType)
    /// It may be null from now on.
    case optional(String, ValueType)
  }

  package private(set) var changes: [Change] = []
  /// The properties that the class is to have.
  private(set) var columns: [ColumnSchema] = []
  private let schema: TableSchema

  /// - Parameters:
  ///   - data: the properties that the load brings; of those that it lacks the rows get null.
  ///   - indexed: which of the new ones get a value index.
  /// - Throws: what the class cannot become, with the property.
  package init(
    of schema: TableSchema, for data: [BulkColumn], indexed: Set<String> = []
  ) throws(StoreError) {
    self.schema = schema
    guard !schema.isEmbedded else {
      throw Self.mismatch(
        "class '\(schema.name)' is embedded: its objects live in others, and cannot be imported")
    }
    for own in schema.properties {
      columns.append(try widened(own, data.first { own.isNamed($0.name) }))
    }
    for column in data where schema.stored(column.name) == nil {
      guard column.isOptional else {
        throw Self.mismatch(
          "property '\(schema.name).\(column.name)' is new to the class, so it must be able to be null"
        )
      }
      changes.append(.added(column.name, column.type))
      columns.append(
        ColumnSchema(
          id: 0, name: column.name, type: column.type, isOptional: column.isOptional,
          isIndexed: indexed.contains(column.name), position: columns.count))
    }
  }

  /// The class as it is to be; nil where it is wide enough.
  var draft: TableDraft? {
    changes.isEmpty
      ? nil : TableDraft(name: schema.name, columns: columns, inverses: schema.inverses)
  }

  private mutating func widened(
    _ own: ColumnSchema, _ column: BulkColumn?
  ) throws(StoreError) -> ColumnSchema {
    guard let column else {
      guard !own.isPrimaryKey else {
        throw Self.mismatch("the data has no '\(own.name)', the primary key of '\(schema.name)'")
      }
      return own.isNullable || own.collection != .none ? own : madeOptional(own)
    }
    guard own.collection == .none, column.type == own.type || own.isRetyped(to: column.type),
      !own.isPrimaryKey || own.isOptional || !column.isOptional
    else {
      throw Self.mismatch(
        "property '\(schema.name).\(own.name)' is \(own.typeText)\(own.isOptional ? "?" : ""), "
          + "the data has it of type \(column.type)\(column.isOptional ? "?" : "")")
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
    StoreError(.schemaMismatch, message)
  }
}

extension ColumnSchema {
  /// Whether a load may give the property that type: every value has one there that means the same, or the load is
  /// refused. Text becomes another type only where all of it is null. A primary key keeps its type.
  package func isRetyped(to other: ValueType) -> Bool {
    guard collection == .none, !isPrimaryKey else { return false }
    return switch (type, other) {
    case (.int, .double), (.int, .string), (.double, .string), (.bool, .string), (.date, .string):
      true
    case (.string, .int), (.string, .double), (.string, .bool), (.string, .date): isOptional
    default: false
    }
  }

  fileprivate func isNamed(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }
}
