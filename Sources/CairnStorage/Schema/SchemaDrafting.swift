import CairnValues

/// Turns drafts into classes: checks them against one another, numbers their columns, and adds those that the store
/// keeps for itself.
struct SchemaDrafting {
  private let existing: [TableSchema]
  private let drafts: [TableDraft]

  init(existing: [TableSchema], _ drafts: [TableDraft]) {
    self.existing = existing
    self.drafts = drafts
  }

  /// The classes in the order of the drafts, without their numbers.
  func schemas() throws(StoreError) -> [TableSchema] {
    var visible: [TableSchema] = []
    for (place, draft) in drafts.enumerated() {
      guard known(draft.name, among: visible) == nil else {
        throw mismatch("class '\(draft.name)' exists already")
      }
      visible.append(schema(of: drafts[place]))
    }
    for schema in visible {
      try schema.check()
      for column in schema.columns { try checkTarget(column, of: schema, among: visible) }
      for inverse in schema.inverses { try check(inverse, of: schema, among: visible) }
    }
    return visible.map { $0.adding(hiddenColumns(of: $0, among: visible)) }
  }

  private func known(_ name: String, among made: [TableSchema]) -> TableSchema? {
    (made + existing).first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private func schema(of draft: TableDraft) -> TableSchema {
    let columns = draft.columns.enumerated().map { position, column in
      let isOrigin = drafts.contains { $0.hasInverse(from: draft.name, column.name) }
      return column.placed(
        position, role: .property,
        isIndexed: column.isIndexed || (isOrigin && column.type == .link))
    }
    return TableSchema(
      id: 0, name: draft.name, columns: columns, isEmbedded: draft.isEmbedded,
      inverses: draft.inverses)
  }

  private func checkTarget(
    _ column: ColumnSchema, of schema: TableSchema, among made: [TableSchema]
  ) throws(StoreError) {
    let place = "'\(schema.name).\(column.name)'"
    guard column.isLink else { return }
    guard let name = column.target else {
      throw mismatch("\(place) is of type \(column.type.name) and names no class")
    }
    guard let target = known(name, among: made) else {
      throw mismatch("\(place) leads to class '\(name)', which there is not")
    }
    guard target.isEmbedded == (column.type == .embedded) else {
      throw mismatch(
        target.isEmbedded
          ? "\(place) links to '\(name)', whose objects are embedded; make it an embedded object"
          : "\(place) embeds objects of '\(name)', which is no embedded class")
    }
  }

  private func check(
    _ inverse: InverseSchema, of schema: TableSchema, among made: [TableSchema]
  ) throws(StoreError) {
    let place = "'\(schema.name).\(inverse.name)'"
    guard let origin = known(inverse.origin, among: made) else {
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

  /// The location behind every embedded object that describes one, and of an embedded class whose objects are whose.
  private func hiddenColumns(
    of schema: TableSchema, among made: [TableSchema]
  ) -> [ColumnSchema] {
    var hidden: [ColumnSchema] = []
    for column in schema.columns where column.type == .embedded && column.collection == .none {
      guard let name = column.target, known(name, among: made)?.isLocation == true else { continue }
      hidden.append(
        ColumnSchema(
          id: 0, name: column.name, type: .point, isOptional: true, role: .point(of: column.id),
          position: 0))
    }
    if schema.isEmbedded {
      hidden.append(ColumnSchema(id: 0, name: "", type: .int, role: .ownerKey, position: 0))
      hidden.append(ColumnSchema(id: 0, name: "", type: .int, role: .ownerColumn, position: 0))
    }
    return hidden
  }

  private func mismatch(_ message: String) -> StoreError { StoreError(.schemaMismatch, message) }
}

extension TableDraft {
  fileprivate func hasInverse(from origin: String, _ property: String) -> Bool {
    inverses.contains {
      $0.origin.utf8.elementsEqual(origin.utf8) && $0.property.utf8.elementsEqual(property.utf8)
    }
  }
}

extension TableSchema {
  /// The same class under that number.
  func numbered(_ id: UInt32) -> TableSchema {
    TableSchema(id: id, name: name, columns: columns, isEmbedded: isEmbedded, inverses: inverses)
  }

  /// The same class with more columns behind its own.
  fileprivate func adding(_ hidden: [ColumnSchema]) -> TableSchema {
    let more = hidden.enumerated().map { place, column in
      column.placed(columns.count + place, role: column.role, isIndexed: false)
    }
    return TableSchema(
      id: id, name: name, columns: columns + more, isEmbedded: isEmbedded, inverses: inverses)
  }
}

extension ColumnSchema {
  /// The same column at a position, with its number.
  fileprivate func placed(_ position: Int, role: ColumnRole, isIndexed: Bool) -> ColumnSchema {
    ColumnSchema(
      id: UInt16(position), name: name, type: type, collection: collection, isOptional: isOptional,
      isIndexed: isIndexed, isPrimaryKey: isPrimaryKey, target: target, role: role,
      position: position)
  }
}
