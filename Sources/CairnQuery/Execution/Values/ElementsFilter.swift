import CairnStorage
import CairnValues

/// A condition on the elements of a collection of values: any of them, or all.
final class ElementsFilter: Filter, @unchecked Sendable {
  let column: Column
  let test: ElementTest
  let isAll: Bool
  private let words: () -> String

  init(
    _ column: Column, _ test: ElementTest, isAll: Bool, words: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.test = test
    self.isAll = isAll
    self.words = words
  }

  override var cost: Double { 25 }
  override var description: String { words() }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    switch test {
    case .integers(let condition) where column.schema.type == .int && condition.ranges.count == 1:
      narrow(&selection, chunk, condition) { $0.int(at: $1) }
    case .doubles(let condition) where condition.ranges.count == 1:
      narrow(&selection, chunk, condition) { $0.double(at: $1) }
    default: narrow(&selection, chunk) { test.passes($0, $1) }
    }
  }

  /// One range, the commonest condition, in a loop of its own.
  @inline(__always)
  private func narrow<Number>(
    _ selection: inout Selection, _ chunk: Chunk, _ condition: RangeCondition<Number>,
    _ number: (StoredCollection, Int) -> Number
  ) {
    let range = condition.ranges[0]
    let (low, high) = (range.low, range.high)
    let inverted = condition.inverted
    let nullsMatch = condition.nullsMatch
    narrow(&selection, chunk) { elements, place in
      if elements.isNull(at: place) { return nullsMatch }
      let value = number(elements, place)
      return (low <= value && value <= high) != inverted
    }
  }

  @inline(__always)
  private func narrow(
    _ selection: inout Selection, _ chunk: Chunk, _ passes: (StoredCollection, Int) -> Bool
  ) {
    let isMap = column.schema.collection == .map
    let type = column.schema.type
    let isAll = isAll
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let elements = StoredCollection(chunk.rowBytes(word << 6 | bit), of: type, isMap: isMap)
        for place in 0..<elements.count where passes(elements, place) != isAll { return !isAll }
        return isAll
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

/// A condition on what a map holds under a key, null where it holds nothing.
final class EntryFilter: Filter, @unchecked Sendable {
  let column: Column
  private let key: [UInt8]
  private let test: ElementTest
  private let nullMatches: Bool
  private let words: () -> String

  init(
    _ column: Column, key: String, _ test: ElementTest, nullMatches: Bool,
    words: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.key = Array(key.utf8)
    self.test = test
    self.nullMatches = nullMatches
    self.words = words
  }

  override var cost: Double { 40 }
  override var description: String { words() }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    let schema = column.schema
    key.withUnsafeBytes { key in
      selection.keep { word, selected in
        selected.keepingEach { bit in
          let map = chunk.collection(at: word << 6 | bit, of: schema)
          guard let place = map.place(ofKey: key) else { return nullMatches }
          return test.passes(map, place)
        }
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}
