import CairnGeometry
import CairnValues

/// Conversion of rows to a changed schema.
extension TableWriter {
  /// Converts the rows of changed columns, in a writer without other changes.
  ///
  /// - Parameter derives: Whether properties take values from any type that they can be derived
  ///   from.
  func convert(from old: Table, derives: Bool) throws(StoreError) {
    for column in schema.columns {
      guard let before = old.schema.column(id: column.id) else {
        try convertNew(column, old: old, derives: derives)
        continue
      }
      convertKept(column, before: before)
    }
  }

  /// Converts a column that keeps its rows.
  func convertKept(_ column: ColumnSchema, before: ColumnSchema) {
    if column.isNullable && !before.isNullable { writeAbsent(column, before: before) }
    if before.isNullable && !column.isNullable { replaceNulls(column) }
    if column.collection != .none, before.isOptional, !column.isOptional {
      replaceNullElements(column)
    }
    let isNewKey = column.isPrimaryKey && !before.isPrimaryKey
    if isNewKey || (column.hasValueIndex && !before.hasValueIndex)
      || (column.isFullText && !before.isFullText)
    {
      overlay.rebuilt.insert(column.position)
    }
  }

  /// Converts a new column, or one with an incompatible type. Its rows are absent and read as null
  /// or as default values.
  private func convertNew(
    _ column: ColumnSchema, old: Table, derives: Bool
  ) throws(StoreError) {
    let before = column.isHidden ? nil : old.schema.stored(column.name)
    if let before, derives, before.isRetyped(to: column.type) {
      overlay.derived[column.position] = try ColumnDerivation(column, from: before, of: old)
    } else if let before, column.widens(before) {
      try widen(column, old: old.column(before.position), before: before)
    } else if let before, column.regroups(before) {
      regroup(column, old: old.column(before.position), before: before)
    } else if column.isNullable || table.state.endKey == 0 {
      return
    } else if column.requiresLocation {
      markUnset(column)
    }
    if column.listsChangedRows || column.hasSpatialIndex { overlay.rebuilt.insert(column.position) }
  }

  /// Copies the values of another column to one whose type can represent them all.
  private func widen(
    _ column: ColumnSchema, old: Column, before: ColumnSchema
  ) throws(StoreError) {
    for chunk in 0..<table.storedChunkCount {
      let source = old.chunk(chunk)
      let buffer = ChunkBuffer(layout: column.layout)
      buffer.count = table.rowCount(ofChunk: chunk)
      for row in 0..<buffer.count {
        let value = source.value(at: row, type: before.type).widened(to: column.type)
        buffer.set(
          value == .null && !column.isNullable ? .defaultValue(of: column.type) : value, at: row)
      }
      moveLargeValues(from: buffer, of: column, chunk: chunk)
      overlay.adopt(buffer, at: column.position, chunk: chunk)
    }
  }

  /// Copies the elements of lists to sets, or those of sets to lists.
  private func regroup(_ column: ColumnSchema, old: Column, before: ColumnSchema) {
    for chunk in 0..<table.storedChunkCount {
      let source = old.chunk(chunk)
      let buffer = ChunkBuffer(layout: column.layout)
      buffer.count = table.rowCount(ofChunk: chunk)
      for row in 0..<buffer.count {
        let elements = source.collection(at: row, of: before)
        buffer.set(.data(elements.encoded(as: column)), at: row)
      }
      moveLargeValues(from: buffer, of: column, chunk: chunk)
      overlay.adopt(buffer, at: column.position, chunk: chunk)
    }
  }

  /// Writes absent chunks before their column becomes optional. They hold default values, and would
  /// otherwise read as nulls.
  private func writeAbsent(_ column: ColumnSchema, before: ColumnSchema) {
    let stored = table.column(column.position)
    for chunk in 0..<table.storedChunkCount where stored.stored(chunk) == nil {
      let rows = table.rowCount(ofChunk: chunk)
      overlay.adopt(.absent(before, rows: rows), at: column.position, chunk: chunk)
    }
  }

  /// Replaces nulls with default values in a column that is no longer optional.
  private func replaceNulls(_ column: ColumnSchema) {
    let stored = table.column(column.position)
    let defaultValue: Value =
      column.requiresLocation ? column.unset : .defaultValue(of: column.storedType)
    var wasNull = false
    for chunk in 0..<table.storedChunkCount {
      guard let source = stored.stored(chunk) else {
        wasNull = true
        if column.requiresLocation { markUnset(column, in: chunk) }
        continue
      }
      guard source.nulls != nil else { continue }
      wasNull = true
      let buffer = edit(column.position, chunk: chunk)
      for row in 0..<buffer.count where buffer.isNull(row) { buffer.set(defaultValue, at: row) }
    }
    if wasNull && (column.listsChangedRows || column.hasSpatialIndex) {
      overlay.rebuilt.insert(column.position)
    }
  }

  /// Replaces null elements with default values in a column of collections.
  private func replaceNullElements(_ column: ColumnSchema) {
    let stored = table.column(column.position)
    for chunk in 0..<table.storedChunkCount where stored.stored(chunk) != nil {
      let source = stored.chunk(chunk)
      var replaced: [(row: Int, bytes: [UInt8])] = []
      for row in 0..<source.count {
        let collection = source.collection(at: row, of: column)
        guard (0..<collection.count).contains(where: collection.isNull) else { continue }
        replaced.append((row, collection.encoded(as: column)))
      }
      guard !replaced.isEmpty else { continue }
      let memory = edit(column.position, chunk: chunk).memory
      for (row, bytes) in replaced {
        setCell(.data(bytes), of: column, in: memory, at: RowAddress.firstKey(ofChunk: chunk) + row)
      }
    }
  }
}

extension StoredCollection {
  /// Encodes the elements for a column of collections, with default values instead of nulls if it
  /// has none.
  fileprivate func encoded(as column: ColumnSchema) -> [UInt8] {
    if column.type == .mixed, column.collection != .map {
      let elements = (0..<count).map { element(at: $0) }
      return column.collection == .set
        ? StoredCollection.encode(set: elements) : StoredCollection.encode(elements)
    }
    let values = (0..<count).map {
      isNull(at: $0) && !column.isOptional && column.target == nil
        ? Value.defaultValue(of: column.type) : value(at: $0)
    }
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
  /// Returns whether one column holds lists and the other sets, of the same elements.
  fileprivate func regroups(_ other: ColumnSchema) -> Bool {
    let kinds: Set<CollectionKind> = [collection, other.collection]
    return kinds == [.list, .set] && type == other.type && target == other.target
  }

  /// Returns whether every value of the other column has an exact equivalent here.
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
  /// Returns the same value as a column of that type stores it.
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

/// Required locations and geometries that older rows do not have.
///
/// None can serve as a default value. So the rows of a new column are marked until the
/// program sets them, and the alteration fails while a live row is still marked.
extension TableWriter {
  /// Marks every row of a new column.
  func markUnset(_ column: ColumnSchema) {
    for chunk in 0..<table.storedChunkCount { markUnset(column, in: chunk) }
  }

  /// Marks the rows of a chunk that was never written.
  func markUnset(_ column: ColumnSchema, in chunk: Int) {
    let buffer = ChunkBuffer(layout: column.layout)
    buffer.count = table.rowCount(ofChunk: chunk)
    for row in 0..<buffer.count { buffer.set(column.unset, at: row) }
    overlay.adopt(buffer, at: column.position, chunk: chunk)
  }

  /// Gives marked rows that have been deleted a valid location or geometry, because the store keeps
  /// one for them.
  ///
  /// - Throws: An error if live rows have no location.
  func finishUnsetLocations() throws(StoreError) {
    for column in schema.properties where column.requiresLocation {
      var missing = 0
      for chunk in 0..<table.chunkCount {
        guard let buffer = overlay.buffer(column.position, chunk: chunk) else { continue }
        for row in 0..<buffer.count where buffer.isUnset(row, of: column) {
          if table.isLive(RowAddress.firstKey(ofChunk: chunk) + row) {
            missing += 1
          } else {
            buffer.set(column.replacement, at: row)
          }
        }
      }
      if missing > 0 { throw unset(column, count: missing) }
    }
  }

  private func unset(_ column: ColumnSchema, count: Int) -> StoreError {
    StoreError(
      .schemaMismatch,
      message: "'\(schema.name).\(column.name)' is a required "
        + "\(column.isPoint ? "location" : "geometry"), and \(count) \(count == 1 ? "object has" : "objects have") none: "
        + "\(column.isPoint ? "locations" : "geometries") have no default value. Make the "
        + "property optional, or set it for every object in the migration block")
  }
}

extension ColumnSchema {
  /// Whether every row must have a location or a geometry.
  package var requiresLocation: Bool { isSpatial && !isNullable }

  /// The mark of a row without a location or geometry yet.
  fileprivate var unset: Value { isPoint ? .point(.unset) : .geometry([]) }

  /// A valid value for a deleted row.
  fileprivate var replacement: Value {
    guard isGeometry else { return .point(Position(latitude: 0, longitude: 0)) }
    var builder = GeometryBuilder()
    builder.begin(type == .lineString ? .lineString : type == .polygon ? .polygon : .point)
    builder.end()
    return .geometry(builder.geometry().bytes)
  }
}

extension Position {
  /// The mark of a row without a location yet. Users cannot set this value.
  static var unset: Position { Position(latitude: .nan, longitude: .nan) }
}

extension ChunkBuffer {
  /// Returns whether a row is marked.
  fileprivate func isUnset(_ row: Int, of column: ColumnSchema) -> Bool {
    column.isPoint ? longitudes[row].isNaN : memory.bytes(at: row).isEmpty
  }
}
