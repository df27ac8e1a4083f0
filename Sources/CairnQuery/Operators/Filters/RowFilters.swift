import CairnStorage
import CairnValues

/// A condition on null only: `== nil`, `!= nil`.
final class NullFilter: Filter {
  let column: Column
  /// Whether null rows match; otherwise the others do.
  let wanted: Bool

  init(_ column: Column, isNull wanted: Bool) {
    self.column = column
    self.wanted = wanted
  }

  override var elementTest: ElementTest? { .isNull(wanted) }
  override var cost: Double { 0.1 }
  override var description: String { "\(column.schema.name) \(wanted ? "==" : "!=") nil" }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    let zone = column.zone(chunk)
    guard zone.isKnown, zone.nullCount == 0 else { return .some }
    return wanted ? .none : .all
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    selection.keepNulls(column.chunk(index).nulls, wanted: wanted)
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

/// A condition that is tested row by row on whole values: for types and pairs of columns without a
/// kernel.
final class ValueFilter: Filter {
  let columns: [Column]
  private let makeDescription: () -> String
  private let test: @Sendable ([Value]) -> Bool

  /// Creates a filter.
  ///
  /// - Parameter test: Receives the values of the columns, including null.
  init(
    _ columns: [Column], description: @autoclosure @escaping () -> String,
    test: @escaping @Sendable ([Value]) -> Bool
  ) {
    self.columns = columns
    makeDescription = description
    self.test = test
  }

  override var cost: Double { 100 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunks = columns.map { $0.chunk(index) }
    var values = columns.map { _ in Value.null }
    selection.keep { word, selected in
      selected.keepingEach { bit in
        for position in values.indices {
          values[position] = chunks[position].value(
            at: word << 6 | bit, type: columns[position].schema.type)
        }
        return test(values)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks {
      for column in columns { _ = column.chunk(chunk) }
    }
  }
}

/// A filter that matches certain rows, or all others.
final class RowKeyFilter: Filter {
  /// The keys, in ascending order.
  private let keys: [Int]
  private let inverted: Bool

  init(_ keys: [Int], inverted: Bool) {
    self.keys = keys
    self.inverted = inverted
  }

  override var cost: Double { 0.1 }
  override var description: String {
    let named = keys.count == 1 ? "object \(keys[0])" : "one of \(keys.count) objects"
    return (inverted ? "not " : "") + named
  }

  private func positions(_ chunk: Int) -> Range<Int> {
    let first = keys.firstIndex(notBelow: chunk << ChunkShape.shift)
    return first..<keys.firstIndex(notBelow: (chunk + 1) << ChunkShape.shift)
  }

  override func zoneMapResult(_ chunk: Int) -> ZoneMapResult {
    guard positions(chunk).isEmpty else { return .some }
    return inverted ? .all : .none
  }

  override func refine(_ selection: inout Selection, chunk: Int, scratch: ScratchBuffers) {
    var named = Selection(scratch.borrowBitmap())
    defer { scratch.returnBitmap() }
    named.upper = ChunkShape.words
    named.clear()
    for key in keys[positions(chunk)] {
      let row = key & (ChunkShape.rows - 1)
      named.words[row >> 6] |= 1 << UInt64(row & 63)
    }
    if inverted { selection.remove(named.words) } else { selection.intersect(named.words) }
  }

  override func prepare(_ chunks: [Int]) {}
}
