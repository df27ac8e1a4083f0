import CairnStorage
import CairnValues

/// A condition on the elements of a collection of values: any of them, or all.
final class ElementsFilter: Filter {
  let column: Column
  let test: ElementTest
  let isAll: Bool
  private let makeDescription: () -> String

  init(
    _ column: Column, test: ElementTest, isAll: Bool,
    description: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.test = test
    self.isAll = isAll
    makeDescription = description
  }

  override var cost: Double { 25 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    switch test {
    case .integers(let condition) where column.schema.type == .int:
      if let range = OneRange(condition) {
        return refine(&selection, chunk: chunk, range: range, nullsMatch: condition.nullsMatch) {
          $0.int($1)
        }
      }
    case .doubles(let condition):
      if let range = OneRange(condition) {
        return refine(&selection, chunk: chunk, range: range, nullsMatch: condition.nullsMatch) {
          $0.double($1)
        }
      }
    default: break
    }
    refine(&selection, chunk: chunk)
  }

  /// Tests one range, the most frequent condition, in a loop of its own.
  @inline(__always)
  private func refine<Number>(
    _ selection: inout Selection, chunk: Chunk, range: OneRange<Number>, nullsMatch: Bool,
    number: (PackedElements, Int) -> Number
  ) {
    let isMap = column.schema.collection == .map
    let isAll = isAll
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let elements = PackedElements(chunk.rowBytes(word << 6 | bit), width: 8, isMap: isMap)
        for position in 0..<elements.count {
          let holds =
            elements.isNull(position) ? nullsMatch : range.holds(number(elements, position))
          if holds != isAll { return !isAll }
        }
        return isAll
      }
    }
  }

  private func refine(_ selection: inout Selection, chunk: Chunk) {
    let isMap = column.schema.collection == .map
    let type = column.schema.type
    let isAll = isAll
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let elements = StoredCollection(chunk.rowBytes(word << 6 | bit), of: type, isMap: isMap)
        for position in 0..<elements.count where test.passes(elements, at: position) != isAll {
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

/// A condition on the value under a key of a map; null if the key is missing.
final class EntryFilter: Filter {
  let column: Column
  private let key: [UInt8]
  private let test: ElementTest
  private let nullMatches: Bool
  private let makeDescription: () -> String

  init(
    _ column: Column, key: String, test: ElementTest, nullMatches: Bool,
    description: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.key = Array(key.utf8)
    self.test = test
    self.nullMatches = nullMatches
    makeDescription = description
  }

  override var cost: Double { 40 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let chunk = column.chunk(index)
    let schema = column.schema
    key.withUnsafeBytes { key in
      selection.keep { word, selected in
        selected.keepingEach { bit in
          let map = chunk.collection(at: word << 6 | bit, of: schema)
          guard let position = map.index(ofKey: key) else { return nullMatches }
          return test.passes(map, at: position)
        }
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

/// A test of the elements of a packed collection, without copying them.
indirect enum ElementTest: Sendable {
  case integers(RangeCondition<Int64>)
  case doubles(RangeCondition<Double>)
  case floats(RangeCondition<Float>)
  case bytes(BytesTest, inverted: Bool, nullsMatch: Bool)
  case isNull(Bool)
  case constant(Bool)
  case all([ElementTest])
  case any([ElementTest])
  case values(ValueTest)

  /// Whether an element passes.
  @inline(__always)
  func passes(_ elements: StoredCollection, at position: Int) -> Bool {
    switch self {
    case .integers(let condition):
      if elements.isNull(at: position) { return condition.nullsMatch }
      let number =
        elements.type == .bool ? (elements.bool(at: position) ? 1 : 0) : elements.int(at: position)
      return condition.isInRange(number) != condition.inverted
    case .doubles(let condition):
      if elements.isNull(at: position) { return condition.nullsMatch }
      return condition.isInRange(elements.double(at: position)) != condition.inverted
    case .floats(let condition):
      if elements.isNull(at: position) { return condition.nullsMatch }
      return condition.isInRange(elements.float(at: position)) != condition.inverted
    case .bytes(let test, let inverted, let nullsMatch):
      if elements.isNull(at: position) { return nullsMatch }
      return test.passes(elements.bytes(at: position)) != inverted
    default: return passesOther(elements, at: position)
    }
  }

  private func passesOther(_ elements: StoredCollection, at position: Int) -> Bool {
    switch self {
    case .isNull(let wanted): elements.isNull(at: position) == wanted
    case .constant(let value): value
    case .all(let tests): tests.allSatisfy { $0.passes(elements, at: position) }
    case .any(let tests): tests.contains { $0.passes(elements, at: position) }
    case .values(let test): test.holds(elements.value(at: position))
    case .integers, .doubles, .floats, .bytes: passes(elements, at: position)
    }
  }
}

extension [Filter] {
  /// The element tests of all filters; nil if one of them has none.
  var elementTests: [ElementTest]? {
    let tests = compactMap(\.elementTest)
    return tests.count == count ? tests : nil
  }
}
