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
    case .integers(let condition) where column.schema.type == .int:
      if let range = OneRange(condition) {
        return narrow(&selection, chunk, range, condition.nullsMatch) { $0.int($1) }
      }
    case .doubles(let condition):
      if let range = OneRange(condition) {
        return narrow(&selection, chunk, range, condition.nullsMatch) { $0.double($1) }
      }
    default: break
    }
    narrow(&selection, chunk)
  }

  /// One range, the commonest condition, in a loop of its own.
  @inline(__always)
  private func narrow<Number>(
    _ selection: inout Selection, _ chunk: Chunk, _ range: OneRange<Number>, _ nullsMatch: Bool,
    _ number: (PackedElements, Int) -> Number
  ) {
    let isMap = column.schema.collection == .map
    let isAll = isAll
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let elements = PackedElements(chunk.rowBytes(word << 6 | bit), width: 8, isMap: isMap)
        for place in 0..<elements.count {
          let holds =
            elements.isNull(place) ? nullsMatch : range.holds(number(elements, place))
          if holds != isAll { return !isAll }
        }
        return isAll
      }
    }
  }

  private func narrow(_ selection: inout Selection, _ chunk: Chunk) {
    let isMap = column.schema.collection == .map
    let type = column.schema.type
    let isAll = isAll
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let elements = StoredCollection(chunk.rowBytes(word << 6 | bit), of: type, isMap: isMap)
        for place in 0..<elements.count where test.passes(elements, place) != isAll {
          return !isAll
        }
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
