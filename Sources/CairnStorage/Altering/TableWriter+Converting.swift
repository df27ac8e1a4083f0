import CairnValues

/// The rows of a class follow its new form.
extension TableWriter {
  /// Converts what was kept under another meaning, in a writer that has changed nothing yet.
  ///
  /// - Parameter derives: whether properties take over the values of any type that they can be derived from.
  func convert(from old: Table, derives: Bool) throws(StoreError) {
    for column in schema.columns {
      guard let before = old.schema.column(id: column.id) else {
        try convertNew(column, old, derives)
        continue
      }
      convertKept(column, before)
    }
  }

  /// A column whose rows stay where they are.
  func convertKept(_ column: ColumnSchema, _ before: ColumnSchema) {
    if column.isNullable && !before.isNullable { writeAbsent(column, before) }
    if before.isNullable && !column.isNullable { replaceNulls(column) }
    if column.collection != .none, before.isOptional, !column.isOptional {
      replaceNullElements(column)
    }
    let isNewKey = column.isPrimaryKey && !before.isPrimaryKey
    if isNewKey || (column.hasValueIndex && !before.hasValueIndex) {
      overlay.rebuilt.insert(column.position)
    }
  }

  /// A column that was not there, or held something else: its rows are absent, and read as null or blank.
  private func convertNew(
    _ column: ColumnSchema, _ old: Table, _ derives: Bool
  ) throws(StoreError) {
    let before = column.isHidden ? nil : old.schema.stored(column.name)
    if let before, derives, before.isRetyped(to: column.type) {
      overlay.derived[column.position] = try ColumnDerivation(column, from: before, of: old)
    } else if let before, column.widens(before) {
      try widen(column, old.column(before.position), before)
    } else if column.isNullable || table.state.endKey == 0 {
      return
    } else if column.requiresLocation {
      markUnset(column)
    }
    if column.hasValueIndex || column.hasSpatialIndex { overlay.rebuilt.insert(column.position) }
  }

  /// Copies the values of another column into one whose type holds them all.
  private func widen(
    _ column: ColumnSchema, _ old: Column, _ before: ColumnSchema
  ) throws(StoreError) {
    for chunk in 0..<table.storedChunkCount {
      let source = old.chunk(chunk)
      let buffer = ChunkBuffer(layout: column.layout)
      buffer.count = table.rowCount(ofChunk: chunk)
      for row in 0..<buffer.count {
        let value = source.value(at: row, type: before.type).widened(to: column.type)
        buffer.set(value == .null && !column.isNullable ? .blank(column.type) : value, at: row)
      }
      overlay.adopt(buffer, column.position, chunk)
    }
  }

  /// Writes the chunks that were absent, before their column may be null: they hold blanks, and would read as nulls.
  private func writeAbsent(_ column: ColumnSchema, _ before: ColumnSchema) {
    let stored = table.column(column.position)
    for chunk in 0..<table.storedChunkCount where stored.stored(chunk) == nil {
      let rows = table.rowCount(ofChunk: chunk)
      overlay.adopt(.absent(before, rows: rows), column.position, chunk)
    }
  }

  /// Writes blanks where the column holds null, which it may not do any more.
  private func replaceNulls(_ column: ColumnSchema) {
    let stored = table.column(column.position)
    let blank: Value = column.requiresLocation ? .point(.unset) : .blank(column.storedType)
    var wasNull = false
    for chunk in 0..<table.storedChunkCount {
      guard let source = stored.stored(chunk) else {
        wasNull = true
        if column.requiresLocation { markUnset(column, in: chunk) }
        continue
      }
      guard source.nulls != nil else { continue }
      wasNull = true
      let buffer = edit(column.position, chunk)
      for row in 0..<buffer.count where buffer.isNull(row) { buffer.set(blank, at: row) }
    }
    if wasNull && (column.hasValueIndex || column.hasSpatialIndex) {
      overlay.rebuilt.insert(column.position)
    }
  }

  /// The same for the elements of collections.
  private func replaceNullElements(_ column: ColumnSchema) {
    let stored = table.column(column.position)
    for chunk in 0..<table.storedChunkCount {
      guard let source = stored.stored(chunk) else { continue }
      for row in 0..<source.count {
        let collection = source.collection(at: row, of: column)
        guard (0..<collection.count).contains(where: collection.isNull) else { continue }
        edit(column.position, chunk).set(.data(collection.withoutNulls(column)), at: row)
      }
    }
  }
}

extension StoredCollection {
  /// The bytes of the collection with blanks for nulls.
  fileprivate func withoutNulls(_ column: ColumnSchema) -> [UInt8] {
    let values = (0..<count).map { isNull(at: $0) ? Value.blank(column.type) : value(at: $0) }
    return switch column.collection {
    case .set: StoredCollection.encode(set: values, of: column.type)
    case .map:
      StoredCollection.encode(
        map: (0..<count).map { (key: keyText(at: $0), value: values[$0]) }, of: column.type)
    case .list, .none: StoredCollection.encode(values, of: column.type)
    }
  }
}

extension ColumnSchema {
  /// Whether every value of the other column has one here that is the same.
  fileprivate func widens(_ other: ColumnSchema) -> Bool {
    guard collection == .none, other.collection == .none else { return false }
    return switch (other.type, type) {
    case (.float, .double), (.int, .decimal128): true
    case (.bool, .mixed), (.int, .mixed), (.float, .mixed), (.double, .mixed), (.string, .mixed),
      (.data, .mixed), (.date, .mixed), (.objectId, .mixed), (.uuid, .mixed),
      (.decimal128, .mixed):
      true
    default: false
    }
  }
}

extension Value {
  /// The same value in a column of a type that holds it.
  fileprivate func widened(to type: ValueType) -> Value {
    switch (self, type) {
    case (.null, _): .null
    case (.float(let number), .double): .double(Double(number))
    case (.int(let number), .decimal128): .decimal(Decimal128(number))
    case (_, .mixed): .data(Element.value(self).encoded())
    default: self
    }
  }
}
