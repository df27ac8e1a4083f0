import CairnValues

extension WriteTransaction {
  /// The program's number for its schema; nil until a program has set one.
  package var schemaVersion: UInt64? { alterations.schemaVersion ?? snapshot.schemaVersion }

  /// Changes the program's number for its schema.
  package func setSchemaVersion(_ version: UInt64) {
    if version != schemaVersion { alterations.schemaVersion = version }
  }

  /// Makes the classes of a program that the store lacks. Existing classes get the program's
  /// indexes, and the transaction adds the program's names and inverse properties to them.
  package func declareClasses(_ drafts: [TableDraft]) throws(StoreError) {
    // The indexes of a class that was edited can wait for the next transaction.
    let open = drafts.filter { table($0.name)?.isChanged != true }
    try apply(
      SchemaReconciler(
        existing: tables.schemas, open, scope: .indexes, version: schemaVersion ?? 0
      ).schemas())
    try tables.declare(drafts)
  }

  /// Changes the store's classes to those that a program declares: adds and removes properties, and
  /// converts values if no value is lost. Call `finishAlterations` when the rows are final.
  ///
  /// - Parameters:
  ///   - version: The program's number for its schema.
  ///   - derives: Whether to convert values wherever possible, as a load that widens its class
  ///     does.
  /// - Throws: An error for an invalid class, for a class that was edited in the transaction, or
  ///   for a value that cannot be converted.
  package func alter(
    _ drafts: [TableDraft], version: UInt64, derives: Bool = false
  ) throws(StoreError) {
    try apply(
      SchemaReconciler(existing: tables.schemas, drafts, scope: .everything, version: version)
        .schemas(),
      derives: derives)
    try tables.declare(drafts)
  }

  private func apply(_ schemas: [TableSchema], derives: Bool = false) throws(StoreError) {
    var converted: [(old: Table, writer: TableWriter)] = []
    for schema in schemas {
      guard let index = tables.index(ofID: schema.id), schema.id != 0 else {
        try createNumbered(schema)
        continue
      }
      let old = tables.table(at: index)
      converted.append((old, try replace(schema, at: index)))
    }
    for (old, writer) in converted { try writer.convert(from: old, derives: derives) }
    for (old, writer) in converted where writer.schema.isEmbedded && !old.schema.isEmbedded {
      alterations.embedded.insert(old.id)
      writer.sharesObjects = true
      writer.findOwners()
    }
    // Last, because the embedded objects that describe locations may have been converted
    // themselves.
    for (_, writer) in converted { writer.fillNewLocations() }
    for (old, writer) in converted where writer.schema.locationIDs != old.schema.locationIDs {
      refillLocations(of: writer.table)
    }
  }

  /// Replaces the schema of a class. The caller converts its rows.
  private func replace(_ schema: TableSchema, at index: Int) throws(StoreError) -> TableWriter {
    let old = tables.schemas[index]
    guard tables.writer(at: index)?.isChanged != true else {
      throw StoreError(
        .misuse,
        message:
          "class '\(schema.name)' cannot be altered in a transaction that has changed its objects; "
          + "use the class before changing its objects"
      )
    }
    alterations.altered.insert(schema.id)
    let ids = Set(schema.columns.map(\.id))
    for column in old.columns where !ids.contains(column.id) { drop(column, of: old) }
    tables.replace(schema, at: index)
    guard let writer = tables.writer(at: index) else { throw Self.ended }
    writer.isAltered = true
    return writer
  }

  private func drop(_ column: ColumnSchema, of schema: TableSchema) {
    alterations.dropped[schema.id, default: []].insert(column.id)
    guard column.type == .embedded else { return }
    alterations.abandonedOwners.insert(Owner(table: schema.id, column: column.id, key: 0).code)
  }

  /// Completes `alter`: deletes embedded objects whose property was removed.
  ///
  /// - Throws: An error if an object of a class that became embedded does not have exactly one
  ///   owner, or if an object lacks a required location.
  package func finishAlterations() throws(StoreError) {
    for index in tables.schemas.indices {
      guard tables.schemas[index].isEmbedded, let writer = tables.writer(at: index) else {
        continue
      }
      if !alterations.abandonedOwners.isEmpty {
        writer.deleteObjects(in: alterations.abandonedOwners)
      }
    }
    for id in alterations.embedded {
      guard let writer = table(id: id) else { continue }
      try writer.finishOwners()
    }
    for id in alterations.altered { try table(id: id)?.finishUnsetLocations() }
  }

  /// Fills the location columns of all embedded objects of a class again.
  func refillLocations(of target: Table) {
    for index in tables.schemas.indices {
      let schema = tables.schemas[index]
      for column in schema.properties
      where column.type == .embedded && target.schema.isNamed(column.target ?? "") {
        guard let point = schema.point(for: column), let writer = tables.writer(at: index) else {
          continue
        }
        writer.isAltered = true
        writer.fillLocations(column, point: point, target: target)
      }
    }
  }

  /// Removes a class with its objects and their embedded objects. A class that other classes link
  /// to remains without objects, because another class of its name would receive their links.
  package func removeTable(_ name: String) {
    guard let index = tables.index(of: name), let writer = tables.writer(at: index) else { return }
    writer.deleteAll()
    let isLinkedTo = tables.schemas.contains { schema in
      schema.id != writer.schema.id
        && schema.properties.contains { $0.isLink && writer.schema.isNamed($0.target ?? "") }
    }
    if !isLinkedTo { removeTable(at: index) }
  }

  /// Removes every class.
  package func removeTables() {
    for index in tables.schemas.indices.reversed() { removeTable(at: index) }
  }

  private func removeTable(at index: Int) {
    let id = tables.schemas[index].id
    forgetTable(id)
    alterations.altered.remove(id)
    if snapshot.schema.tables.contains(where: { $0.id == id }) { alterations.removed.insert(id) }
    tables.remove(at: index)
  }
}
