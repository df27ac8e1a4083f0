import CairnStorage

/// Sorts pairs into groups by properties of either side, and summarises properties of either side.
final class JoinGroupSink: JoinSink {
  private let tally: GroupTally
  /// The properties of the driver; the others are the candidates'.
  private let driverColumns: Set<ObjectIdentifier>
  private let candidates: [Int]
  private let oneRow = OneRow()

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

  /// Adds the groups of another sink.
  func merge(_ other: JoinGroupSink) { tally.merge(other.tally) }

  /// The groups, sorted by values.
  func groups() -> [Group] { tally.groups() }
}
