import CairnValues

/// Rows built cell by cell, the fastest way to insert many.
///
/// Call `append` once for each property in order, then `finishRow`, which throws the first error in
/// a cell and discards the row. Do not begin another row of the class in the meantime.
extension TableWriter {
  /// Appends a value as the next property.
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

  /// Appends a number as the next property, an int; or the key of an object, if the property is a
  /// link.
  package func append(int number: Int64) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.type == .int || cell.type == .link || cell.type == .embedded else {
      return appendChecked(.int(number))
    }
    cell.memory.integers[row] = number
    if draft.position == draft.primaryKey { draft.key = .int(number) }
    draft.position += 1
  }

  /// Appends a bool as the next property.
  package func append(bool flag: Bool) { appendChecked(.bool(flag)) }

  /// Appends a double as the next property.
  package func append(double number: Double) { append(double: number, .double) }

  /// Appends a date as the next property, in seconds since 2001-01-01T00:00:00Z.
  package func append(date seconds: Double) { append(double: seconds, .date) }

  private func append(double number: Double, _ type: ValueType) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.type == type else {
      return appendChecked(type == .date ? .date(number) : .double(number))
    }
    cell.memory.doubles[row] = number
    draft.position += 1
  }

  /// Appends a text as the next property.
  package func append(text: String) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.type == .string, text.utf8.count <= cell.inlineSize else {
      return appendChecked(.string(text))
    }
    text.utf8.withBytes { cell.memory.replaceBytes($0, at: row) }
    if draft.position == draft.primaryKey { draft.key = .string(text) }
    draft.position += 1
  }

  /// Appends bytes as the next property: data, or an encoded collection or mixed value.
  package func append(bytes: UnsafeRawBufferPointer) {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.type == .data || cell.type == .mixed, bytes.count <= cell.inlineSize,
      !LargeReference.resembles(bytes)
    else {
      return appendChecked(.data(Array(bytes)))
    }
    cell.memory.replaceBytes(bytes, at: row)
    draft.position += 1
  }

  /// Appends null as the next property.
  package func appendNull() {
    guard let (cell, row) = nextCell() else { return fail(surplus) }
    guard cell.isNullable else { return appendChecked(.null) }
    cell.memory.setNull(true, at: row)
    cell.memory.clear(row)
    if draft.position == draft.primaryKey { draft.key = .null }
    draft.position += 1
  }

  /// Returns the cell of the next property; nil if the row is complete.
  @inline(__always)
  private func nextCell() -> (RowDraft.Cell, row: Int)? {
    let key = overlay.endKey
    if draft.chunk != RowAddress(key).chunk { beginChunk(key) }
    guard draft.position < draft.propertyCount else { return nil }
    return (draft.cell(draft.position), RowAddress(key).row)
  }

  /// Looks up the chunks for rows from `key` on, and the classes that their links lead to.
  func beginChunk(_ key: Int) {
    let chunk = RowAddress(key).chunk
    draft.invalidate()
    for column in schema.columns {
      let cell = RowDraft.Cell(
        memory: edit(column.position, chunk: chunk).memory, type: column.storedType,
        isNullable: column.isNullable,
        inlineSize: largeValueRule(of: column)?.inlineSize ?? 1 << 16)
      draft.setCell(cell, of: column.position)
    }
    draft.marksRows =
      overlay.liveRowBitmaps[chunk] != nil
      || (chunk < table.storedChunkCount && table.liveRowBitmap(ofChunk: chunk) != nil)
    draft.connect(schema.properties.compactMap(linkCell))
    draft.chunk = chunk
  }

  private func linkCell(_ column: ColumnSchema) -> RowDraft.LinkCell? {
    guard column.isLink, let target = target(of: column.position) else { return nil }
    let point = column.collection == .none ? schema.point(for: column)?.position : nil
    return RowDraft.LinkCell(
      column: column, ownerCode: Owner(table: table.id, column: column.id, key: 0).code,
      point: point, target: target.draft)
  }

  /// Appends a value with every check.
  private func appendChecked(_ value: Value) {
    guard let (cell, _) = nextCell() else { return fail(surplus) }
    let column = draft.properties[draft.position]
    draft.position += 1
    do throws(StoreError) {
      try check(value, column: column)
      try checkHeapCapacity(value, at: column.position, chunk: draft.chunk)
    } catch { return fail(error) }
    setCell(value, of: column, in: cell.memory, at: overlay.endKey)
    if column.isPrimaryKey { draft.key = value }
  }

  private var surplus: StoreError {
    StoreError(
      .invalidValue,
      message: "class '\(schema.name)' has \(draft.propertyCount) properties, not more")
  }

  private func fail(_ error: StoreError) {
    if draft.fault == nil { draft.fault = error }
  }
}

extension TableWriter {
  /// Finishes the row and returns its key.
  ///
  /// - Parameter owner: The owner of an embedded object; it may be the object that is inserted
  ///   next.
  /// - Throws: The first error in the row; the transaction is then unchanged.
  @discardableResult
  package func finishRow(owner: Owner? = nil) throws(StoreError) -> Int {
    let key = overlay.endKey
    let row = RowAddress(key).row
    if draft.chunk != RowAddress(key).chunk { beginChunk(key) }
    do throws(StoreError) {
      try checkDraft(owner, key: key)
    } catch {
      abandonRow(row)
      throw error
    }
    for column in 0..<draft.columnCount { draft.cell(column).memory.count = row + 1 }
    overlay.endKey = key + 1
    overlay.liveCount += 1
    if draft.primaryKey >= 0 { overlay.primaryKeys[draft.key] = key }
    if draft.marksRows { editLiveRows(of: key).mark(row) }
    if let owner { setOwner(owner, key: key) }
    draft.reset()
    return key
  }

  /// Clears the cells of a discarded row.
  private func abandonRow(_ row: Int) {
    for column in 0..<draft.columnCount {
      draft.cell(column).memory.setNull(false, at: row)
      draft.cell(column).memory.clear(row)
    }
    for column in 0..<draft.columnCount {
      overlay.setLargeValue(nil, column, at: overlay.endKey)
    }
    draft.reset()
  }

  private func setOwner(_ owner: Owner, key: Int) {
    guard let columns = draft.owner else { return }
    let row = RowAddress(key).row
    draft.cell(columns.key).memory.integers[row] = Int64(owner.key)
    draft.cell(columns.column).memory.integers[row] = owner.code
    draft.note(key, ownedBy: owner)
  }

  /// Throws for an invalid row, and sets the locations that its embedded objects describe.
  private func checkDraft(_ owner: Owner?, key: Int) throws(StoreError) {
    if let fault = draft.fault { throw fault }
    guard draft.position == draft.propertyCount else {
      throw StoreError(
        .invalidValue,
        message:
          "class '\(schema.name)' has \(draft.propertyCount) properties, not \(draft.position)")
    }
    if draft.primaryKey >= 0 { try checkUnique(draft.key, at: draft.primaryKey) }
    if owner != nil || draft.owner != nil { try checkOwner(owner) }
    for link in 0..<draft.links.count { try finishLink(draft.links[link], key: key) }
    if !draft.bounds.isEmpty { setDraftBounds(row: RowAddress(key).row) }
  }

  /// Throws for an invalid link, and sets the location that the linked object describes.
  @inline(__always)
  private func finishLink(_ link: RowDraft.LinkCell, key: Int) throws(StoreError) {
    let row = RowAddress(key).row
    let cell = draft.cell(link.column.position).memory
    guard link.column.collection == .none else {
      let collection = StoredCollection(
        draftBytes(link.column.position), of: link.column.type,
        isMap: link.column.collection == .map)
      for linked in collection.linkedKeys { try checkLink(linked, column: link.column, at: key) }
      return
    }
    var location: Position?
    if !cell.isNull(row) {
      let linked = Int(cell.integers[row])
      if !link.target.isLast(linked, owner: key, code: link.ownerCode) {
        try checkLink(linked, column: link.column, at: key)
      }
      if link.point != nil { location = self.location(of: linked, link) }
    }
    guard let point = link.point else { return }
    draft.cell(point).memory.setNull(location == nil, at: row)
    draft.cell(point).memory.setPoint(location ?? Position(latitude: 0, longitude: 0), at: row)
  }

  /// Returns the location that an embedded object describes. That object is usually the last one
  /// inserted.
  private func location(of linked: Int, _ link: RowDraft.LinkCell) -> Position? {
    guard link.target.chunk == RowAddress(linked).chunk,
      link.target.holdsLocation(ofRow: RowAddress(linked).row)
    else {
      return table.target(of: link.column.position)?.describedLocation(at: linked)
    }
    return link.target.location(ofRow: RowAddress(linked).row)
  }
}
