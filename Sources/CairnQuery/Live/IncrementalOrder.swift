import CairnStorage

/// Sorted results.
final class IncrementalOrder: IncrementalResults {
  private var members: KeyBitSet
  private var rows: OrderedRows

  /// A divisor: if more than this part of the results changes, sorting all of them again is faster.
  private static let smallPart = 16

  init(_ execution: Execution, order: RowOrder) {
    let ranked = execution.sortKeyedRows(order, rowsNeeded: .max)
    rows = OrderedRows(ranked)
    members = KeyBitSet(ranked.lazy.map(\.key))
  }

  var count: Int { rows.count }
  var keys: [Int] { rows.keys }
  func key(at position: Int) -> Int { rows.key(at: position) }

  func update(_ step: TrackingStep) throws -> Changes {
    let (matching, execution) = try step.matching()
    let leaving = members.members(among: step.rows.deleted.union(step.reread))
    let observed = members.members(among: step.observed.subtracting(KeyRangeSet(rising: leaving)))
    guard !leaving.isEmpty || !observed.isEmpty || !matching.isEmpty else { return Changes() }
    var old: [OrderedRows.PositionedRow] = []
    var quiet: [OrderedRows.PositionedRow] = []
    if !leaving.isEmpty || !observed.isEmpty, let before = try step.order(of: step.old) {
      old = positions(of: leaving, before)
      quiet = positions(of: observed, before)
    }
    leave(old)
    let new = enter(matching, execution: execution)
    return changes(old, new: new, quiet: quiet, observed: step.observed)
  }

  /// The positions of rows that are among the results.
  private func positions(of keys: [Int], _ order: RowOrder) -> [OrderedRows.PositionedRow] {
    guard !keys.isEmpty else { return [] }
    if !isLarge(keys.count) {
      let found = rows.positions(of: keys, in: order)
      if zip(keys.sorted(), found.map(\.key).sorted()).allSatisfy(==) { return found }
    }
    let wanted = KeyBitSet(keys)
    return rows.positions(where: wanted.contains)
  }

  private func isLarge(_ changed: Int) -> Bool {
    changed > 256 && changed > rows.count / Self.smallPart
  }

  private func leave(_ positions: [OrderedRows.PositionedRow]) {
    rows.remove(positions.map(\.position))
    for row in positions { members.remove(row.key) }
  }

  /// Inserts rows that are not among the results. Returns their new positions.
  private func enter(_ keys: [Int], execution: Execution?) -> [OrderedRows.PositionedRow] {
    guard !keys.isEmpty, let execution, let order = execution.plan.order else { return [] }
    for key in keys { members.insert(key) }
    if isLarge(keys.count) {
      rows = OrderedRows(execution.sortKeyedRows(order, rowsNeeded: .max))
      let wanted = KeyBitSet(keys)
      return rows.positions(where: wanted.contains)
    }
    for key in keys { rows.insert(order.ranked(key), in: order) }
    return rows.positions(of: keys, in: order)
  }

  /// The changes of one update.
  ///
  /// - Parameters:
  ///   - old: The old positions of rows that left them, in order.
  ///   - new: The new positions of rows that took them, in order.
  ///   - quiet: The old positions of rows that changed only in observed properties, in order.
  private func changes(
    _ old: [OrderedRows.PositionedRow], new: [OrderedRows.PositionedRow],
    quiet: [OrderedRows.PositionedRow], observed: KeyRangeSet
  ) -> Changes {
    let stayed = Self.stayed(old, new: new)
    let newStayed = Set(stayed.map(\.new))
    let oldStayed = Set(stayed.map(\.old))
    var changes = Changes()
    for (number, row) in old.enumerated() where !oldStayed.contains(number) {
      changes.deletions.append(row.index)
      changes.deletedKeys.append(row.key)
    }
    for (number, row) in new.enumerated() where !newStayed.contains(number) {
      changes.insertions.append(row.index)
      changes.insertedKeys.append(row.key)
    }
    let modified = stayed.map { old[$0.old] }.filter { observed.contains($0.key) } + quiet
    for row in modified.sorted(by: { $0.index < $1.index }) {
      changes.modifications.append(row.index)
      changes.modifiedKeys.append(row.key)
    }
    return changes
  }

  /// The rows that kept their position relative to the rows that never moved and to one another.
  /// The number of such rows is maximal.
  private static func stayed(
    _ old: [OrderedRows.PositionedRow], new: [OrderedRows.PositionedRow]
  ) -> [(old: Int, new: Int)] {
    guard !old.isEmpty, !new.isEmpty else { return [] }
    let numbers = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1.key, $0) })
    var pairs: [(old: Int, new: Int)] = []
    for (number, row) in old.enumerated() {
      guard let other = numbers[row.key],
        row.index - number == new[other].index - other
      else { continue }
      pairs.append((number, other))
    }
    return SequenceDifference.longestAscending(pairs)
  }
}

extension TrackingStep {
  /// The order of the results in one of the two snapshots.
  fileprivate func order(of table: Table?) throws -> RowOrder? {
    try table.flatMap { try StepBinder(paths: PathBinder(table: $0)).order(query.sort) }
  }
}

extension RowOrder {
  /// A row with its normalized sort key.
  func ranked(_ key: Int) -> SortKeyedRow {
    let sortKey = first.ascendingSortKey(key)
    return SortKeyedRow(sortKey: first.isAscending ? sortKey : ~sortKey, key: key)
  }
}

/// Sorted rows in blocks. An insertion or removal does not move all rows that follow.
struct OrderedRows {
  private var blocks: [[SortKeyedRow]] = []
  /// The number of rows in each block. No block is empty.
  private var counts: [Int] = []
  private(set) var count = 0

  private static let size = 512

  /// A block and an offset in it.
  struct Position: Comparable {
    var block: Int
    var offset: Int

    static func < (a: Position, b: Position) -> Bool {
      a.block == b.block ? a.offset < b.offset : a.block < b.block
    }
  }

  /// Creates the blocks of rows that are already in order.
  init(_ rows: [SortKeyedRow]) {
    var start = 0
    // Each block starts half full, with space for as many rows again.
    while start < rows.count {
      let end = min(rows.count, start + Self.size / 2)
      blocks.append(Array(rows[start..<end]))
      counts.append(end - start)
      start = end
    }
    count = rows.count
  }

  /// The keys in order.
  var keys: [Int] { blocks.flatMap { $0.map(\.key) } }

  /// The key at an index.
  func key(at position: Int) -> Int {
    var left = position
    var block = 0
    while left >= counts[block] {
      left -= counts[block]
      block += 1
    }
    return blocks[block][left].key
  }

  /// A row with its position.
  struct PositionedRow {
    let key: Int
    let position: Position
    /// The number of rows before it.
    let index: Int
  }

  /// The positions of rows, looked up by the order's sort keys, in ascending order. Rows that are
  /// missing are left out.
  func positions(of keys: [Int], in order: RowOrder) -> [PositionedRow] {
    let found = keys.compactMap { key -> (Position, Int)? in
      let position = position(of: order.ranked(key), in: order)
      guard position.block < blocks.count, blocks[position.block][position.offset].key == key else {
        return nil
      }
      return (position, key)
    }
    return positions(found.sorted { $0.0 < $1.0 })
  }

  /// The positions of rows whose keys pass the test, in ascending order.
  func positions(where test: (Int) -> Bool) -> [PositionedRow] {
    var found: [(Position, Int)] = []
    for (number, block) in blocks.enumerated() {
      for (offset, row) in block.enumerated() where test(row.key) {
        found.append((Position(block: number, offset: offset), row.key))
      }
    }
    return positions(found)
  }

  private func positions(_ positions: [(position: Position, key: Int)]) -> [PositionedRow] {
    var block = 0
    var before = 0
    return positions.map { position, key in
      while block < position.block {
        before += counts[block]
        block += 1
      }
      return PositionedRow(key: key, position: position, index: before + position.offset)
    }
  }

  /// The first position whose row does not precede the given one.
  func position(of row: SortKeyedRow, in order: RowOrder) -> Position {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) >> 1
      let last = blocks[middle][counts[middle] - 1]
      if order.precedes(last, and: row) { low = middle + 1 } else { high = middle }
    }
    guard low < blocks.count else { return Position(block: low, offset: 0) }
    let block = blocks[low]
    var start = 0
    var end = block.count
    while start < end {
      let middle = (start + end) >> 1
      if order.precedes(block[middle], and: row) { start = middle + 1 } else { end = middle }
    }
    return Position(block: low, offset: start)
  }

  /// Removes rows at ascending positions.
  mutating func remove(_ positions: [Position]) {
    for position in positions.reversed() {
      blocks[position.block].remove(at: position.offset)
      counts[position.block] -= 1
    }
    count -= positions.count
    guard positions.contains(where: { counts[$0.block] == 0 }) else { return }
    blocks.removeAll(where: \.isEmpty)
    counts.removeAll { $0 == 0 }
  }

  /// Inserts a row at its position in the order.
  mutating func insert(_ row: SortKeyedRow, in order: RowOrder) {
    var position = position(of: row, in: order)
    if position.block == blocks.count {
      if blocks.isEmpty {
        blocks.append([])
        counts.append(0)
      }
      // The row follows all others.
      position = Position(block: blocks.count - 1, offset: counts[blocks.count - 1])
    }
    blocks[position.block].insert(row, at: position.offset)
    counts[position.block] += 1
    count += 1
    if counts[position.block] > Self.size { split(position.block) }
  }

  private mutating func split(_ block: Int) {
    let half = counts[block] / 2
    let rest = Array(blocks[block][half...])
    blocks[block].removeSubrange(half...)
    counts[block] = half
    blocks.insert(rest, at: block + 1)
    counts.insert(rest.count, at: block + 1)
  }
}
