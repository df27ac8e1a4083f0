import CairnValues

/// Rows put together cell by cell: the quickest way to insert many.
///
/// One `append` for each property in order, then `finishRow`. What is wrong with a cell is thrown there, and the row is
/// forgotten. No other row of the class may be begun meanwhile.
extension TableWriter {
  /// The next property is this value.
  package func append(_ value: Value) {
    switch value {
    case .null: appendNull()
    case .int(let number): append(int: number)
    case .double(let number): append(double: number, .double)
    case .date(let number): append(double: number, .date)
    case .string(let text): append(text: text)
    default: appendChecked(value)
    }
  }

  /// The next property, an int or a link, is this number or leads to the object with this key.
  package func append(int number: Int64) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.type == .int || cell.type == .link || cell.type == .embedded else {
      return appendChecked(.int(number))
    }
    cell.memory.integers[row] = number
    if draft.position == draft.primaryKey { draft.key = .int(number) }
    draft.position += 1
  }

  /// The next property is this flag.
  package func append(bool flag: Bool) { appendChecked(.bool(flag)) }

  /// The next property is this number.
  package func append(double number: Double) { append(double: number, .double) }

  /// The next property is this moment, in seconds since 2001-01-01T00:00:00Z.
  package func append(date seconds: Double) { append(double: seconds, .date) }

  private func append(double number: Double, _ type: ValueType) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.type == type else {
      return appendChecked(type == .date ? .date(number) : .double(number))
    }
    cell.memory.doubles[row] = number
    draft.position += 1
  }

  /// The next property is this text.
  package func append(text: String) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.type == .string, text.utf8.count < 1 << 16 else {
      return appendChecked(.string(text))
    }
    text.utf8.withBytes { cell.memory.replaceBytes($0, at: row) }
    if draft.position == draft.primaryKey { draft.key = .string(text) }
    draft.position += 1
  }

  /// The next property, data or a collection or a mixed value as it is stored, is these bytes.
  package func append(bytes: UnsafeRawBufferPointer) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.type == .data || cell.type == .mixed, bytes.count < 1 << 16 else {
      return appendChecked(.data(Array(bytes)))
    }
    cell.memory.replaceBytes(bytes, at: row)
    draft.position += 1
  }

  /// The next property is null.
  package func appendNull() {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.isNullable else { return appendChecked(.null) }
    cell.memory.setNull(true, at: row)
    cell.memory.clear(row)
    if draft.position == draft.primaryKey { draft.key = .null }
    draft.position += 1
  }

  /// Where the next property stands; nil when the row has them all.
  @inline(__always)
  private func nextCell() -> (RowDraft.Cell, row: Int)? {
    let key = overlay.endKey
    if draft.chunk != key >> ChunkShape.shift { beginChunk(key) }
    guard draft.position < draft.propertyCount else { return nil }
    return (draft.cells[draft.position], key & (ChunkShape.rows - 1))
  }

  /// Looks up the chunks in which rows from `key` on will stand, and the classes that their links lead to.
  func beginChunk(_ key: Int) {
    let chunk = key >> ChunkShape.shift
    draft.invalidate()
    for column in schema.columns {
      let cell = RowDraft.Cell(
        memory: edit(column.position, chunk).memory, type: column.storedType,
        isNullable: column.isNullable)
      (draft.cells + column.position).initialize(to: cell)
    }
    draft.marksRows =
      overlay.liveness[chunk] != nil
      || (chunk < table.storedChunkCount && table.liveness(ofChunk: chunk) != nil)
    draft.connect(schema.properties.compactMap(linkCell))
    draft.chunk = chunk
  }

  private func linkCell(_ column: ColumnSchema) -> RowDraft.LinkCell? {
    guard column.isLink, let target = target(of: column.position) else { return nil }
    let point = column.collection == .none ? schema.point(for: column)?.position : nil
    return RowDraft.LinkCell(
      column: column, place: Owner(table: table.id, column: column.id, key: 0).place,
      point: point, target: target.draft)
  }

  /// Any value, with every check.
  private func appendChecked(_ value: Value) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    let column = draft.properties[draft.position]
    draft.position += 1
    do throws(StoreError) {
      try check(value, column)
      try checkRoom(value, column.position, draft.chunk)
    } catch { return fail(error) }
    cell.memory.set(value, at: row)
    if column.isPrimaryKey { draft.key = value }
  }

  private var surplus: StoreError {
    StoreError(
      .invalidValue, "class '\(schema.name)' has \(draft.propertyCount) properties, not more")
  }

  private func fail(_ error: StoreError) {
    if draft.fault == nil { draft.fault = error }
  }
}
