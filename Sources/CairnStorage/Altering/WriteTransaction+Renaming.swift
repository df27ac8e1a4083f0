import CairnValues

extension WriteTransaction {
  /// Lets a property of a class that was altered have the values that another one had before.
  ///
  /// - Parameters:
  ///   - old: the property before, which the class does not have any more.
  ///   - new: the property now. What it holds is lost.
  /// - Throws: why it cannot, with the class and the property.
  package func renameProperty(
    of name: String, from old: String, to new: String
  ) throws(StoreError) {
    guard let before = snapshot.schema.table(named: name), let place = tables.place(of: name) else {
      throw refusal("Cannot rename properties of class '\(name)', which the store does not have.")
    }
    let schema = tables.schemas[place]
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
        "Cannot rename property '\(name).\(old)' to '\(new)', because one is \(source.typeText), the other \(target.typeText)."
      )
    }
    guard alterations.dropped[schema.id]?.contains(source.id) == true else {
      throw refusal(
        "Cannot rename property '\(name).\(old)' to '\(new)', because it was renamed before.")
    }
    try adopt(source, of: before, target, at: place)
  }

  /// Lets a column be the one that another was.
  private func adopt(
    _ source: ColumnSchema, of before: TableSchema, _ target: ColumnSchema, at place: Int
  ) throws(StoreError) {
    guard let writer = tables.writer(at: place) else { throw Self.ended }
    let schema = tables.schemas[place]
    var columns = schema.columns
    columns[target.position] = target.changed(id: source.id)
    var moved = [(source, target)]
    if target.type == .embedded {
      let home = Owner(table: schema.id, column: target.id, key: 0).place
      alterations.abandonedHomes.insert(home)
      alterations.abandonedHomes.remove(Owner(table: schema.id, column: source.id, key: 0).place)
    }
    if target.type == .embedded, let point = schema.point(for: target) {
      let known = before.point(for: source)
      columns[point.position] = point.changed(id: known?.id, role: .point(of: source.id))
      if let known { moved.append((known, point)) }
    }
    tables.rename(schema.changed(columns: columns), at: place)
    for (old, new) in moved {
      alterations.dropped[schema.id]?.remove(old.id)
      writer.adopt(columns[new.position], old)
    }
    if target.type == .embedded, moved.count == 1,
      let point = writer.schema.point(for: columns[target.position]),
      let embedded = writer.table.target(of: target.position)
    {
      writer.fillLocations(columns[target.position], point, embedded)
    }
    if writer.schema.isLocation { refillLocations(of: writer.table) }
  }

  private func refusal(_ message: String) -> StoreError { StoreError(.schemaMismatch, message) }
}

extension TableWriter {
  /// Goes on with a column whose rows stand elsewhere from now on.
  fileprivate func adopt(_ column: ColumnSchema, _ before: ColumnSchema) {
    overlay.forgetColumn(column.position)
    overlay.rebuilt.remove(column.position)
    table.forgetColumn(column.position)
    if column.isPrimaryKey {
      overlay.primaryKeys = [:]
      overlay.knowsPrimaryKeys = false
    }
    convertKept(column, before)
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
