import CairnValues

extension WriteTransaction {
  /// Gives a property of an altered class the values that another property had before.
  ///
  /// - Parameters:
  ///   - old: The previous property, which the class no longer has.
  ///   - new: The new property. Its own values are lost.
  /// - Throws: The reason that the property cannot be renamed.
  package func renameProperty(
    of name: String, from old: String, to new: String
  ) throws(StoreError) {
    guard let before = snapshot.schema.table(named: name), let index = tables.index(of: name) else {
      throw refusal("Cannot rename properties of class '\(name)', which the store does not have.")
    }
    let schema = tables.schemas[index]
    guard let source = before.stored(old) else {
      throw refusal("Cannot rename property '\(name).\(old)', which the store does not have.")
    }
    guard schema.stored(old) == nil else {
      throw refusal(
        "Cannot rename property '\(name).\(old)' to '\(new)', because the class still has '\(old)'."
      )
    }
    guard let target = schema.stored(new) else {
      throw refusal(
        "Cannot rename property '\(name).\(old)' to '\(new)', which the class does not have.")
    }
    guard source.keepsRows(as: target) else {
      throw refusal(
        "Cannot rename property '\(name).\(old)' to '\(new)', "
          + "because one is \(source.typeText), the other \(target.typeText)."
      )
    }
    guard alterations.dropped[schema.id]?.contains(source.id) == true else {
      throw refusal(
        "Cannot rename property '\(name).\(old)' to '\(new)', because it was renamed before.")
    }
    try adopt(source, of: before, target: target, at: index)
  }

  /// Replaces a column's rows with those of another column.
  private func adopt(
    _ source: ColumnSchema, of before: TableSchema, target: ColumnSchema, at index: Int
  ) throws(StoreError) {
    guard let writer = tables.writer(at: index) else { throw Self.ended }
    let schema = tables.schemas[index]
    var columns = schema.columns
    columns[target.position] = target.changed(id: source.id)
    var moved = [(source, target)]
    if target.type == .embedded {
      let code = Owner(table: schema.id, column: target.id, key: 0).code
      alterations.abandonedOwners.insert(code)
      alterations.abandonedOwners.remove(Owner(table: schema.id, column: source.id, key: 0).code)
    }
    if let derived = schema.derivedColumn(of: target) {
      let known = before.derivedColumn(of: source)
      columns[derived.position] = derived.changed(
        id: known?.id, role: derived.role.moved(to: source.id))
      if let known { moved.append((known, derived)) }
    }
    tables.rename(schema.changed(columns: columns), at: index)
    for (old, new) in moved {
      alterations.dropped[schema.id]?.remove(old.id)
      writer.adopt(columns[new.position], before: old)
    }
    if target.type == .embedded, moved.count == 1,
      let point = writer.schema.point(for: columns[target.position]),
      let embedded = writer.table.target(of: target.position)
    {
      writer.fillLocations(columns[target.position], point: point, target: embedded)
    }
    if writer.schema.isLocation { refillLocations(of: writer.table) }
  }

  private func refusal(_ message: String) -> StoreError {
    StoreError(.schemaMismatch, message: message)
  }
}

extension TableWriter {
  /// Continues with a column whose stored rows have changed.
  fileprivate func adopt(_ column: ColumnSchema, before: ColumnSchema) {
    overlay.forgetColumn(column.position)
    overlay.rebuilt.remove(column.position)
    table.forgetColumn(column.position)
    if column.isPrimaryKey {
      overlay.primaryKeys = [:]
      overlay.knowsPrimaryKeys = false
    }
    convertKept(column, before: before)
  }
}

extension ColumnSchema {
  /// The type as messages show it: `string`, `list of double`, `object 'Dog'`.
  package var typeText: String {
    let element = target.map { "\(type.name) '\($0)'" } ?? type.name
    return switch collection {
    case .none: element
    case .list: "list of \(element)"
    case .set: "set of \(element)"
    case .map: "map of \(element)"
    }
  }
}
