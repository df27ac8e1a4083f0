import CairnValues

/// One class: its name and its properties.
package struct TableSchema: Hashable, Sendable {
  /// The number under which the class is stored; never reused within a store.
  package let id: UInt32
  package let name: String
  /// The properties, and behind them the columns that the store keeps for itself.
  package let columns: [ColumnSchema]
  /// The columns that the user of the class sees: the first of `columns`.
  package let properties: [ColumnSchema]
  /// Objects of the class live inside another object.
  package let isEmbedded: Bool
  /// Properties that hold no data: who links here.
  package let inverses: [InverseSchema]
  /// Names that a program has for columns that are called otherwise in the store; never stored.
  package let aliases: [String: String]
  /// The program's number for the form of the class: what the store had when the class was last made or altered.
  package let version: UInt64
  /// The number that the next column gets: more than any column ever had.
  let nextColumn: UInt16

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

  /// The property of that name, in the program or in the store, compared by code point.
  package func column(named name: String) -> ColumnSchema? {
    let stored = aliases.isEmpty ? name : aliases[name] ?? name
    return properties.first { $0.name.utf8.elementsEqual(stored.utf8) }
  }

  /// The inverse property of that name, compared by code point.
  package func inverse(named name: String) -> InverseSchema? {
    inverses.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension TableSchema {
  /// The same class but for what is given.
  func changed(
    id: UInt32? = nil, columns: [ColumnSchema]? = nil, isEmbedded: Bool? = nil,
    inverses: [InverseSchema]? = nil, aliases: [String: String]? = nil, version: UInt64? = nil,
    nextColumn: UInt16? = nil
  ) -> TableSchema {
    TableSchema(
      id: id ?? self.id, name: name, columns: columns ?? self.columns,
      isEmbedded: isEmbedded ?? self.isEmbedded, inverses: inverses ?? self.inverses,
      aliases: aliases ?? self.aliases, version: version ?? self.version,
      nextColumn: nextColumn ?? self.nextColumn)
  }

  /// The column of that number.
  func column(id: UInt16) -> ColumnSchema? { columns.first { $0.id == id } }
}

extension TableSchema {
  /// Whether its objects have the shape of a GeoJSON point: embedded, with a string `type` and a list of doubles
  /// `coordinates`.
  package var isLocation: Bool { locationColumns != nil }

  /// The columns that make up a location, by their names in the store.
  var locationColumns: (type: ColumnSchema, coordinates: ColumnSchema)? {
    guard isEmbedded, let type = properties.first(where: { $0.name == "type" }),
      let place = properties.first(where: { $0.name == "coordinates" }),
      type.type == .string, type.collection == .none,
      place.type == .double, place.collection == .list
    else { return nil }
    return (type, place)
  }

  /// The column in which a location is searched: the column itself when it holds points, the store's own one behind
  /// an embedded object of the shape of a location; nil for every other.
  package func point(for column: ColumnSchema) -> ColumnSchema? {
    if column.hasSpatialIndex { return column }
    guard column.type == .embedded else { return nil }
    return columns[properties.count...].first { $0.role == .point(of: column.id) }
  }

  /// The columns that say whose an embedded object is.
  var ownerColumns: (key: Int, column: Int)? {
    guard let key = columns.firstIndex(where: { $0.role == .ownerKey }),
      let column = columns.firstIndex(where: { $0.role == .ownerColumn })
    else { return nil }
    return (key, column)
  }
}

/// The classes of a store, in the order of their names.
package struct Schema: Sendable {
  package let tables: [TableSchema]

  package init(tables: [TableSchema]) {
    self.tables = tables.sorted { $0.name < $1.name }
  }

  /// The class of that name.
  package func table(named name: String) -> TableSchema? {
    tables.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
