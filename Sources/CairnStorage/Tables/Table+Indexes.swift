import CairnIndex
import CairnValues

extension Table {
  /// Returns the index entries of a row: its value, or each object that it links to.
  func indexKeys(_ position: Int, at key: Int) -> IndexKeys {
    let column = column(position)
    guard column.schema.collection != .none else { return IndexKeys(indexKey(of: column, at: key)) }
    return IndexKeys(
      Set(linkedKeys(position, at: key)).map { .number(IndexKey.ordered(Int64($0))) })
  }

  /// The index entry of a column with one value in each row.
  private func indexKey(of column: Column, at key: Int) -> IndexKey? {
    let (chunk, row) = (column.chunk(forRow: key), RowAddress(key).row)
    guard !chunk.isNull(row) else { return nil }
    switch column.schema.storedType {
    case .int: return .number(IndexKey.ordered(chunk.int(at: row)))
    case .double, .date: return .number(IndexKey.ordered(chunk.double(at: row)))
    case let type: return IndexKey(chunk.value(at: row, type: type))
    }
  }

  /// Returns the key of the live row with that primary key; nil if it does not exist, or if the
  /// class has no primary key.
  package func find(primaryKey value: Value) -> Int? {
    guard let position = schema.primaryKey else { return nil }
    if value == .null { return overlay?.primaryKeys[.null] ?? findNull(position) }
    if let overlay {
      if isRebuilt(position) {
        gatherPrimaryKeys(position, overlay: overlay)
      } else if !overlay.knowsUnindexed {
        gatherUnindexed(position, overlay: overlay)
      }
      if let known = overlay.primaryKeys[value] { return known }
    }
    guard let index = valueIndex(position) else { return nil }
    var found: Int?
    func visit(_ key: Int) -> Bool {
      guard isLive(key), self.value(position, at: key) == value else { return true }
      found = key
      return false
    }
    if overlay == nil {
      index.candidates(ValueRange(equal: value), visit: visit)
    } else {
      // The overlay has the primary keys of all other rows.
      _ = index.runCandidates(ValueRange(equal: value), visit: visit)
    }
    return found
  }

  /// Returns the first live row whose primary key is null. Indexes do not hold nulls; the zones
  /// show the chunks that have some.
  private func findNull(_ position: Int) -> Int? {
    let column = column(position)
    guard column.schema.isNullable else { return nil }
    for index in 0..<chunkCount {
      let zone = column.zone(index)
      if zone.isKnown, zone.nullCount == 0 { continue }
      let chunk = column.chunk(index)
      guard chunk.nulls != nil else { continue }
      let first = RowAddress.firstKey(ofChunk: index)
      let row = (0..<rowCount(ofChunk: index)).first { chunk.isNull($0) && isLive(first + $0) }
      if let row { return first + row }
    }
    return nil
  }

  /// Collects the primary keys of all rows in the overlay, for a transaction that has not built
  /// their index yet.
  private func gatherPrimaryKeys(_ position: Int, overlay: TableOverlay) {
    guard !overlay.knowsPrimaryKeys else { return }
    overlay.knowsPrimaryKeys = true
    for key in 0..<endKey where isLive(key) {
      overlay.primaryKeys[value(position, at: key)] = key
    }
  }

  /// Collects the primary keys of unindexed rows in the overlay.
  private func gatherUnindexed(_ position: Int, overlay: TableOverlay) {
    overlay.knowsUnindexed = true
    guard !overlay.isCleared else { return }
    let keys = state.unindexedKeys(TableState.UnindexedRow.anyValue) + state.unindexedRows
    for key in keys where isLive(key) { overlay.primaryKeys[value(position, at: key)] = key }
  }

  /// The rows that no run holds yet.
  var unindexedRows: Range<Int> {
    guard let overlay else { return state.unindexedRows }
    return overlay.isCleared
      ? overlay.newKeys : state.unindexedRows.lowerBound..<overlay.endKey
  }
}

extension ValueIndex {
  /// Opens the index of the column at a position.
  init(table: Table, position: Int) {
    let column = table.schema.columns[position]
    let isCleared = table.overlay?.isCleared == true
    let runs = table.state.valueRuns.filter { $0.column == column.id && !isCleared }
      .map { ValueRunReader($0, table: table.schema.id, source: table.transaction) }
    let unindexed = isCleared ? [] : table.state.unindexedKeys(TableState.UnindexedRow.anyValue)
    self.init(
      runs, pending: unindexed + (table.overlay?.touchedKeys ?? []), newKeys: table.unindexedRows)
  }
}

extension TextIndex {
  /// Opens the index of the column at a position.
  init(table: Table, position: Int) {
    let column = table.schema.columns[position]
    let isCleared = table.overlay?.isCleared == true
    let runs = table.state.textRuns.filter { $0.column == column.id && !isCleared }
      .map { TextRunReader($0, table: table.schema.id, source: table.transaction) }
    let unindexed = isCleared ? [] : table.state.unindexedKeys(TableState.UnindexedRow.anyValue)
    var pending = TextRows(chunkCount: table.chunkCount)
    for key in unindexed { pending.insert(key) }
    for key in table.overlay?.touchedKeys ?? [] { pending.insert(key) }
    for key in table.unindexedRows { pending.insert(key) }
    self.init(runs, pending: pending)
  }
}

/// The values of a row in a value index: mostly one, for which no memory is allocated.
struct IndexKeys: Sequence, IteratorProtocol {
  private var first: IndexKey?
  private var rest: [IndexKey]

  init(_ key: IndexKey?) {
    first = key
    rest = []
  }

  init(_ keys: [IndexKey]) {
    first = nil
    rest = keys
  }

  mutating func next() -> IndexKey? {
    guard let key = first else { return rest.popLast() }
    first = nil
    return key
  }
}
