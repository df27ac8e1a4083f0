import CairnValues

/// How many values a property holds: one, or a collection of them.
package enum CollectionKind: UInt8, Sendable {
  case none
  case list
  case set
  case map
}

/// One property of a class: its name, what it may hold, and how it is indexed.
package struct ColumnSchema: Hashable, Sendable {
  /// The number under which the column's chunks are stored; never reused within a table.
  package let id: UInt16
  package let name: String
  package let type: ValueType
  package let collection: CollectionKind
  package let isOptional: Bool
  package let isIndexed: Bool
  package let isPrimaryKey: Bool
  /// The class that a link or an embedded object leads to.
  package let target: String?
  /// What the column is there for.
  package let role: ColumnRole
  /// Where the column stands in `TableSchema.columns`.
  package let position: Int

  package init(
    id: UInt16, name: String, type: ValueType, collection: CollectionKind = .none,
    isOptional: Bool = false, isIndexed: Bool = false, isPrimaryKey: Bool = false,
    target: String? = nil, role: ColumnRole = .property, position: Int
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.isIndexed = isIndexed
    self.isPrimaryKey = isPrimaryKey
    self.target = target
    self.role = role
    self.position = position
  }

  /// Whether the store keeps the column for itself: it is in no listing, and no user writes it.
  package var isHidden: Bool { role != .property }

  /// Whether the row itself may be null: links and mixed values always, a collection never, but its elements.
  package var isNullable: Bool {
    collection == .none && (isOptional || type == .mixed || isLink)
  }

  /// Whether the column leads to objects, one or many.
  package var isLink: Bool { type == .link || type == .embedded }

  /// What a row holds: a collection is stored as the bytes of its elements.
  package var storedType: ValueType { collection == .none ? type : .data }

  /// Whether writes keep a value index for the column.
  package var hasValueIndex: Bool { isIndexed || isPrimaryKey }

  /// Whether the column has an R-tree.
  package var hasSpatialIndex: Bool { type == .point && collection == .none }

  /// How the chunks of the column lay out their rows.
  package var layout: ChunkLayout {
    if collection != .none { return .bytes }
    return switch type {
    case .bool, .int, .link, .embedded: .integers
    case .double, .date: .doubles
    case .float: .floats
    case .string, .data, .mixed: .bytes
    case .objectId: .fixed(12)
    case .uuid, .decimal128: .fixed(16)
    case .point: .points
    }
  }
}

extension ColumnSchema {
  /// The same column but for what is given.
  func changed(
    id: UInt16? = nil, type: ValueType? = nil, isOptional: Bool? = nil, isIndexed: Bool? = nil,
    role: ColumnRole? = nil, position: Int? = nil
  ) -> ColumnSchema {
    ColumnSchema(
      id: id ?? self.id, name: name, type: type ?? self.type, collection: collection,
      isOptional: isOptional ?? self.isOptional, isIndexed: isIndexed ?? self.isIndexed,
      isPrimaryKey: isPrimaryKey, target: target, role: role ?? self.role,
      position: position ?? self.position)
  }
}

/// How the rows of a column lie in memory while they are edited; the encodings follow from it.
package enum ChunkLayout: Hashable, Sendable {
  case integers
  case doubles
  case floats
  case bytes
  case fixed(Int)
  case points
}
