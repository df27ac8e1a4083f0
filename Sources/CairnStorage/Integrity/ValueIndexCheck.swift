import CairnValues

/// Holds the value index of a column against the column: each value of a live row has an entry, and a primary key is
/// there once.
struct ValueIndexCheck {
  private let check: TableCheck
  private let column: ColumnSchema
  private var table: Table { check.table }

  init(_ check: TableCheck, _ column: ColumnSchema) {
    self.check = check
    self.column = column
  }

  func run() {
    let runs = table.state.valueRuns.filter { $0.column == column.id }
    for run in runs {
      if let objection = objection(to: run) { return note(objection) }
    }
    var merge = ValueRunMerge(runs.map { ValueRunReader($0, table: table.id, table.transaction) })
    var covered = Covered(count: table.endKey, isMany: column.collection != .none)
    let unsettled = unsettledEntries
    for entry in unsettled { covered.add(entry) }
    checkPrimaryKeys(unsettled)
    let unsettledKeys = Set(unsettled.map(\.key))
    var last: ValueEntry?
    while true {
      let entries = merge.next(ValueSegment.capacity)
      guard !entries.isEmpty else { break }
      for entry in entries where !unsettledKeys.contains(entry.key) && isTrue(entry) {
        checkPrimaryKey(entry, unsettled)
        if column.isPrimaryKey, let last, last.value == entry.value, last.key != entry.key {
          check.note(
            .data, column, entry.key >> ChunkShape.shift,
            "objects \(last.key) and \(entry.key) have the same primary key")
        }
        covered.add(entry)
        last = entry
      }
    }
    checkCoverage(covered)
  }

  /// The values of rows that no run speaks for, in order.
  private var unsettledEntries: [ValueEntry] {
    let keys =
      Set(table.state.unsettledKeys(TableState.Unsettled.anyValue)).union(table.unsettledRows)
    return keys.filter(table.isLive).flatMap { key in
      table.indexKeys(column.position, at: key).map { ValueEntry(value: $0, key: key) }
    }.sorted()
  }

  private func checkPrimaryKeys(_ unsettled: [ValueEntry]) {
    for (one, next) in zip(unsettled, unsettled.dropFirst()) where one.value == next.value {
      checkPrimaryKey(one, [next])
    }
  }

  /// Notes another row with the same primary key.
  private func checkPrimaryKey(_ entry: ValueEntry, _ unsettled: [ValueEntry]) {
    guard column.isPrimaryKey,
      let other = unsettled.first(notBefore: entry.value), other.value == entry.value
    else { return }
    check.note(
      .data, column, entry.key >> ChunkShape.shift,
      "objects \(entry.key) and \(other.key) have the same primary key")
  }

  private func checkCoverage(_ covered: Covered) {
    for key in 0..<table.endKey where table.isLive(key) {
      for value in table.indexKeys(column.position, at: key)
      where !covered.contains(ValueEntry(value: value, key: key)) {
        return note("object \(key) is not found by its value")
      }
    }
  }

  /// Whether the entry still speaks for its row.
  private func isTrue(_ entry: ValueEntry) -> Bool {
    table.isLive(entry.key)
      && table.indexKeys(column.position, at: entry.key).contains(entry.value)
  }

  /// What keeps a run from being read; nil: nothing.
  private func objection(to run: ValueRun) -> String? {
    guard run.firstRow >= 0, run.firstRow <= table.endKey else { return "a run makes no sense" }
    var last: ValueEntry?
    var count = 0
    for segment in run.segments {
      let key = StorageKey.runKeys(table.id, column.id, run.id, segment: segment)
      guard let bytes = table.transaction.get(key),
        let entries = ValueSegment(checking: bytes, numeric: column.isIndexedByNumber)
      else { return "a run has lost a part, or it is damaged" }
      count += entries.count
      guard entries.count == ValueSegment.capacity || count == run.count else {
        return "a run has fewer entries than it should"
      }
      for index in 0..<entries.count {
        let key = entries.key(index)
        guard key >= 0, key < table.endKey - run.firstRow else {
          return "leads to object \(key), which there never was"
        }
        let entry = ValueEntry(value: entries.value(index), key: key)
        if let last, !(last < entry) { return "a run is out of order" }
        last = entry
      }
    }
    return count == run.count ? nil : "a run has fewer entries than it should"
  }

  private func note(_ message: String) {
    check.note(.index, column, nil, "its index is damaged: \(message)")
  }
}

extension [ValueEntry] {
  /// The first entry, of entries in order, whose value is not before another.
  fileprivate func first(notBefore value: IndexKey) -> ValueEntry? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].value < value { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}

/// The rows that an index speaks for.
private struct Covered {
  /// Where a row has one value.
  private var keys: KeyMarks
  /// Where it has several: each value.
  private var entries: Set<Entry> = []
  private let isMany: Bool

  private struct Entry: Hashable {
    let key: Int
    let value: UInt64
  }

  init(count: Int, isMany: Bool) {
    self.isMany = isMany
    keys = KeyMarks(count: isMany ? 0 : count)
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

/// A set of the keys of a class.
struct KeyMarks {
  private var words: [UInt64]

  init(count: Int) { words = [UInt64](repeating: 0, count: count / 64 + 1) }

  func contains(_ key: Int) -> Bool { words[key >> 6] >> UInt64(key & 63) & 1 != 0 }

  /// False when it was there before.
  mutating func insert(_ key: Int) -> Bool {
    let bit = UInt64(1) << UInt64(key & 63)
    defer { words[key >> 6] |= bit }
    return words[key >> 6] & bit == 0
  }
}

extension ValueSegment {
  /// A segment that leads nowhere outside its bytes; nil when it does.
  init?(checking bytes: UnsafeRawBufferPointer, numeric: Bool) {
    guard bytes.count >= ChunkShape.minimumSize, let base = bytes.baseAddress,
      Int(bitPattern: base) & 7 == 0,
      base.load(fromByteOffset: 4, as: UInt32.self) == (numeric ? 0 : 1)
    else { return nil }
    self.init(bytes)
    let end = Self.headerSize + count * (numeric ? 16 : 12) + (numeric ? 0 : 4)
    guard count > 0, count <= Self.capacity, end <= bytes.count else { return nil }
    guard !numeric else { return }
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
