import CairnStorage

/// A condition on a bool or integer column.
final class IntegerFilter: Filter, @unchecked Sendable {
  let column: Column
  let condition: RangeCondition<Int64>

  init(_ column: Column, _ condition: RangeCondition<Int64>) {
    self.column = column
    self.condition = condition
  }

  override var cost: Double { condition.ranges.count > 1 ? 3 : 0.3 }

  override func verdict(_ chunk: Int) -> Verdict {
    let zone = column.zone(chunk)
    guard zone.hasBounds else { return .some }
    return condition.verdict(
      minimum: zone.minimum, maximum: zone.maximum, hasNaN: false, hasNulls: zone.nullCount != 0)
  }

  override var indexRequest: IndexRequest? { integerRequest }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    condition.narrow(&selection, chunk, workspace) { $0 }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  override var description: String { "\(column.schema.name) \(condition.summary)" }
}

extension RangeCondition<Int64> {
  /// Keeps the matching rows of a chunk of integer codes; `value` turns an integer of the chunk into
  /// itself, or says where it lies for chunks that hold scaled decimals.
  @inline(__always)
  func narrow(
    _ selection: inout Selection, _ chunk: Chunk, _ workspace: Workspace,
    _ value: (Int64) -> Int64
  ) {
    let nulls = NullRule(words: chunk.nulls, match: nullsMatch)
    guard ranges.count > 1 else {
      if let codes = ranges.first?.codes(chunk) {
        codes.narrow(&selection, chunk, inverted: inverted, nulls, workspace)
      } else {
        let all: UInt64 = inverted ? ~0 : 0
        selection.keep(nulls) { _, _ in all }
      }
      return
    }
    selection.keep(nulls) { word, selected in
      selected.keepingEach {
        isInRange(value(chunk.int(at: word << 6 | $0))) != inverted
      }
    }
  }
}

extension RangeCondition {
  /// The condition in words, for `explain`.
  var summary: String {
    let parts = ranges.map { range in
      range.low == range.high
        ? "\(range.low)"
        : range.low == Number.least
          ? "...\(range.high)"
          : range.high == Number.greatest
            ? "\(range.low)..." : "\(range.low)...\(range.high)"
    }
    let values = parts.isEmpty ? "nothing" : parts.joined(separator: " | ")
    return (inverted ? "not in " : "in ") + values + (nullsMatch ? " or null" : "")
  }
}
