import CairnStorage
import CairnValues

/// A condition on what the numbers of a collection come to: `scores.@max > 9`.
final class TotalsFilter: Filter, @unchecked Sendable {
  private let column: Column
  private let function: AggregateFunction
  private let test: NumberTest
  private let words: () -> String

  /// - Parameter column: a collection of ints, doubles or floats.
  init(
    _ column: Column, _ function: AggregateFunction, _ leaf: Leaf,
    words: @autoclosure @escaping () -> String
  ) {
    self.column = column
    self.function = function
    test = NumberTest(leaf)
    self.words = words
  }

  override var cost: Double { 25 }
  override var description: String { words() }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    let isMap = column.schema.collection == .map
    switch column.schema.type {
    case .int:
      keep(&selection, chunk, 8, isMap, IntegerCollectionTotals.self) { $0.int($1) }
    case .float:
      keep(&selection, chunk, 4, isMap, DoubleCollectionTotals.self) { Double($0.float($1)) }
    default:
      keep(&selection, chunk, 8, isMap, DoubleCollectionTotals.self) { $0.double($1) }
    }
  }

  @inline(__always)
  private func keep<Totals: NumberTotals>(
    _ selection: inout Selection, _ chunk: Chunk, _ width: Int, _ isMap: Bool,
    _ type: Totals.Type, _ number: (PackedElements, Int) -> Totals.Number
  ) {
    let (test, function) = (test, function)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let elements = PackedElements(chunk.rowBytes(word << 6 | bit), width: width, isMap: isMap)
        var totals = Totals()
        for place in 0..<elements.count where !elements.isNull(place) {
          totals.add(number(elements, place))
        }
        return totals.passes(test, function)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }
}

/// A condition on what a number of the objects of a collection comes to: `dogs.@sum.age > 20`.
final class LinkedTotalsFilter: Filter, @unchecked Sendable {
  private let column: Column
  private let live: LiveRows
  private let numbers: ColumnNumbers
  private let type: ValueType
  private let function: AggregateFunction
  private let test: NumberTest
  private let words: () -> String

  /// - Parameter number: a property of the objects: an int, a double or a float.
  init(
    _ hop: LinksHop, _ number: Column, _ function: AggregateFunction, _ leaf: Leaf,
    words: @autoclosure @escaping () -> String
  ) {
    column = hop.column
    live = hop.live
    numbers = ColumnNumbers(number, of: hop.target)
    type = number.schema.type
    self.function = function
    test = NumberTest(leaf)
    self.words = words
  }

  override var cost: Double { 60 }
  override var description: String { words() }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let chunk = column.chunk(index)
    let numbers = numbers
    switch type {
    case .int: keep(&selection, chunk, IntegerCollectionTotals.self) { numbers.integer($0) }
    case .float: keep(&selection, chunk, DoubleCollectionTotals.self) { numbers.float($0) }
    default: keep(&selection, chunk, DoubleCollectionTotals.self) { numbers.double($0) }
    }
  }

  @inline(__always)
  private func keep<Totals: NumberTotals>(
    _ selection: inout Selection, _ chunk: Chunk, _ type: Totals.Type,
    _ number: (Int) -> Totals.Number?
  ) {
    let (test, function, live) = (test, function, live)
    let isMap = column.schema.collection == .map
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let links = chunk.links(word << 6 | bit, isMap: isMap)
        var totals = Totals()
        for place in 0..<links.count where !links.isNull(place) {
          let key = Int(links.int(place))
          if live.holds(key), let found = number(key) { totals.add(found) }
        }
        return totals.passes(test, function)
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
    live.prepare()
    numbers.prepare()
  }
}
