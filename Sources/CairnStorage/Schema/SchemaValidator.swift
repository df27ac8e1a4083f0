import CairnValues

/// Checks classes against each other: links and inverse properties refer to other classes.
struct SchemaValidator {
  /// All classes with their future properties.
  let classes: [TableSchema]

  /// Throws for an invalid class or property.
  func check(_ schema: TableSchema) throws(StoreError) {
    try schema.check()
    for column in schema.properties { try checkTarget(column, of: schema) }
    for inverse in schema.inverses { try check(inverse, of: schema) }
  }

  /// Returns the class of that name. Names are compared by code point.
  func known(_ name: String) -> TableSchema? {
    classes.first { $0.name.hasSameCodePoints(as: name) }
  }

  private func checkTarget(_ column: ColumnSchema, of schema: TableSchema) throws(StoreError) {
    let property = "'\(schema.name).\(column.name)'"
    guard column.isLink else { return }
    guard let name = column.target else {
      throw mismatch("\(property) is of type \(column.type.name) but does not name a class")
    }
    guard let target = known(name) else {
      throw mismatch("\(property) refers to class '\(name)', which does not exist")
    }
    guard target.isEmbedded == (column.type == .embedded) else {
      throw mismatch(
        target.isEmbedded
          ? "\(property) links to '\(name)', whose objects are embedded; make it an embedded object"
          : "\(property) embeds objects of '\(name)', which is not an embedded class")
    }
  }

  private func check(_ inverse: InverseSchema, of schema: TableSchema) throws(StoreError) {
    let property = "'\(schema.name).\(inverse.name)'"
    guard let origin = known(inverse.origin) else {
      throw mismatch("\(property) comes from class '\(inverse.origin)', which does not exist")
    }
    guard let column = origin.column(named: inverse.property) else {
      throw mismatch(
        "\(property) comes from '\(inverse.origin).\(inverse.property)', which does not exist")
    }
    guard column.isLink, column.target?.hasSameCodePoints(as: schema.name) == true else {
      throw mismatch(
        "\(property) comes from '\(inverse.origin).\(inverse.property)', "
          + "which does not link to '\(schema.name)'"
      )
    }
  }

  private func mismatch(_ message: String) -> StoreError {
    StoreError(.schemaMismatch, message: message)
  }
}

extension SchemaValidator {
  /// Returns whether an inverse property reverses the property of that class.
  func hasInverse(_ property: String, of origin: String) -> Bool {
    classes.contains { schema in
      schema.inverses.contains {
        $0.origin.hasSameCodePoints(as: origin) && $0.property.hasSameCodePoints(as: property)
      }
    }
  }

  /// Returns the class with the store's own columns: the location of every embedded object that
  /// describes one, the boxes of every geometry, and the owner columns of an embedded class.
  /// Existing columns keep their numbers.
  func completed(_ schema: TableSchema) -> TableSchema {
    var roles: [(name: String, role: ColumnRole)] = []
    for column in schema.properties where column.collection == .none {
      if column.isGeometry { roles.append((column.name, .bounds(of: column.id))) }
      guard column.type == .embedded, let name = column.target, known(name)?.isLocation == true
      else { continue }
      roles.append((column.name, .point(of: column.id)))
    }
    if schema.isEmbedded { roles += [("", .ownerKey), ("", .ownerColumn)] }
    var columns = schema.properties
    var next = schema.nextColumn
    for (name, role) in roles {
      let known = schema.columns.first { $0.role == role }
      columns.append(
        ColumnSchema(
          id: known?.id ?? next, name: name, type: role.type, isOptional: role.source != nil,
          role: role, position: columns.count))
      if known == nil { next += 1 }
    }
    return schema.changed(columns: columns, nextColumn: next)
  }
}

extension ColumnRole {
  /// The type of a column of the store.
  fileprivate var type: ValueType {
    switch self {
    case .point: .point
    case .bounds: .box
    case .property, .ownerKey, .ownerColumn, .computed: .int
    }
  }

  /// The number of the property that the column is derived from; nil for other columns.
  var source: UInt16? {
    switch self {
    case .point(let column), .bounds(let column): column
    case .property, .ownerKey, .ownerColumn, .computed: nil
    }
  }

  /// Returns the same role for a property of another number.
  func moved(to source: UInt16) -> ColumnRole {
    switch self {
    case .point: .point(of: source)
    case .bounds: .bounds(of: source)
    case .property, .ownerKey, .ownerColumn, .computed: self
    }
  }
}
