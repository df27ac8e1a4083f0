import CairnStorage
import CairnValues

/// A condition on null alone: `== nil`, `!= nil`.
final class NullFilter: Filter, @unchecked Sendable {
  let column: Column
  /// Null rows match; else the others do.
  let wanted: Bool

  init(_ column: Column, isNull wanted: Bool) {
    self.column = column
    self.wanted = wanted
  }

  override var cost: Double { 0.1 }
  override var description: String { "\(column.schema.name) \(wanted ? "==" : "!=") nil" }

  override func verdict(_ chunk: Int) -> Verdict {
    let zone = column.zone(chunk)
    guard zone.isKnown, zone.nullCount == 0 else { return .some }
    return wanted ? .none : .all
  }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    selection.keepNulls(column.chunk(index).nulls, wanted)
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

/// A condition that is asked row by row, on whole values: for types and pairs of columns that no
/// kernel speaks for.
final class ValueFilter: Filter, @unchecked Sendable {
  let columns: [Column]
  private let words: () -> String
  private let test: @Sendable ([Value]) -> Bool

  /// `test` gets the values of the columns, null among them.
  init(
    _ columns: [Column], words: @autoclosure @escaping () -> String,
    _ test: @escaping @Sendable ([Value]) -> Bool
  ) {
    self.columns = columns
    self.words = words
    self.test = test
  }

  override var cost: Double { 100 }
  override var description: String { words() }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunks = columns.map { $0.chunk(index) }
    var values = columns.map { _ in Value.null }
    selection.keep { word, selected in
      selected.keepingEach { bit in
        for place in values.indices {
          values[place] = chunks[place].value(at: word << 6 | bit, type: columns[place].schema.type)
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
