import CairnStorage

/// Sorts pairs into groups by properties of either side, and summarises properties of either side.
final class JoinGroupSink: JoinSink {
  private let tally: GroupTally
  /// The properties of the driver; the others are the candidates'.
  private let driverColumns: Set<ObjectIdentifier>
  private let candidates: [Int]
  private let oneRow = OneRow()
  private let bitmap = ChunkBitmap()
  /// The numbers of the candidates in their columns, once they are known.
  private var known: [ObjectIdentifier: CandidateNumbers] = [:]

  /// - Parameters:
  ///   - columns: The properties that define a group, each with whether it is the driver's.
  ///   - totals: The summaries, each with whether it is of the driver's property.
  ///   - candidates: The keys of the candidates.
  init(
    _ columns: [(GroupColumn, isDriver: Bool)], totals: [(GroupTotals, isDriver: Bool)],
    candidates: [Int]
  ) {
    tally = GroupTally(columns.map(\.0), totals: totals.map(\.0))
    driverColumns = Set(
      columns.filter(\.isDriver).map { ObjectIdentifier($0.0) }
        + totals.filter(\.isDriver).map { ObjectIdentifier($0.0) })
    self.candidates = candidates
  }

  /// Resolves the data that other threads will read, on the snapshot's own thread.
  func prepare(driver: [Int], candidates: [Int]) {
    for column in tally.columns { column.prepare(isDriver(column) ? driver : candidates) }
    for total in tally.totals { total.prepare(isDriver(total) ? driver : candidates) }
  }

  private func isDriver(_ column: AnyObject) -> Bool {
    driverColumns.contains(ObjectIdentifier(column))
  }

  func take(_ candidate: Int, chunk: Int, rows: Selection) {
    let (key, count) = (candidates[candidate], rows.count)
    let numbers = tally.number(count) { column, numbers in
      if isDriver(column) { return column.numbers(chunk, rows: rows, numbers: numbers) }
      oneRow.select(key) { column.numbers(RowAddress(key).chunk, rows: $0, numbers: numbers) }
      numbers.update(repeating: numbers[0], count: count)
    }
    for total in tally.totals {
      if isDriver(total) {
        total.add(chunk, rows: rows, numbers: numbers, groups: tally.groupCount)
        continue
      }
      for pair in 0..<count {
        oneRow.select(key) {
          total.add(
            RowAddress(key).chunk, rows: $0, numbers: numbers + pair, groups: tally.groupCount)
        }
      }
    }
  }

  func take(_ pairs: PairBatch) {
    // A row with several partners would be several times in one selection.
    guard pairs.hasDistinctRows else { return takeEach(pairs) }
    var rows = Selection(bitmap.words)
    pairs.forEach { key, _ in
      let row = RowAddress(key).row
      rows.add(row >> 6, bits: 1 << UInt64(row & 63))
    }
    let numbers = tally.number(pairs.count) { column, numbers in
      if isDriver(column) { return column.numbers(pairs.chunk, rows: rows, numbers: numbers) }
      number(pairs, column, into: numbers)
    }
    for total in tally.totals {
      if isDriver(total) {
        total.add(pairs.chunk, rows: rows, numbers: numbers, groups: tally.groupCount)
      } else {
        add(pairs, numbers: numbers, to: total)
      }
    }
    rows.clear()
  }

  /// Writes the numbers of the candidates in a column. A candidate is read once.
  private func number(
    _ pairs: PairBatch, _ column: GroupColumn, into numbers: UnsafeMutablePointer<UInt32>
  ) {
    let id = ObjectIdentifier(column)
    let known = known[id] ?? CandidateNumbers(candidates.count)
    self.known[id] = known
    var pair = 0
    pairs.forEach { _, candidate in
      if known.numbers[candidate] == CandidateNumbers.unknown {
        let key = candidates[candidate]
        oneRow.select(key) {
          column.numbers(RowAddress(key).chunk, rows: $0, numbers: known.numbers + candidate)
        }
      }
      numbers[pair] = known.numbers[candidate]
      pair += 1
    }
  }

  private func add(_ pairs: PairBatch, numbers: UnsafePointer<UInt32>, to total: GroupTotals) {
    var pair = 0
    pairs.forEach { _, candidate in
      let key = candidates[candidate]
      oneRow.select(key) {
        total.add(
          RowAddress(key).chunk, rows: $0, numbers: numbers + pair, groups: tally.groupCount)
      }
      pair += 1
    }
  }

  /// Adds the groups of another sink.
  func merge(_ other: JoinGroupSink) { tally.merge(other.tally) }

  /// The groups, sorted by values.
  func groups() -> [Group] { tally.groups() }
}

/// The number of each candidate in a column.
private final class CandidateNumbers {
  static let unknown = UInt32.max

  let numbers: UnsafeMutablePointer<UInt32>

  init(_ count: Int) {
    numbers = .allocate(capacity: max(1, count))
    numbers.initialize(repeating: Self.unknown, count: max(1, count))
  }

  deinit { numbers.deallocate() }
}
