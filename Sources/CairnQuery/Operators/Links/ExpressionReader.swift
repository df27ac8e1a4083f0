import CairnStorage
import CairnValues

/// Reads the values of an expression row by row.
indirect enum ExpressionReader {
  case path(PathReader, PropertyPath.Quantifier)
  case aggregate(AggregateFunction, PathReader)
  case count(PathReader)
  /// The lengths of texts or data.
  case length(PathReader, PropertyPath.Quantifier)
  /// The number of objects that are in the set.
  case matches(PathReader, SemiJoinSet)
  /// The inner expression for each of the objects that a path leads to.
  case each(PathReader, isAll: Bool, ExpressionReader)

  /// Whether flags and numbers can be equal.
  var isMixed: Bool {
    if case .path(let reader, _) = self { reader.linkPath.isMixed } else { false }
  }

  /// Whether any, or each, of the expression's values passes.
  func holds(_ key: Int, scratch: ScratchBuffers, test: (Value) -> Bool) -> Bool {
    switch self {
    case .path(let reader, let quantifier):
      let isAll = quantifier == .all
      return reader.forEach(key) { test($0) == isAll } == isAll
    case .length(let reader, let quantifier):
      let isAll = quantifier == .all
      return reader.forEach(key) { test($0.length) == isAll } == isAll
    case .each(let reader, let isAll, let expression):
      let ranToEnd = reader.forEach(key) { object in
        guard case .link(let link) = object else { return test(expression.ofEmpty) == isAll }
        return expression.holds(link.key, scratch: scratch, test: test) == isAll
      }
      return ranToEnd == isAll
    default: return test(number(key, scratch: scratch))
    }
  }

  /// The single value of an expression that is not a path.
  private func number(_ key: Int, scratch: ScratchBuffers) -> Value {
    switch self {
    case .path(let reader, _): return reader.value(key)
    case .length(let reader, _): return reader.value(key).length
    case .each: return .null
    case .count(let reader): return .int(Int64(reader.count(key)))
    case .matches(let reader, let keys):
      var total: Int64 = 0
      reader.forEachObject(key) { if keys.contains($0, scratch: scratch) { total += 1 } }
      return .int(total)
    case .aggregate(let function, let reader):
      var totals = ValueTotals()
      _ = reader.forEach(key) { value in
        totals.add(value)
        return true
      }
      return totals.value(function, type: reader.linkPath.valueType)
    }
  }

  /// The value without an object that has the collection.
  private var ofEmpty: Value {
    switch self {
    case .path, .length, .each: .null
    case .count, .matches: .int(0)
    case .aggregate(let function, let reader):
      ValueTotals().value(function, type: reader.linkPath.valueType)
    }
  }

  /// Resolves the data that other threads will read for rows of these chunks, on the snapshot's own
  /// thread.
  func prepare(_ chunks: [Int]) {
    switch self {
    case .path(let reader, _), .length(let reader, _), .aggregate(_, let reader),
      .count(let reader):
      reader.prepare(chunks)
    case .matches(let reader, let keys):
      reader.prepare(chunks)
      keys.complete(ScratchBuffers())
    case .each(let reader, _, let expression):
      reader.prepare(chunks)
      expression.prepare(Array(0..<reader.linkPath.endTable.chunkCount))
    }
  }
}

/// A condition that is tested row by row on the values of a path, an aggregate or a count.
final class ReaderFilter: Filter {
  private let reader: ExpressionReader
  private let test: ValueTest
  private let makeDescription: () -> String

  init(
    _ reader: ExpressionReader, test: ValueTest, description: @autoclosure @escaping () -> String
  ) {
    self.reader = reader
    self.test = test
    makeDescription = description
  }

  override var cost: Double { 120 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let first = RowAddress.firstKey(ofChunk: index)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        reader.holds(first | word << 6 | bit, scratch: scratch, test: test.holds)
      }
    }
  }

  override func prepare(_ chunks: [Int]) { reader.prepare(chunks) }
}

/// A condition on two expressions of each row.
final class PairFilter: Filter {
  private let left: ExpressionReader
  private let right: ExpressionReader
  private let test: @Sendable (Value, Value) -> Bool
  private let makeDescription: () -> String

  init(
    _ left: ExpressionReader, right: ExpressionReader,
    test: @escaping @Sendable (Value, Value) -> Bool,
    description: @autoclosure @escaping () -> String
  ) {
    self.left = left
    self.right = right
    self.test = test
    makeDescription = description
  }

  override var cost: Double { 250 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let first = RowAddress.firstKey(ofChunk: index)
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let key = first | word << 6 | bit
        return left.holds(key, scratch: scratch) { value in
          right.holds(key, scratch: scratch) { test(value, $0) }
        }
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    left.prepare(chunks)
    right.prepare(chunks)
  }
}
