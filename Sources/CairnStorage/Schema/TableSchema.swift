/// One class: its name and its properties.
package struct TableSchema: Hashable, Sendable {
  /// The number under which the class is stored; never reused within a store.
  package let id: UInt32
  package let name: String
  package let columns: [ColumnSchema]
  /// Objects of the class live inside another object.
  package let isEmbedded: Bool

  package init(id: UInt32, name: String, columns: [ColumnSchema], isEmbedded: Bool = false) {
    self.id = id
    self.name = name
    self.columns = columns
    self.isEmbedded = isEmbedded
  }

  /// The position of the primary key among the columns.
  package var primaryKey: Int? { columns.firstIndex { $0.isPrimaryKey } }

  /// The property of that name, compared by code point.
  package func column(named name: String) -> ColumnSchema? {
    columns.first { $0.name.utf8.elementsEqual(name.utf8) }
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
