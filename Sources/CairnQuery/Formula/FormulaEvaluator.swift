import CairnGeometry
import CairnStorage
import CairnValues

/// An error in the evaluation of a formula for a row.
package struct FormulaError: Error, CustomStringConvertible, Sendable {
  /// The key of the row.
  package let key: Int
  /// The message, which quotes the operation.
  package let message: String

  /// Creates an error.
  package init(key: Int, message: String) {
    self.key = key
    self.message = message
  }

  /// The message.
  package var description: String { message }
}

/// Evaluates a formula for rows of a table, a batch at a time.
///
///     let evaluator = FormulaEvaluator(formula, on: table)
///     let results = try evaluator.evaluate(keys)
///     for row in keys.indices { use(results.value(row)) }
///
/// It keeps its memory from batch to batch and allocates nothing for a row. Confined to one thread.
package final class FormulaEvaluator {
  private let text: String
  private let root: Step
  /// The keys of the rows of both sides, for pairs of rows.
  private var pairs = PairKeys()

  /// Where a formula reads its properties.
  private enum Source {
    case table(Table)
    /// Rows that are in no table.
    case rows(any ValueColumns)
    /// Pairs of rows, whose columns are those of the left class and then those of the right one.
    case pairs(Table, Table)

    /// The column at a position, and whether it is one of the right class.
    func column(_ position: Int) -> (column: Column?, isRight: Bool) {
      switch self {
      case .table(let table): return (table.column(position), false)
      case .rows: return (nil, false)
      case .pairs(let left, let right):
        let count = left.schema.columns.count
        return position < count
          ? (left.column(position), false) : (right.column(position - count), true)
      }
    }

    var rows: (any ValueColumns)? { if case .rows(let rows) = self { rows } else { nil } }
  }

  /// A term with the memory of its results.
  private final class Step {
    let term: BoundTerm
    let operands: [Step]
    let column: Column?
    /// Whether the column is one of the right class of pairs.
    let isRight: Bool
    /// The rows that the term reads, if they are in no table.
    let rows: (any ValueColumns)?
    let input: ((Int) -> Double?)?
    /// The constant area that cuts the other operand, once it is prepared.
    var cutter: GeometryCutter?
    /// The results: those of the first operand, which the operation replaces, or own memory.
    let results: FormulaVector

    init(_ term: BoundTerm, source: Source, inputs: [(Int) -> Double?]) {
      self.term = term
      rows = source.rows
      operands = term.operands.map { Step($0, source: source, inputs: inputs) }
      (column, isRight) =
        switch term.content {
        case .column(let position), .part(_, of: let position): source.column(position)
        default: (nil, false)
        }
      input = if case .input(let index) = term.content { inputs[index] } else { nil }
      results = term.replacesOperand ? operands[0].results : FormulaVector()
    }
  }

  /// Prepares the evaluation.
  ///
  /// - Parameters:
  ///   - table: The class that the formula was bound to, in any state of the store with the same
  ///     properties.
  ///   - inputs: Functions from the key of a row to the value of each input, in the order of the
  ///     names that the formula was bound with.
  package init(
    _ formula: BoundFormula, on table: Table, inputs: [(Int) -> Double?] = []
  ) {
    precondition(inputs.count == formula.inputs.count, "a formula needs all of its inputs")
    text = formula.text
    root = Step(formula.root, source: .table(table), inputs: inputs)
  }

  /// Prepares the evaluation for pairs of rows.
  ///
  /// - Parameters:
  ///   - formula: A formula that was bound to pairs of the classes.
  ///   - inputs: Functions from the index of a pair in its batch to the value of each input.
  package init(
    _ formula: BoundFormula, onPairsOf left: Table, and right: Table,
    inputs: [(Int) -> Double?] = []
  ) {
    precondition(inputs.count == formula.inputs.count, "a formula needs all of its inputs")
    text = formula.text
    root = Step(formula.root, source: .pairs(left, right), inputs: inputs)
  }

  /// Prepares the evaluation for rows that are in no table, whose keys are their numbers.
  ///
  /// - Parameters:
  ///   - formula: A formula without inputs.
  ///   - rows: The rows, which must not change as long as results are in use.
  package init(_ formula: BoundFormula, over rows: any ValueColumns) {
    precondition(formula.inputs.isEmpty, "a formula needs all of its inputs")
    text = formula.text
    root = Step(formula.root, source: .rows(rows), inputs: [])
  }

  /// Evaluates the formula for rows.
  ///
  /// - Parameter keys: The keys of the rows in any order, at most ``FormulaVector/capacity``. Keys
  ///   in rising order are read fastest.
  /// - Returns: The results in the order of the keys, valid until the next call.
  /// - Throws: An error if integers overflow, or a function of geometries fails.
  package func evaluate(_ keys: ArraySlice<Int>) throws(FormulaError) -> FormulaVector {
    pairs = PairKeys()
    return try run(keys)
  }

  /// Evaluates the formula for pairs of rows.
  ///
  /// - Parameters:
  ///   - left: The keys of the left rows, at most ``FormulaVector/capacity``.
  ///   - right: The keys of their partners; nil for a row without one, whose properties are null.
  /// - Returns: The results in the order of the pairs, valid until the next call.
  /// - Throws: An error whose key is the index of a pair.
  package func evaluate(
    _ left: [Int], and right: [Int?]
  ) throws(FormulaError) -> FormulaVector {
    precondition(left.count == right.count, "each left row needs a partner")
    pairs = PairKeys(left, right)
    return try run(Array(left.indices)[...])
  }

  private func run(_ keys: ArraySlice<Int>) throws(FormulaError) -> FormulaVector {
    precondition(keys.count <= FormulaVector.capacity, "a batch has too many rows")
    var failure: FormulaError?
    keys.withUnsafeBufferPointer { keys in
      do throws(FormulaError) { try run(root, keys: keys) } catch { failure = error }
    }
    if let failure { throw failure }
    return root.results
  }

  private func run(_ step: Step, keys: UnsafeBufferPointer<Int>) throws(FormulaError) {
    for operand in step.operands { try run(operand, keys: keys) }
    let results = step.results
    results.count = keys.count
    switch step.term.content {
    case .constant(let value):
      results.type = step.term.type
      results.fill(value)
    case .column(let position):
      results.type = step.term.type
      if let column = step.column {
        withKeys(step, keys) { results.load(column, keys: $0) }
        clearMissing(step)
      }
      if let rows = step.rows { results.load(rows, position, keys: keys) }
    case .part(let part, of: let position):
      results.type = .double
      if let column = step.column {
        withKeys(step, keys) { results.load(part, of: column, keys: $0) }
        clearMissing(step)
      }
      if let rows = step.rows { results.load(part, of: rows, position, keys: keys) }
    case .input:
      results.type = .double
      if let input = step.input { results.load(input, keys: keys) }
    case .negation:
      try check(results.negate(), step, keys: keys)
    case .not: results.negate(step.operands[0].results)
    case .call(let function, _) where function.isOfNumbers:
      let digits = step.operands.count > 1 ? Int(step.operands[1].results.integers[0]) : 0
      try check(results.apply(function, digits: digits), step, keys: keys)
    case .call(let function, _):
      results.type = step.term.type
      results.apply(function, to: step.operands.map(\.results))
    case .geometric(let function, _):
      let cutter = try cutter(function, step, keys: keys)
      try check(
        results.compute(function, of: step.operands.map(\.results), cutter: cutter), step,
        keys: keys)
    case .replacement(let pattern, _, _):
      results.replace(pattern, in: step.operands[0].results, by: step.operands[1].results)
    case .cast(_, let type, let isTried):
      let failed = results.cast(step.operands[0].results, to: type)
      if !isTried { try check(failed, cast: step, to: type, keys: keys) }
    case .operation(.join, _, _):
      results.type = .string
      results.join(step.operands[0].results, step.operands[1].results)
    case .operation(let operation, _, _) where operation.isOfFlags:
      results.decide(operation, step.operands[0].results, step.operands[1].results)
    case .operation(let operation, _, _):
      try check(results.combine(operation, step.operands[1].results), step, keys: keys)
      results.type = step.term.type
    }
    if let wanted = step.term.wanted { results.convert(to: wanted) }
  }

  /// Calls `body` with the keys of the rows that a column is read of.
  private func withKeys(
    _ step: Step, _ keys: UnsafeBufferPointer<Int>, _ body: (UnsafeBufferPointer<Int>) -> Void
  ) {
    guard let own = step.isRight ? pairs.right : pairs.left else { return body(keys) }
    if !own.isEmpty { own.withUnsafeBufferPointer(body) }
  }

  /// Makes the values of right rows null that are missing.
  private func clearMissing(_ step: Step) {
    guard step.isRight else { return }
    for row in pairs.missing { step.results.nulls[row] = true }
  }

  /// The prepared area of `clip` and `erase`, if it is the same in all rows; nil otherwise.
  private func cutter(
    _ function: GeometryFunction, _ step: Step, keys: UnsafeBufferPointer<Int>
  ) throws(FormulaError) -> GeometryCutter? {
    guard function == .clip || function == .erase, step.cutter == nil, let first = keys.first,
      case .constant(.geometry(let bytes)) = step.operands[1].term.content
    else { return step.cutter }
    do throws(GeometryError) {
      step.cutter = try GeometryCutter(
        Geometry(packed: bytes), keeping: function == .clip ? .inside : .outside)
    } catch {
      let operation = FormulaText.part(step.term.range, of: text)
      throw FormulaError(key: first, message: "'\(operation)': \(error.message)")
    }
    return step.cutter
  }

  /// Throws if a cast failed in a row.
  private func check(
    _ failedRow: Int?, cast step: Step, to type: ValueType, keys: UnsafeBufferPointer<Int>
  ) throws(FormulaError) {
    guard let failedRow else { return }
    let value = step.operands[0].results.value(failedRow).plainText
    let shown = value.count > 40 ? value.prefix(40) + "…" : value
    let operation = FormulaText.part(step.term.range, of: text)
    throw FormulaError(
      key: keys[failedRow],
      message: "'\(operation)': '\(shown)' is not a valid \(type.name); try_cast makes it null")
  }

  /// Throws if a function of geometries failed in a row.
  private func check(
    _ failure: (row: Int, error: GeometryError)?, _ step: Step, keys: UnsafeBufferPointer<Int>
  ) throws(FormulaError) {
    guard let failure else { return }
    let operation = FormulaText.part(step.term.range, of: text)
    throw FormulaError(
      key: keys[failure.row], message: "'\(operation)': \(failure.error.message)")
  }

  /// Throws if an operation failed in a row.
  private func check(
    _ failedRow: Int?, _ step: Step, keys: UnsafeBufferPointer<Int>
  ) throws(FormulaError) {
    guard let failedRow else { return }
    let operation = FormulaText.part(step.term.range, of: text)
    throw FormulaError(
      key: keys[failedRow], message: "'\(operation)' is out of the range of integers")
  }
}

/// The keys of a batch of pairs.
private struct PairKeys {
  /// The keys of the left and of the right rows; nil if rows have no partners.
  private(set) var left: [Int]?
  private(set) var right: [Int]?
  /// The indexes of the pairs without a right row.
  private(set) var missing: [Int] = []

  init() {}

  init(_ left: [Int], _ right: [Int?]) {
    self.left = left
    missing = right.indices.filter { right[$0] == nil }
    // A missing row is read like any other, and then null. Without any other there is nothing to read.
    let other = right.lazy.compactMap { $0 }.first
    self.right = other.map { other in right.map { $0 ?? other } } ?? []
  }
}

extension BoundTerm {
  /// Whether the results take the memory of the first operand: those of arithmetic.
  fileprivate var replacesOperand: Bool {
    switch content {
    case .negation: true
    case .operation(let operation, _, _): !operation.isOfFlags && operation != .join
    case .call(let function, _): function.isOfNumbers
    default: false
    }
  }
}

extension FormulaOperator {
  /// Whether the result is true or false.
  fileprivate var isOfFlags: Bool { comparison != nil || self == .and || self == .or }
}
