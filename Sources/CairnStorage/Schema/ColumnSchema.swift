import CairnValues

/// The number of values in a property: one, or a collection.
package enum CollectionKind: UInt8, Sendable {
  /// One value.
  case none
  /// Values in an order of the user's choice.
  case list
  /// Distinct values, in the order of values.
  case set
  /// Values by text key, in the order of the keys' bytes.
  case map
}

/// One property of a class: its name, its type and its index.
package struct ColumnSchema: Hashable, Sendable {
  /// The number under which the column's chunks are stored; never reused within a class.
  package let id: UInt16
  /// The name of the property in the store.
  package let name: String
  /// The type of the value or of the elements.
  package let type: ValueType
  /// The kind of collection, if the property holds one.
  package let collection: CollectionKind
  /// Whether the value, or an element of the collection, may be null.
  package let isOptional: Bool
  /// Whether the property has a value index.
  package let isIndexed: Bool
  /// Whether the property has a full-text index.
  package let isFullText: Bool
  /// Whether the property is the primary key.
  package let isPrimaryKey: Bool
  /// The target class of a link or an embedded object.
  package let target: String?
  /// The purpose of the column.
  package let role: ColumnRole
  /// The index of the column in `TableSchema.columns`.
  package let position: Int

  /// Makes the schema of a column.
  package init(
    id: UInt16, name: String, type: ValueType, collection: CollectionKind = .none,
    isOptional: Bool = false, isIndexed: Bool = false, isFullText: Bool = false,
    isPrimaryKey: Bool = false, target: String? = nil, role: ColumnRole = .property, position: Int
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.isIndexed = isIndexed
    self.isFullText = isFullText
    self.isPrimaryKey = isPrimaryKey
    self.target = target
    self.role = role
    self.position = position
  }

  /// Whether the column belongs to the store. Listings omit it, and users cannot write it.
  package var isHidden: Bool { role != .property }

  /// Whether a row may be null. Links and mixed values always may; a collection never may, only its
  /// elements.
  package var isNullable: Bool {
    collection == .none && (isOptional || type == .mixed || isLink)
  }

  /// Whether the column links to objects, one or many.
  package var isLink: Bool { type == .link || type == .embedded }

  /// The type of a stored row. Collections are stored as bytes.
  package var storedType: ValueType { collection == .none ? type : .data }

  /// Whether the column has a value index.
  package var hasValueIndex: Bool { isIndexed || isPrimaryKey }

  /// Whether a commit lists the rows in which the column was set, because a value index or a
  /// full-text index covers them.
  var listsChangedRows: Bool { hasValueIndex || isFullText }

  /// Whether the column has an R-tree: over its points, or over the boxes of geometries.
  package var hasSpatialIndex: Bool { isPoint || type == .box }

  /// Whether each row is a point.
  package var isPoint: Bool { type == .point && collection == .none }

  /// Whether each row is a geometry.
  package var isGeometry: Bool { type.isGeometry && collection == .none }

  /// The layout of the column's rows in chunks.
  package var layout: ChunkLayout {
    if collection != .none { return .bytes }
    return switch type {
    case .bool, .int, .link, .embedded: .integers
    case .double, .date: .doubles
    case .float: .floats
    case .string, .data, .mixed, .geometry, .lineString, .polygon: .bytes
    case .objectId: .fixed(12)
    case .uuid, .decimal128, .box: .fixed(16)
    case .point: .points
    }
  }
}

extension ColumnSchema {
  /// Returns a copy with the given changes.
  package func changed(
    id: UInt16? = nil, name: String? = nil, type: ValueType? = nil, isOptional: Bool? = nil,
    isIndexed: Bool? = nil, isFullText: Bool? = nil, isPrimaryKey: Bool? = nil,
    target: String? = nil, role: ColumnRole? = nil, position: Int? = nil
  ) -> ColumnSchema {
    ColumnSchema(
      id: id ?? self.id, name: name ?? self.name, type: type ?? self.type, collection: collection,
      isOptional: isOptional ?? self.isOptional, isIndexed: isIndexed ?? self.isIndexed,
      isFullText: isFullText ?? self.isFullText, isPrimaryKey: isPrimaryKey ?? self.isPrimaryKey,
      target: target ?? self.target, role: role ?? self.role, position: position ?? self.position)
  }
}

/// The purpose of a column: a property for users, or bookkeeping of the store.
package enum ColumnRole: Hashable, Sendable {
  /// A property of the class.
  case property
  /// The key of the owner of an embedded object.
  case ownerKey
  /// The owner's property that holds an embedded object: its class number in the upper bits, its
  /// column number in the lower 16.
  case ownerColumn
  /// The location that the embedded object in the column of that number describes.
  case point(of: UInt16)
  /// The boxes of the geometries in the column of that number.
  case bounds(of: UInt16)
  /// Rows that a query computes; the column is never stored.
  case computed
}

extension ColumnRole {
  /// The role as the store keeps it: a number, and the column that it refers to.
  var encoded: (number: UInt8, column: UInt16) {
    switch self {
    case .property: (0, 0)
    case .ownerKey: (1, 0)
    case .ownerColumn: (2, 0)
    case .point(let column): (3, column)
    case .bounds(let column): (4, column)
    case .computed: (.max, 0)
    }
  }

  /// Returns nil if no role has the number.
  init?(number: UInt8, column: UInt16) {
    switch number {
    case 0: self = .property
    case 1: self = .ownerKey
    case 2: self = .ownerColumn
    case 3: self = .point(of: column)
    case 4: self = .bounds(of: column)
    default: return nil
    }
  }
}

extension Chunk {
  /// Returns the list, set or map of a row.
  @inlinable
  package func collection(at row: Int, of column: ColumnSchema) -> StoredCollection {
    isNull(row)
      ? StoredCollection(empty: column.type)
      : StoredCollection(bytes(at: row), of: column.type, isMap: column.collection == .map)
  }
}
