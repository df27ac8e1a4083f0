import CairnStorage
import CairnValues

/// Reads what a condition speaks of, row by row.
indirect enum SubjectReader {
  case path(PathReader, PropertyPath.Quantifier)
  case aggregate(AggregateFunction, PathReader)
  case count(PathReader)
  /// The lengths of texts or data.
  case length(PathReader, PropertyPath.Quantifier)
  /// The number of objects that are in the set.
  case matches(PathReader, KeySet)
  /// The same for each of the objects that a path leads to.
  case each(PathReader, isAll: Bool, SubjectReader)

  /// Whether flags and numbers can be equal.
  var isMixed: Bool {
    if case .path(let reader, _) = self { reader.route.isMixed } else { false }
  }

  /// Whether any, or each, of the subject's values passes.
  func holds(_ key: Int, _ workspace: Workspace, _ test: (Value) -> Bool) -> Bool {
    switch self {
    case .path(let reader, let quantifier):
      let isAll = quantifier == .all
      return reader.forEach(key) { test($0) == isAll } == isAll
    case .length(let reader, let quantifier):
      let isAll = quantifier == .all
      return reader.forEach(key) { test($0.length) == isAll } == isAll
    case .each(let reader, let isAll, let subject):
      let goesOn = reader.forEach(key) { object in
        guard case .link(let link) = object else { return test(subject.ofNothing) == isAll }
        return subject.holds(link.key, workspace, test) == isAll
      }
      return goesOn == isAll
    default: return test(number(key, workspace))
    }
  }

  /// The one value of a subject that is no path.
  private func number(_ key: Int, _ workspace: Workspace) -> Value {
    switch self {
    case .path(let reader, _): return reader.value(key)
    case .length(let reader, _): return reader.value(key).length
    case .each: return .null
    case .count(let reader): return .int(Int64(reader.count(key)))
    case .matches(let reader, let keys):
      var total: Int64 = 0
      reader.forEachObject(key) { if keys.contains($0, workspace) { total += 1 } }
      return .int(total)
    case .aggregate(let function, let reader):
      var totals = ValueTotals()
      _ = reader.forEach(key) { value in
        totals.add(value)
        return true
      }
      return totals.value(function, reader.route.valueType)
    }
  }

  /// The value where there is no object that has a collection.
  private var ofNothing: Value {
    switch self {
    case .path, .length, .each: .null
    case .count, .matches: .int(0)
    case .aggregate(let function, let reader):
      ValueTotals().value(function, reader.route.valueType)
    }
  }

  /// Resolves on the snapshot's own thread what other threads will read for rows of these chunks.
  func prepare(_ chunks: [Int]) {
    switch self {
    case .path(let reader, _), .length(let reader, _), .aggregate(_, let reader),
      .count(let reader):
      reader.prepare(chunks)
    case .matches(let reader, let keys):
      reader.prepare(chunks)
      keys.complete(Workspace())
    case .each(let reader, _, let subject):
      reader.prepare(chunks)
      subject.prepare(Array(0..<reader.route.endTable.chunkCount))
    }
  }
}

/// A condition that is asked row by row of what a path, an aggregate or a count gives.
final class ReaderFilter: Filter, @unchecked Sendable {
  private let reader: SubjectReader
  private let test: ValueTest
  private let words: () -> String

  init(_ reader: SubjectReader, _ test: ValueTest, words: @autoclosure @escaping () -> String) {
    self.reader = reader
    self.test = test
    self.words = words
  }

  override var cost: Double { 120 }
  override var description: String { words() }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let first = index << ChunkShape.shift
    selection.keep { word, selected in
      selected.keepingEach { bit in
        reader.holds(first | word << 6 | bit, workspace, test.holds)
      }
    }
  }

  override func prepare(_ chunks: [Int]) { reader.prepare(chunks) }
}

/// A condition on two subjects of each row.
final class PairFilter: Filter, @unchecked Sendable {
  private let left: SubjectReader
  private let right: SubjectReader
  private let test: @Sendable (Value, Value) -> Bool
  private let words: () -> String

  init(
    _ left: SubjectReader, _ right: SubjectReader,
    _ test: @escaping @Sendable (Value, Value) -> Bool, words: @autoclosure @escaping () -> String
  ) {
    self.left = left
    self.right = right
    self.test = test
    self.words = words
  }

  override var cost: Double { 250 }
  override var description: String { words() }

  override func narrow(_ selection: inout Selection, _ index: Int, _ workspace: Workspace) {
    let first = index << ChunkShape.shift
    selection.keep { word, selected in
      selected.keepingEach { bit in
        let key = first | word << 6 | bit
        return left.holds(key, workspace) { value in
          right.holds(key, workspace) { test(value, $0) }
        }
      }
    }
  }

  override func prepare(_ chunks: [Int]) {
    left.prepare(chunks)
    right.prepare(chunks)
  }
}
