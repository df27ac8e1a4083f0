import CairnValues

/// The value index of one property: runs of (value, key) entries.
///
/// Its answers are candidates, a superset: an entry of a row that has changed since stays in its run
/// until runs merge, so the asker holds the condition against the row again and drops repeats.
package struct ValueIndex {
  private let table: Table
  private let runs: [ValueRunReader]
  /// Rows that the runs do not speak for.
  private let pending: [Int]
  private let newKeys: Range<Int>

  init(table: Table, position: Int) {
    self.table = table
    let column = table.schema.columns[position]
    let isCleared = table.overlay?.isCleared == true
    runs = table.state.valueRuns.filter { $0.column == column.id && !isCleared }
      .map { ValueRunReader($0, table: table.schema.id, table.transaction) }
    let unsettled = isCleared ? [] : table.state.unsettledKeys(TableState.Unsettled.anyValue)
    pending = unsettled + (table.overlay?.touchedKeys ?? [])
    newKeys = table.unsettledRows
  }

  /// How many candidates `range` has.
  package func estimate(_ range: ValueRange) -> Int {
    runs.reduce(pending.count + newKeys.count) { $0 + $1.positions(range).count }
  }

  /// Visits the keys of rows whose value may lie in `range`, until `visit` says no; by value within a run.
  package func candidates(_ range: ValueRange, _ visit: (Int) -> Bool) {
    guard settledCandidates(range, visit) else { return }
    for key in pending {
      guard visit(key) else { return }
    }
    for key in newKeys {
      guard visit(key) else { return }
    }
  }

  /// The same without the rows that the runs do not speak for; whether `visit` never said no.
  func settledCandidates(_ range: ValueRange, _ visit: (Int) -> Bool) -> Bool {
    for run in runs {
      for position in run.positions(range) {
        guard visit(run.key(position)) else { return false }
      }
    }
    return true
  }
}

/// One run of a value index, over the segments where they are stored.
final class ValueRunReader {
  let run: ValueRun
  private let table: UInt32
  private let source: any KeyValues
  private var segments: [Int: ValueSegment] = [:]

  init(_ run: ValueRun, table: UInt32, _ source: any KeyValues) {
    self.run = run
    self.table = table
    self.source = source
  }

  private func segment(of position: Int) -> ValueSegment? {
    let number = position / ValueSegment.capacity
    if let known = segments[number] { return known }
    let key = StorageKey.runKeys(table, run.column, run.id, segment: run.firstSegment + number)
    let segment = ValueSegment(source.get(key))
    segments[number] = segment
    return segment
  }

  /// The key of the row at a position.
  func key(_ position: Int) -> Int {
    run.firstRow + (segment(of: position)?.key(position % ValueSegment.capacity) ?? 0)
  }

  /// The entry at a position.
  func entry(_ position: Int) -> ValueEntry? {
    segment(of: position).map {
      ValueEntry(
        value: $0.value(position % ValueSegment.capacity),
        key: run.firstRow + $0.key(position % ValueSegment.capacity))
    }
  }

  /// The positions whose values lie in `range`.
  func positions(_ range: ValueRange) -> Range<Int> {
    let low =
      switch range.lower {
      case .none: 0
      case .including(let value): partition(value, orEqual: false, missing: 0)
      case .excluding(let value): partition(value, orEqual: true, missing: 0)
      }
    let high =
      switch range.upper {
      case .none: run.count
      case .including(let value): partition(value, orEqual: true, missing: 0)
      case .excluding(let value): partition(value, orEqual: false, missing: 0)
      }
    return low..<max(low, high)
  }

  /// How many entries come before `value`, those equal to it included when `orEqual`.
  private func partition(_ value: Value, orEqual: Bool, missing: Int) -> Int {
    guard let key = IndexKey(value) else { return missing }
    var low = 0
    var high = run.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore =
        segment(of: middle)?.isBefore(middle % ValueSegment.capacity, key, orEqual: orEqual)
        ?? false
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Table {
  /// The key of the live row with that primary key; nil when there is none, or the class has no primary key.
  package func find(primaryKey value: Value) -> Int? {
    guard let position = schema.primaryKey else { return nil }
    if value == .null { return overlay?.primaryKeys[.null] ?? findNull(position) }
    if let overlay {
      if isRebuilt(position) {
        gatherPrimaryKeys(position, overlay)
      } else if !overlay.knowsUnsettled {
        noteUnsettled(position, overlay)
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
      index.candidates(ValueRange(equal: value), visit)
    } else {
      // Of the others the transaction knows the primary keys.
      _ = index.settledCandidates(ValueRange(equal: value), visit)
    }
    return found
  }

  /// The first live row whose primary key is null. The index holds no nulls: the zones lead to the chunks that have some.
  private func findNull(_ position: Int) -> Int? {
    let column = column(position)
    guard column.schema.isNullable else { return nil }
    for index in 0..<chunkCount {
      let zone = column.zone(index)
      if zone.isKnown, zone.nullCount == 0 { continue }
      let chunk = column.chunk(index)
      guard chunk.nulls != nil else { continue }
      let first = index << ChunkShape.shift
      let row = (0..<rowCount(ofChunk: index)).first { chunk.isNull($0) && isLive(first + $0) }
      if let row { return first + row }
    }
    return nil
  }

  /// Lets an open transaction know the primary keys of all rows, until it has built their index.
  private func gatherPrimaryKeys(_ position: Int, _ overlay: TableOverlay) {
    guard !overlay.knowsPrimaryKeys else { return }
    overlay.knowsPrimaryKeys = true
    for key in 0..<endKey where isLive(key) {
      overlay.primaryKeys[value(position, at: key)] = key
    }
  }

  /// Lets the transaction know the primary keys of rows that no run speaks for.
  private func noteUnsettled(_ position: Int, _ overlay: TableOverlay) {
    overlay.knowsUnsettled = true
    guard !overlay.isCleared else { return }
    let keys = state.unsettledKeys(TableState.Unsettled.anyValue) + state.unsettledRows
    for key in keys where isLive(key) { overlay.primaryKeys[value(position, at: key)] = key }
  }

  /// Rows that no run has.
  var unsettledRows: Range<Int> {
    guard let overlay else { return state.unsettledRows }
    return overlay.isCleared
      ? overlay.newKeys : state.unsettledRows.lowerBound..<overlay.endKey
  }
}
