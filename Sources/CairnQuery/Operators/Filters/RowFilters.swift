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

/// A condition on one column that is tested row by row, for types without a kernel.
final class RowFilter: Filter {
  private let column: Column
  private let nullsMatch: Bool
  private let makeDescription: () -> String
  private let test: @Sendable (Chunk, Int) -> Bool

  /// Creates a filter.
  ///
  /// - Parameter test: Receives the rows that are not null.
  init(
    _ column: Column, nullsMatch: Bool, description: @autoclosure @escaping () -> String,
    test: @escaping @Sendable (Chunk, Int) -> Bool
  ) {
    self.column = column
    self.nullsMatch = nullsMatch
    makeDescription = description
    self.test = test
  }

  override var cost: Double { 20 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    let nulls = NullRule(words: chunk.nulls, match: nullsMatch)
    let test = test
    selection.keep(nulls) { word, selected in
      let present = selected & ~(nulls.words?[word] ?? 0)
      return present.keepingEach { test(chunk, word << 6 | $0) }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

/// A test of the same row in the chunks of two columns, also of rows in which a column is null.
struct RowPairTest: Sendable {
  /// The cost for a row, in the units of filters.
  let cost: Double
  let holds: @Sendable (Chunk, Chunk, Int) -> Bool
}

/// A condition on two columns that is tested row by row, for types without a kernel.
final class RowPairFilter: Filter {
  private let left: Column
  private let right: Column
  private let test: RowPairTest
  private let makeDescription: () -> String

  init(
    _ left: Column, _ right: Column, test: RowPairTest,
    description: @autoclosure @escaping () -> String
  ) {
    self.left = left
    self.right = right
    makeDescription = description
    self.test = test
  }

  override var cost: Double { test.cost }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let (a, b) = (left.chunk(index), right.chunk(index))
    let holds = test.holds
    selection.keep { word, selected in
      selected.keepingEach { holds(a, b, word << 6 | $0) }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks {
      _ = left.chunk(chunk)
      _ = right.chunk(chunk)
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
    let first = keys.firstIndex(notBelow: RowAddress.firstKey(ofChunk: chunk))
    return first..<keys.firstIndex(notBelow: RowAddress.firstKey(ofChunk: chunk + 1))
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
      let row = RowAddress(key).row
      named.words[row >> 6] |= 1 << UInt64(row & 63)
    }
    if inverted { selection.remove(named.words) } else { selection.intersect(named.words) }
  }

  override func prepare(_ chunks: [Int]) {}
}
