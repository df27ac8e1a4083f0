import CairnValues

/// One class: its name and its properties.
package struct TableSchema: Hashable, Sendable {
  /// The number under which the class is stored; never reused within a store.
  package let id: UInt32
  /// The name of the class in the store.
  package let name: String
  /// The properties, followed by the columns that belong to the store.
  package let columns: [ColumnSchema]
  /// The columns that users see, which are the first ones of `columns`.
  package let properties: [ColumnSchema]
  /// Whether objects of the class are embedded in others.
  package let isEmbedded: Bool
  /// The inverse properties, which do not store data.
  package let inverses: [InverseSchema]
  /// The program's names for columns with other names in the store; never stored.
  package let aliases: [String: String]
  /// The program's number for its schema when the class was last made or altered.
  package let version: UInt64
  /// The number of the next column: larger than that of any column so far.
  let nextColumn: UInt16

  /// Makes a schema. `nextColumn` is raised above the numbers of all columns.
  package init(
    id: UInt32, name: String, columns: [ColumnSchema], isEmbedded: Bool = false,
    inverses: [InverseSchema] = [], aliases: [String: String] = [:], version: UInt64 = 0,
    nextColumn: UInt16 = 0
  ) {
    self.id = id
    self.name = name
    self.columns = columns
    properties = columns.contains(where: \.isHidden) ? columns.filter { !$0.isHidden } : columns
    self.isEmbedded = isEmbedded
    self.inverses = inverses
    self.aliases = aliases
    self.version = version
    self.nextColumn = columns.reduce(nextColumn) { max($0, $1.id == .max ? .max : $1.id + 1) }
  }

  /// The position of the primary key among the columns.
  package var primaryKey: Int? { properties.firstIndex { $0.isPrimaryKey } }

  /// Returns the property of that name, in the program or in the store, or the computed column. Names
  /// are compared by code point.
  package func column(named name: String) -> ColumnSchema? {
    if let property = property(named: name) { return property }
    guard columns.last?.role == .computed else { return nil }
    return columns.first { $0.role == .computed && $0.name.hasSameCodePoints(as: name) }
  }

  /// Returns the property of that name, in the program or in the store.
  package func property(named name: String) -> ColumnSchema? {
    let stored = aliases.isEmpty ? name : aliases[name] ?? name
    return properties.first { $0.name.hasSameCodePoints(as: stored) }
  }

  /// Returns the inverse property of that name. Names are compared by code point.
  package func inverse(named name: String) -> InverseSchema? {
    inverses.first { $0.name.hasSameCodePoints(as: name) }
  }
}

extension TableSchema {
  /// Returns a copy with the given changes.
  func changed(
    id: UInt32? = nil, name: String? = nil, columns: [ColumnSchema]? = nil,
    isEmbedded: Bool? = nil, inverses: [InverseSchema]? = nil, aliases: [String: String]? = nil,
    version: UInt64? = nil, nextColumn: UInt16? = nil
  ) -> TableSchema {
    TableSchema(
      id: id ?? self.id, name: name ?? self.name, columns: columns ?? self.columns,
      isEmbedded: isEmbedded ?? self.isEmbedded, inverses: inverses ?? self.inverses,
      aliases: aliases ?? self.aliases, version: version ?? self.version,
      nextColumn: nextColumn ?? self.nextColumn)
  }

  /// Returns the column of that number.
  func column(id: UInt16) -> ColumnSchema? { columns.first { $0.id == id } }
}

extension TableSchema {
  /// Whether objects of the class can describe a GeoJSON point: the class is embedded and has a
  /// string `type` and a list of doubles `coordinates`.
  package var isLocation: Bool { locationColumns != nil }

  /// The columns of a location, by their names in the store.
  var locationColumns: (type: ColumnSchema, coordinates: ColumnSchema)? {
    guard isEmbedded, let type = properties.first(where: { $0.name == "type" }),
      let coordinates = properties.first(where: { $0.name == "coordinates" }),
      type.type == .string, type.collection == .none,
      coordinates.type == .double, coordinates.collection == .list
    else { return nil }
    return (type, coordinates)
  }

  /// Returns the column whose R-tree serves a location: the column itself if it holds points, or
  /// the hidden location column of an embedded object; nil for every other column.
  package func point(for column: ColumnSchema) -> ColumnSchema? {
    if column.isPoint { return column }
    guard column.type == .embedded else { return nil }
    return columns[properties.count...].first { $0.role == .point(of: column.id) }
  }

  /// Returns the hidden column with the boxes of the geometries in a column, whose R-tree serves
  /// them; nil for a column without geometries.
  package func bounds(for column: ColumnSchema) -> ColumnSchema? {
    guard column.isGeometry else { return nil }
    return columns[properties.count...].first { $0.role == .bounds(of: column.id) }
  }

  /// Returns the column whose R-tree serves a location or a geometry; nil for every other column.
  package func spatialColumn(for column: ColumnSchema) -> ColumnSchema? {
    point(for: column) ?? bounds(for: column)
  }

  /// Returns the hidden column that is derived from a property.
  func derivedColumn(of column: ColumnSchema) -> ColumnSchema? {
    columns[properties.count...].first { $0.role.source == column.id }
  }

  /// The positions of the columns that identify the owner of an embedded object.
  var ownerColumns: (key: Int, column: Int)? {
    guard let key = columns.firstIndex(where: { $0.role == .ownerKey }),
      let column = columns.firstIndex(where: { $0.role == .ownerColumn })
    else { return nil }
    return (key, column)
  }
}

/// The classes of a store, sorted by name.
package struct StoreSchema: Sendable {
  /// The classes, sorted by name.
  package let tables: [TableSchema]

  /// Makes a schema of classes in any order.
  package init(tables: [TableSchema]) {
    self.tables = tables.sorted { $0.name < $1.name }
  }

  /// Returns the class of that name.
  package func table(named name: String) -> TableSchema? {
    tables.first { $0.name.hasSameCodePoints(as: name) }
  }
}

extension TableSchema {
  /// Throws for an invalid class: duplicate names, or unsupported keys and indexes.
  func check() throws(StoreError) {
    guard properties.filter(\.isPrimaryKey).count <= 1 else {
      throw mismatch("class '\(name)' has more than one primary key")
    }
    guard properties.count <= Self.maxColumns else {
      throw mismatch(
        "class '\(name)' has \(properties.count) properties; the maximum is \(Self.maxColumns)")
    }
    let names = properties.map(\.name) + inverses.map(\.name)
    guard Set(names.map { Array($0.utf8) }).count == names.count else {
      throw mismatch("class '\(name)' has two properties of the same name")
    }
    for column in properties {
      if column.isPrimaryKey, !column.canBeKey {
        throw mismatch(
          "'\(name).\(column.name)' is of type \(column.type.name); "
            + "a primary key must be an int, a string, an ObjectId or a UUID"
        )
      }
      guard column.type != .box, column.collection == .none || !column.type.isGeometry else {
        throw mismatch(
          "'\(name).\(column.name)' is a \(column.typeText), which a class cannot hold")
      }
      if column.isIndexed, !column.canBeIndexed {
        throw mismatch(
          "'\(name).\(column.name)' is of type \(column.type.name), which cannot be indexed")
      }
      if column.isFullText, column.type != .string || column.collection != .none {
        throw mismatch(
          "'\(name).\(column.name)' is of type \(column.typeText); "
            + "a full-text index needs a string")
      }
    }
  }

  /// The maximum number of properties. It leaves numbers for the columns that the store adds.
  package static let maxColumns = 30_000

  private func mismatch(_ message: String) -> StoreError {
    StoreError(.schemaMismatch, message: message)
  }
}

extension ColumnSchema {
  fileprivate var canBeKey: Bool {
    collection == .none && [.int, .string, .objectId, .uuid].contains(type)
  }

  /// Whether `IndexKey` orders every value of the column.
  fileprivate var canBeIndexed: Bool {
    switch type {
    case .bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid: collection == .none
    case .link: true
    case .decimal128, .point, .mixed, .embedded, .geometry, .lineString, .polygon, .box: false
    }
  }
}

/// A class without ids and positions, which it gets when it is made.
package struct TableDraft: Sendable {
  /// The name of the class.
  package var name: String
  /// The properties in order.
  package var columns: [ColumnSchema]
  /// Whether objects of the class are embedded in others.
  package var isEmbedded: Bool
  /// The inverse properties.
  package var inverses: [InverseSchema]
  /// The program's names for columns with other names in the store.
  package var aliases: [String: String]

  /// Makes a draft of a class.
  package init(
    name: String, columns: [ColumnSchema], isEmbedded: Bool = false,
    inverses: [InverseSchema] = [], aliases: [String: String] = [:]
  ) {
    self.name = name
    self.columns = columns
    self.isEmbedded = isEmbedded
    self.inverses = inverses
    self.aliases = aliases
  }
}

/// An inverse property: the objects of a class that link to an object through one of their
/// properties. It does not store data.
package struct InverseSchema: Hashable, Sendable {
  /// The name of the inverse property.
  package let name: String
  /// The class that the links come from.
  package let origin: String
  /// The property of that class that holds the links.
  package let property: String

  /// Makes an inverse property.
  package init(name: String, origin: String, property: String) {
    self.name = name
    self.origin = origin
    self.property = property
  }
}

extension String {
  /// Returns whether both names are equal by code point, unlike `==`, which compares characters.
  func hasSameCodePoints(as other: String) -> Bool {
    // The first two conditions are quick to tell different names apart.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}
