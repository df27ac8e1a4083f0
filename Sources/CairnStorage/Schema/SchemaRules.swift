import CairnValues

/// Holds classes against one another: what links and inverse properties say of other classes.
struct SchemaRules {
  /// All classes, with the properties that they are to have.
  let classes: [TableSchema]

  /// Throws what makes a class impossible, with the class and the property.
  func check(_ schema: TableSchema) throws(StoreError) {
    try schema.check()
    for column in schema.properties { try checkTarget(column, of: schema) }
    for inverse in schema.inverses { try check(inverse, of: schema) }
  }

  /// The class of that name, compared by code point.
  func known(_ name: String) -> TableSchema? {
    classes.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private func checkTarget(_ column: ColumnSchema, of schema: TableSchema) throws(StoreError) {
    let place = "'\(schema.name).\(column.name)'"
    guard column.isLink else { return }
    guard let name = column.target else {
      throw mismatch("\(place) is of type \(column.type.name) and names no class")
    }
    guard let target = known(name) else {
      throw mismatch("\(place) leads to class '\(name)', which there is not")
    }
    guard target.isEmbedded == (column.type == .embedded) else {
      throw mismatch(
        target.isEmbedded
          ? "\(place) links to '\(name)', whose objects are embedded; make it an embedded object"
          : "\(place) embeds objects of '\(name)', which is no embedded class")
    }
  }

  private func check(_ inverse: InverseSchema, of schema: TableSchema) throws(StoreError) {
    let place = "'\(schema.name).\(inverse.name)'"
    guard let origin = known(inverse.origin) else {
      throw mismatch("\(place) comes from class '\(inverse.origin)', which there is not")
    }
    guard let column = origin.column(named: inverse.property) else {
      throw mismatch(
        "\(place) comes from '\(inverse.origin).\(inverse.property)', which there is not")
    }
    guard column.isLink, column.target?.utf8.elementsEqual(schema.name.utf8) == true else {
      throw mismatch(
        "\(place) comes from '\(inverse.origin).\(inverse.property)', which does not link to '\(schema.name)'"
      )
    }
  }

  private func mismatch(_ message: String) -> StoreError { StoreError(.schemaMismatch, message) }
}

extension SchemaRules {
  /// Whether an inverse property turns the property of that class round.
  func isTurnedRound(_ property: String, of origin: String) -> Bool {
    classes.contains { schema in
      schema.inverses.contains {
        $0.origin.utf8.elementsEqual(origin.utf8) && $0.property.utf8.elementsEqual(property.utf8)
      }
    }
  }

  /// The class with the columns that the store keeps for itself: the location behind every embedded object that
  /// describes one, and of an embedded class whose objects are whose. Those that it has keep their numbers.
  func completed(_ schema: TableSchema) -> TableSchema {
    var roles: [(name: String, role: ColumnRole)] = []
    for column in schema.properties where column.type == .embedded && column.collection == .none {
      guard let name = column.target, known(name)?.isLocation == true else { continue }
      roles.append((column.name, .point(of: column.id)))
    }
    if schema.isEmbedded { roles += [("", .ownerKey), ("", .ownerColumn)] }
    var columns = schema.properties
    var next = schema.nextColumn
    for (name, role) in roles {
      let known = schema.columns.first { $0.role == role }
      columns.append(
        ColumnSchema(
          id: known?.id ?? next, name: name, type: role.isPoint ? .point : .int,
          isOptional: role.isPoint, role: role, position: columns.count))
      if known == nil { next += 1 }
    }
    return schema.changed(columns: columns, nextColumn: next)
  }
}

extension ColumnRole {
  /// Whether the column holds the location behind an embedded object.
  var isPoint: Bool {
    if case .point = self { return true }
    return false
  }
}
