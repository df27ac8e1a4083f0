internal import CairnQuery
internal import CairnStorage
internal import CairnValues

/// Adds the properties that formulas compute to the batches of a reader. For use by one thread.
final class ComputedColumns {
  /// Where a column of the plan comes from.
  private enum Source {
    case read(Int)
    case formula(BoundFormula, name: String)
  }

  private let plan: ImportPlan
  private let sources: [Source]

  init(_ plan: ImportPlan) {
    self.plan = plan
    let formulas = plan.computations.formulas
    let last = plan.forReaders.columns.count - 1
    var read = 0
    sources = plan.columns.map { column in
      if let found = formulas.first(where: { $0.name == column.name }), column.isComputed {
        return .formula(found.formula, name: found.name)
      }
      if column.content == .position { return .read(last) }
      defer { read += 1 }
      return .read(read)
    }
  }

  /// Returns the columns of the plan for the columns that a reader has filled. Rows for which a formula
  /// has no value are left out, and added to the rejected records.
  ///
  /// Every formula reads the values of the files.
  func added(
    to batch: ColumnBatch, of block: InputBlock, rejects: inout RecordLog
  ) throws(ParseAbort) -> ColumnBatch {
    guard !plan.computations.formulas.isEmpty, let positions = batch.columns.last else {
      return batch
    }
    var rejected: [Int: RejectedRecord] = [:]
    let columns = zip(sources, plan.columns).map { source, column in
      switch source {
      case .read(let index): return batch.columns[index]
      case .formula(let formula, let name):
        let builder = ColumnBuilder(
          BulkColumn(name: name, type: column.valueType, isOptional: !column.isRequired))
        let computation = Computation(column, BatchColumns(batch: batch), formula)
        computation.fill(builder, endsEarly: plan.onError == .fail)
        for (row, problem) in computation.problems where rejected[row] == nil {
          let position = InputPosition(
            block: block.number, file: block.file, offset: positions.integer(at: row))
          rejected[row] = RejectedRecord(
            position: position, reason: .formula(property: name),
            detail: "\(option: .formulas, name): \(problem)")
        }
        return builder
      }
    }
    let whole = ColumnBatch(filled: columns)
    try whole.leaveOut(rejected, plan.onError, log: &rejects)
    return whole
  }
}

/// The computation of one column of a batch.
private final class Computation {
  private let column: ImportPlan.Column
  private let rowCount: Int
  private let evaluator: FormulaEvaluator
  /// The rows for which the formula has no value, and why.
  private(set) var problems: [Int: String] = [:]

  init(_ column: ImportPlan.Column, _ rows: BatchColumns, _ formula: BoundFormula) {
    self.column = column
    rowCount = rows.rowCount
    evaluator = FormulaEvaluator(formula, over: rows)
  }

  /// Appends a value for each row.
  ///
  /// - Parameter endsEarly: Whether the first problem is enough; the rows behind it get null.
  func fill(_ builder: ColumnBuilder, endsEarly: Bool) {
    for start in stride(from: 0, to: rowCount, by: FormulaVector.capacity) {
      let rows = start..<min(rowCount, start + FormulaVector.capacity)
      if endsEarly, !problems.isEmpty {
        for _ in rows { builder.appendNull() }
      } else {
        append(rows, to: builder)
      }
    }
  }

  /// Appends values for rows. If the formula has none for one of them, each is computed by itself.
  private func append(_ rows: Range<Int>, to builder: ColumnBuilder) {
    do throws(FormulaError) {
      let results = try evaluator.evaluate(Array(rows)[...])
      for row in rows { append(results, row - rows.lowerBound, of: row, to: builder) }
    } catch {
      guard rows.count > 1 else {
        problems[error.key] = error.message
        return builder.appendNull()
      }
      for row in rows { append(row..<row + 1, to: builder) }
    }
  }

  /// Appends a result, or null if the column cannot hold it.
  private func append(
    _ results: FormulaVector, _ index: Int, of row: Int, to builder: ColumnBuilder
  ) {
    if results.isNull(index) {
      if column.isRequired { problems[row] = "the property needs a value, and the formula is null" }
      builder.appendNull()
    } else if let problem = builder.append(results, index) {
      problems[row] = problem
      builder.appendNull()
    }
  }
}

extension ColumnBuilder {
  /// Appends a result of a formula. Returns what is wrong with it if the column cannot hold it.
  fileprivate func append(_ results: FormulaVector, _ row: Int) -> String? {
    switch (results.type, type) {
    case (.string, .string): append(bytes: results.bytes(row))
    case (.bool, .bool): append(bool: results.int(row) != 0)
    case (.int, .int): append(int: results.int(row))
    case (.int, .double): append(double: Double(results.int(row)))
    case (.int, .float): append(float: Float(results.int(row)))
    case (.double, .double): append(double: results.double(row))
    case (.double, .float): append(float: Float(results.double(row)))
    case (.date, .date): append(date: results.double(row))
    case (.double, .int):
      guard let whole = Int64(exactly: results.double(row)) else {
        return "\(results.double(row)) is not an int; round() rounds it"
      }
      append(int: whole)
    default:
      guard case .decimal(let number) = results.value(row), type == .decimal128 else {
        return "\(results.value(row).plainText) is not a \(type.name)"
      }
      number.withStoredBytes { append(fixed: $0) }
    }
    return nil
  }
}
