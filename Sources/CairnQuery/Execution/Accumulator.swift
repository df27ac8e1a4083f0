import CairnStorage
import CairnValues

/// Gathers the summary of one column over rows that come chunk by chunk.
class Accumulator: @unchecked Sendable {
  let column: Column
  final var count = 0

  init(_ column: Column) { self.column = column }

  /// Adds the selected rows of a chunk, none of which is null.
  func add(_ chunk: Chunk, _ rows: Selection) {}

  /// Resolves on the snapshot's own thread what is read for rows of these chunks.
  func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  /// Adds what another gathered of later rows.
  func merge(_ other: Accumulator) { count += other.count }

  /// What was gathered.
  var summary: Summary { Summary(count: count) }

  /// The accumulator for a column's type.
  static func make(_ column: Column) -> Accumulator {
    switch column.schema.type {
    case .int: return IntegerAccumulator(column)
    case .double, .date: return DoubleAccumulator(column)
    case .float: return FloatAccumulator(column)
    case .decimal128: return DecimalAccumulator(column)
    case .string: return TextAccumulator(column)
    default: return CountAccumulator(column)
    }
  }
}

/// Only counts.
final class CountAccumulator: Accumulator, @unchecked Sendable {
  override func add(_ chunk: Chunk, _ rows: Selection) { count += rows.count }
}
