import CairnValues

extension WriteTransaction {
  /// The program's number for the form of its classes; nil while no program has given one.
  package var schemaVersion: UInt64? { alterations.schemaVersion ?? snapshot.schemaVersion }

  /// Gives the store another number for the form of the program's classes.
  package func setSchemaVersion(_ version: UInt64) {
    if version != schemaVersion { alterations.schemaVersion = version }
  }

  /// Makes the classes that a program has and the store lacks. The others get the program's indexes, and the transaction
  /// takes note of what the program knows besides.
  package func makeKnown(_ drafts: [TableDraft]) throws(StoreError) {
    // Indexes of a class that was edited can wait for the next transaction.
    let open = drafts.filter { table($0.name)?.isChanged != true }
    try apply(
      SchemaFitting(
        existing: tables.schemas, open, .indexes, version: schemaVersion ?? 0
      ).schemas())
    try tables.know(drafts)
  }

  /// Gives classes the form that a program has for them: properties come and go, and values are converted where none is
  /// lost. `settleAlterations` has to follow once the rows are as they are to be.
  ///
  /// - Parameters:
  ///   - version: the program's number for the form of its classes.
  ///   - derives: whether values are converted wherever they can be, as for a load that widens its class.
  /// - Throws: what makes a class impossible, that it was edited in the transaction, or that a value cannot be converted.
  package func alter(
    _ drafts: [TableDraft], version: UInt64, derives: Bool = false
  ) throws(StoreError) {
    try apply(
      SchemaFitting(existing: tables.schemas, drafts, .everything, version: version).schemas(),
      derives: derives)
    try tables.know(drafts)
  }

  private func apply(_ schemas: [TableSchema], derives: Bool = false) throws(StoreError) {
    var converted: [(old: Table, writer: TableWriter)] = []
    for schema in schemas {
      guard let place = tables.place(id: schema.id), schema.id != 0 else {
        try createNumbered(schema)
        continue
      }
      let old = tables.table(at: place)
      converted.append((old, try replace(schema, at: place)))
    }
    for (old, writer) in converted { try writer.convert(from: old, derives: derives) }
    for (old, writer) in converted where writer.schema.isEmbedded && !old.schema.isEmbedded {
      alterations.embedded.insert(old.id)
      writer.sharesObjects = true
      writer.findOwners()
    }
    // Last: what stands behind an embedded object may have been converted itself.
    for (_, writer) in converted { writer.fillNewLocations() }
    for (old, writer) in converted where writer.schema.locationIDs != old.schema.locationIDs {
      refillLocations(of: writer.table)
    }
  }

  /// Lets a class have another form; its rows follow.
  private func replace(_ schema: TableSchema, at place: Int) throws(StoreError) -> TableWriter {
    let old = tables.schemas[place]
    guard tables.writer(at: place)?.isChanged != true else {
      throw StoreError(
        .misuse,
        "class '\(schema.name)' cannot be altered in a transaction that has changed its objects; use the class before that"
      )
    }
    alterations.altered.insert(schema.id)
    let ids = Set(schema.columns.map(\.id))
    for column in old.columns where !ids.contains(column.id) { drop(column, of: old) }
    tables.replace(schema, at: place)
    guard let writer = tables.writer(at: place) else { throw Self.ended }
    writer.isAltered = true
    return writer
  }

  private func drop(_ column: ColumnSchema, of schema: TableSchema) {
    alterations.dropped[schema.id, default: []].insert(column.id)
    guard column.type == .embedded else { return }
    alterations.abandonedHomes.insert(Owner(table: schema.id, column: column.id, key: 0).place)
  }

  /// Ends what `alter` began: deletes embedded objects whose property is no more.
  ///
  /// - Throws: that an object of a class that is embedded now lives in none, or in several, or that one has no location
  ///   where its class requires one.
  package func settleAlterations() throws(StoreError) {
    for place in tables.schemas.indices {
      guard tables.schemas[place].isEmbedded, let writer = tables.writer(at: place) else {
        continue
      }
      if !alterations.abandonedHomes.isEmpty {
        writer.deleteObjects(in: alterations.abandonedHomes)
      }
    }
    for id in alterations.embedded {
      guard let writer = table(id: id) else { continue }
      try writer.settleOwners()
    }
    for id in alterations.altered { try table(id: id)?.settleUnset() }
  }

  /// Works out anew the locations that embedded objects of a class describe.
  func refillLocations(of target: Table) {
    for place in tables.schemas.indices {
      let schema = tables.schemas[place]
      for column in schema.properties
      where column.type == .embedded && target.schema.isNamed(column.target ?? "") {
        guard let point = schema.point(for: column), let writer = tables.writer(at: place) else {
          continue
        }
        writer.isAltered = true
        writer.fillLocations(column, point, target)
      }
    }
  }

  /// Removes a class, its objects, and the embedded objects in them. One that other classes lead to stays, without objects:
  /// another one of its name would get their links.
  package func removeTable(_ name: String) {
    guard let place = tables.place(of: name), let writer = tables.writer(at: place) else { return }
    writer.deleteAll()
    let isLedTo = tables.schemas.contains { schema in
      schema.id != writer.schema.id
        && schema.properties.contains { $0.isLink && writer.schema.isNamed($0.target ?? "") }
    }
    if !isLedTo { removeTable(at: place) }
  }

  /// Removes every class.
  package func removeTables() {
    for place in tables.schemas.indices.reversed() { removeTable(at: place) }
  }

  private func removeTable(at place: Int) {
    let id = tables.schemas[place].id
    forgetTable(id)
    alterations.altered.remove(id)
    if snapshot.schema.tables.contains(where: { $0.id == id }) { alterations.removed.insert(id) }
    tables.remove(at: place)
  }
}
