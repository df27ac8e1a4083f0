import CairnValues

/// Changes to the schema of one class. Call these before the transaction changes rows of the class.
extension WriteTransaction {
  /// Gives a class another name. Its objects, and the links to them, remain the same.
  ///
  /// - Throws: An error if the class does not exist, or if another one has the new name.
  package func renameTable(_ name: String, to new: String) throws(StoreError) {
    let index = try existing(name)
    guard !new.isEmpty else { throw mismatch("a class cannot have an empty name") }
    guard tables.index(of: new) == nil else { throw mismatch("class '\(new)' exists already") }
    try store(tables.schemas[index].changed(name: new), at: index)
    for (other, schema) in tables.schemas.enumerated() {
      let columns = schema.columns.map { column in
        column.target?.hasSameCodePoints(as: name) == true ? column.changed(target: new) : column
      }
      let inverses = schema.inverses.map { inverse in
        inverse.origin.hasSameCodePoints(as: name)
          ? InverseSchema(name: inverse.name, origin: new, property: inverse.property) : inverse
      }
      if columns != schema.columns || inverses != schema.inverses {
        try store(schema.changed(columns: columns, inverses: inverses), at: other)
      }
    }
  }

  /// Gives a property another name. Its values and indexes remain the same.
  ///
  /// - Throws: An error if the class or the property does not exist, or if another property has the
  ///   new name.
  package func renameProperty(
    _ property: String, of name: String, to new: String
  ) throws(StoreError) {
    let index = try existing(name)
    let schema = tables.schemas[index]
    let column = try self.column(property, of: schema)
    guard !new.isEmpty else { throw mismatch("a property cannot have an empty name") }
    guard schema.column(named: new) == nil, schema.inverse(named: new) == nil else {
      throw mismatch("class '\(name)' already has a property '\(new)'")
    }
    var columns = schema.columns
    columns[column.position] = column.changed(name: new)
    let renamed = schema.changed(columns: columns)
    guard renamed.isLocation == schema.isLocation else {
      throw mismatch(
        "'\(name).\(property)' cannot be renamed: objects of the class are locations "
          + "by the names of their properties")
    }
    try store(renamed, at: index)
    for (other, schema) in tables.schemas.enumerated() {
      let inverses = schema.inverses.map { inverse in
        inverse.origin.hasSameCodePoints(as: name)
          && inverse.property.hasSameCodePoints(as: column.name)
          ? InverseSchema(name: inverse.name, origin: inverse.origin, property: new) : inverse
      }
      if inverses != schema.inverses { try store(schema.changed(inverses: inverses), at: other) }
    }
  }

  /// Adds value indexes of properties, or removes them.
  ///
  /// - Throws: An error if the class or a property does not exist, or if a property cannot have an
  ///   index.
  package func setIndexed(
    _ isIndexed: Bool, _ properties: [String], of name: String
  ) throws(StoreError) {
    try alter(name, properties) { $0.changed(isIndexed: isIndexed) }
  }

  /// Adds full-text indexes of properties, or removes them.
  ///
  /// - Throws: An error if the class or a property does not exist, or if a property is not a single
  ///   string.
  package func setFullText(
    _ isFullText: Bool, _ properties: [String], of name: String
  ) throws(StoreError) {
    try alter(name, properties) { $0.changed(isFullText: isFullText) }
  }

  /// Makes a property the primary key of a class, in place of any other, so that it can no longer be
  /// null; or removes the primary key. The commit fails if two rows have the same value.
  ///
  /// - Parameter property: The property, which has a value in every row; nil for none.
  /// - Throws: An error if the class or the property does not exist, or if the property cannot be a
  ///   primary key.
  package func setPrimaryKey(_ property: String?, of name: String) throws(StoreError) {
    let index = try existing(name)
    let old = tables.schemas[index].primaryKey.map { tables.schemas[index].columns[$0].name }
    let changed = [old, property].compactMap { $0 }
    try alter(name, changed) { column in
      let isKey = property.map(column.name.hasSameCodePoints) ?? false
      return column.changed(isOptional: isKey ? false : nil, isPrimaryKey: isKey)
    }
  }

  /// Adds properties, which are null in every row.
  ///
  /// - Throws: An error if the class does not exist, or if it already has such a property.
  package func addProperties(
    _ properties: [(name: String, type: ValueType)], to name: String
  ) throws(StoreError) {
    let schema = tables.schemas[try existing(name)]
    let added = properties.enumerated().map { number, property in
      ColumnSchema(
        id: 0, name: property.name, type: property.type, isOptional: true,
        position: schema.properties.count + number)
    }
    try alter(schema, to: schema.properties + added)
  }

  // MARK: Common steps

  /// Changes properties of a class.
  private func alter(
    _ name: String, _ properties: [String], _ change: (ColumnSchema) -> ColumnSchema
  ) throws(StoreError) {
    let schema = tables.schemas[try existing(name)]
    var columns = schema.properties
    for property in properties {
      let position = try column(property, of: schema).position
      columns[position] = change(columns[position])
    }
    try alter(schema, to: columns)
  }

  private func alter(
    _ schema: TableSchema, to columns: [ColumnSchema]
  ) throws(StoreError) {
    try alter(
      [
        TableDraft(
          name: schema.name, columns: columns, isEmbedded: schema.isEmbedded,
          inverses: schema.inverses)
      ], version: schemaVersion ?? 0)
    try finishAlterations()
  }

  private func existing(_ name: String) throws(StoreError) -> Int {
    guard isOpen else { throw Self.ended }
    guard let index = tables.index(of: name) else {
      throw mismatch("the store has no class '\(name)'")
    }
    return index
  }

  private func column(
    _ name: String, of schema: TableSchema
  ) throws(StoreError) -> ColumnSchema {
    guard let column = schema.stored(name) else {
      throw mismatch("class '\(schema.name)' has no property '\(name)'")
    }
    return column
  }

  /// Replaces a schema whose columns keep their numbers and positions.
  private func store(_ schema: TableSchema, at index: Int) throws(StoreError) {
    try schema.check()
    tables.rename(schema, at: index)
    alterations.altered.insert(schema.id)
  }

  private func mismatch(_ message: String) -> StoreError {
    StoreError(.schemaMismatch, message: message)
  }
}
