import CairnStorage
import CairnValues

/// The rows of a result with the same values of some keys.
package struct RowPart: Sendable {
  /// One value for each key, in the requested order.
  package let values: [Value]
  /// The keys of the rows, in the order of the result.
  package let keys: [Int]
}

extension Execution {
  /// Divides the rows of the result by the values of some keys, in one pass. The rows of each part keep the
  /// order of the result, unlike those of `groups(by:summarising:collecting:)`.
  ///
  /// - Parameter most: The most parts.
  /// - Returns: The parts, sorted by their values; nil if there are more than `most`.
  package func parts(by keys: [GroupKey], most: Int) throws(QueryError) -> [RowPart]? {
    var columns: [GroupColumn] = []
    for key in keys { columns.append(try plan.paths.groupColumn(key)()) }
    guard !columns.isEmpty else {
      throw QueryError(.invalidArgument, message: "parts need at least one property to divide by")
    }
    let divider = RowDivider(columns)
    forEachKey { key in
      divider.add(key)
      return divider.count <= most
    }
    let parts = divider.parts()
    return parts.count > most ? nil : parts
  }
}

/// Collects the keys of rows by the values of columns.
private final class RowDivider {
  private let tally: GroupTally
  private let bitmap = ChunkBitmap()
  /// Keys of one chunk in ascending order, whose parts are not known yet.
  private var pending: [Int] = []
  /// The keys of each part by its number; empty for a number that no row has.
  private var keys: [[Int]] = []
  /// The number of parts that have rows.
  private(set) var count = 0

  init(_ columns: [GroupColumn]) { tally = GroupTally(columns, totals: []) }

  func add(_ key: Int) {
    if let last = pending.last, key <= last || RowAddress(key).chunk != RowAddress(last).chunk {
      flush()
    }
    pending.append(key)
  }

  private func flush() {
    guard let first = pending.first else { return }
    var rows = Selection(bitmap.words)
    for key in pending {
      let row = RowAddress(key).row
      rows.add(row >> 6, bits: 1 << UInt64(row & 63))
    }
    let numbers = tally.number(pending.count) { column, numbers in
      column.numbers(RowAddress(first).chunk, rows: rows, numbers: numbers)
    }
    for (index, key) in pending.enumerated() {
      let number = Int(numbers[index])
      while keys.count <= number { keys.append([]) }
      if keys[number].isEmpty { count += 1 }
      keys[number].append(key)
    }
    rows.clear()
    pending.removeAll(keepingCapacity: true)
  }

  /// The parts, sorted by their values.
  func parts() -> [RowPart] {
    flush()
    return keys.indices.filter { !keys[$0].isEmpty }
      .map { RowPart(values: tally.values($0), keys: keys[$0]) }
      .sorted { $0.values.precedes($1.values) }
  }
}
