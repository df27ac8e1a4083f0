import CairnSystem
import CairnValues

/// Compares the value index of a column with the column: each value of a live row has an entry, and
/// a primary key is unique.
struct ValueIndexCheck {
  private let check: TableCheck
  private let column: ColumnSchema
  private var table: Table { check.table }

  init(_ check: TableCheck, column: ColumnSchema) {
    self.check = check
    self.column = column
  }

  func run() {
    let runs = table.state.valueRuns.filter { $0.column == column.id }
    if column.collection == .none, runs.count == 1, hiddenRows.isEmpty, checkOnly(runs[0]) {
      return
    }
    for run in runs {
      if let fault = fault(to: run) { return note(fault) }
    }
    var merge = ValueRunMerge(
      runs.map { ValueRunReader($0, table: table.id, source: table.transaction) })
    var covered = Covered(count: table.endKey, isMany: column.collection != .none)
    let unindexed = unindexedEntries
    for entry in unindexed { covered.add(entry) }
    checkPrimaryKeys(unindexed)
    let unindexedKeys = Set(unindexed.map(\.key))
    var last: ValueEntry?
    while true {
      let entries = merge.next(ValueSegment.capacity)
      guard !entries.isEmpty else { break }
      for entry in entries where !unindexedKeys.contains(entry.key) && isTrue(entry) {
        checkPrimaryKey(entry, unindexed: unindexed)
        if column.isPrimaryKey, let last, last.value == entry.value, last.key != entry.key {
          check.note(
            .data, column: column, chunk: RowAddress(entry.key).chunk,
            message: "objects \(last.key) and \(entry.key) have the same primary key")
        }
        covered.add(entry)
        last = entry
      }
    }
    checkCoverage(covered)
  }

  /// Checks the only run of a column with one value in each row, in one pass.
  ///
  /// The entries of a run are in order, so an entry that matches its row is the only one that does. If
  /// there are as many as live rows with a value, all are covered.
  ///
  /// - Returns: Whether the run is right; false if another check has to say what is wrong.
  private func checkOnly(_ run: ValueRun) -> Bool {
    var count = 0
    var last: ValueEntry?
    let fault = fault(to: run) { entry in
      guard isTrue(entry) else { return true }
      if column.isPrimaryKey, let last, last.value == entry.value { return false }
      last = entry
      count += 1
      return true
    }
    return fault == nil && count == valueCount
  }

  /// The number of live rows with a value.
  private var valueCount: Int {
    let values = table.column(column.position)
    return (0..<table.chunkCount).reduce(0) { sum, index in
      let (chunk, first) = (values.chunk(index), RowAddress.firstKey(ofChunk: index))
      return sum
        + (0..<table.rowCount(ofChunk: index)).count {
          table.isLive(first + $0) && !chunk.isNull($0)
        }
    }
  }

  /// The live rows that the index need not cover.
  private var hiddenRows: Set<Int> {
    Set(table.state.unindexedKeys(TableState.UnindexedRow.anyValue)).union(table.unindexedRows)
      .filter(table.isLive)
  }

  /// The values of unindexed rows, in order.
  private var unindexedEntries: [ValueEntry] {
    hiddenRows.flatMap { key in
      table.indexKeys(column.position, at: key).map { ValueEntry(value: $0, key: key) }
    }.sorted()
  }

  private func checkPrimaryKeys(_ unindexed: [ValueEntry]) {
    for (one, next) in zip(unindexed, unindexed.dropFirst()) where one.value == next.value {
      checkPrimaryKey(one, unindexed: [next])
    }
  }

  /// Reports another row with the same primary key.
  private func checkPrimaryKey(_ entry: ValueEntry, unindexed: [ValueEntry]) {
    guard column.isPrimaryKey,
      let other = unindexed.first(notBefore: entry.value), other.value == entry.value
    else { return }
    check.note(
      .data, column: column, chunk: RowAddress(entry.key).chunk,
      message: "objects \(entry.key) and \(other.key) have the same primary key")
  }

  private func checkCoverage(_ covered: Covered) {
    for key in 0..<table.endKey where table.isLive(key) {
      for value in table.indexKeys(column.position, at: key)
      where !covered.contains(ValueEntry(value: value, key: key)) {
        return note("object \(key) cannot be found by its value")
      }
    }
  }

  /// Whether the entry still matches its row.
  private func isTrue(_ entry: ValueEntry) -> Bool {
    table.isLive(entry.key)
      && table.indexKeys(column.position, at: entry.key).contains(entry.value)
  }

  /// The fault that keeps a run from being read, or nil if the run is sound.
  ///
  /// - Parameter visit: Called with each entry; if it returns false, the run is not read further.
  private func fault(
    to run: ValueRun, visit: (ValueEntry) -> Bool = { _ in true }
  ) -> String? {
    guard run.firstRow >= 0, run.firstRow <= table.endKey else { return "a run is invalid" }
    var last: ValueEntry?
    var count = 0
    for segment in run.segments {
      let key = StorageKey.runKeys(table.id, column: column.id, run: run.id, segment: segment)
      guard let bytes = table.transaction.get(key),
        let entries = ValueSegment(checking: bytes, numeric: column.isIndexedByNumber)
      else { return "a part of a run is missing or damaged" }
      count += entries.count
      guard entries.count == ValueSegment.capacity || count == run.count else {
        return "a run has too few entries"
      }
      for index in 0..<entries.count {
        let key = entries.key(index)
        guard key >= 0, key < table.endKey - run.firstRow else {
          return "refers to object \(key), which never existed"
        }
        let entry = ValueEntry(value: entries.value(index), key: key)
        if let last, !(last < entry) { return "the entries of a run are out of order" }
        guard visit(ValueEntry(value: entry.value, key: run.firstRow + key)) else {
          return "an entry is wrong"
        }
        last = entry
      }
    }
    return count == run.count ? nil : "a run has too few entries"
  }

  private func note(_ message: String) {
    check.note(.index, column: column, chunk: nil, message: "its index is damaged: \(message)")
  }
}

extension [ValueEntry] {
  /// The first entry whose value is not less than `value`. The entries are sorted.
  fileprivate func first(notBefore value: IndexKey) -> ValueEntry? {
    let index = partitionPoint(count) { self[$0].value < value }
    return index < count ? self[index] : nil
  }
}

/// The rows that an index covers.
private struct Covered {
  /// The covered rows of a column with one value per row.
  private var keys: BitSet
  /// The covered values of a column with several values per row.
  private var entries: Set<Entry> = []
  private let isMany: Bool

  private struct Entry: Hashable {
    let key: Int
    let value: UInt64
  }

  init(count: Int, isMany: Bool) {
    self.isMany = isMany
    keys = BitSet(count: isMany ? 0 : count)
  }

  mutating func add(_ entry: ValueEntry) {
    if isMany { entries.insert(Self.entry(entry)) } else { _ = keys.insert(entry.key) }
  }

  func contains(_ entry: ValueEntry) -> Bool {
    isMany ? entries.contains(Self.entry(entry)) : keys.contains(entry.key)
  }

  private static func entry(_ entry: ValueEntry) -> Entry {
    guard case .number(let number) = entry.value else { return Entry(key: entry.key, value: 0) }
    return Entry(key: entry.key, value: number)
  }
}

extension ValueSegment {
  /// A segment that leads nowhere outside of its bytes; nil otherwise.
  init?(checking bytes: UnsafeRawBufferPointer, numeric: Bool) {
    guard bytes.count >= ChunkShape.minimumSize, let base = bytes.baseAddress,
      Int(bitPattern: base) & 7 == 0,
      base.load(fromByteOffset: 4, as: UInt32.self) == (numeric ? 0 : 1)
    else { return nil }
    self.init(bytes)
    guard count > 0 else { return nil }
    guard !numeric else { return }
    let end = Self.headerSize + count * 12 + 4
    let offsets = base + Self.headerSize + count * 8
    var last = 0
    for index in 0...count {
      let next = Int(offsets.load(fromByteOffset: index * 4, as: UInt32.self))
      guard next >= last else { return nil }
      last = next
    }
    guard end + last <= bytes.count else { return nil }
  }
}
