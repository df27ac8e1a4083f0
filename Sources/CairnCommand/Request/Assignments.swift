import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The values of `--set`: columns, and the formulas that compute their new values.
struct Assignments {
  private let texts: [AssignmentText]
  /// The columns that the class does not have yet, with their types.
  private let added: [(name: String, type: ValueType)]
  private let className: String
  /// The primary key of the class; empty if it has none.
  private let keyName: String

  /// Reads the options, and checks them against a class.
  ///
  /// - Parameter adding: Whether the class may get new columns.
  init(_ options: [String], of source: OpenedClass, adding: Bool) throws {
    className = source.schema.name
    keyName = source.schema.primaryKey.map { source.schema.columns[$0].name } ?? ""
    texts = try AssignmentText.list(options)
    var added: [(name: String, type: ValueType)] = []
    for text in texts {
      if let column = source.schema.property(named: text.column) {
        _ = try Assignment(text, to: column, of: source)
      } else {
        let type = try text.type(of: source)
        guard adding else { throw Self.missing(text.column, type: type, in: source.schema) }
        added.append((text.column, type))
      }
    }
    self.added = added
  }

  /// The new columns, as the summary names them.
  var addition: String {
    guard !added.isEmpty else { return "" }
    let names = added.map { "\($0.name) (\($0.type.name))" }
    return " with the new \(added.count == 1 ? "column" : "columns") "
      + names.joined(separator: ", ")
  }

  /// Sets the columns of rows.
  ///
  /// - Parameters:
  ///   - keys: The rows, in rising order.
  ///   - source: The class before the transaction, from which the formulas read.
  /// - Returns: The number of rows.
  func apply(
    to keys: [Int], of source: OpenedClass, in transaction: WriteTransaction
  ) throws -> Int {
    let new = added.filter { source.schema.property(named: $0.name) == nil }
    if !new.isEmpty { try transaction.addProperties(new, to: className) }
    let writer = try transaction.writer(className, of: source.store)
    let assignments = try texts.map { text in
      guard let column = writer.schema.property(named: text.column) else {
        throw UnknownClass(name: className, schema: transaction.schema, path: source.store.path)
      }
      return try Assignment(text, to: column, of: source)
    }
    // The commit checks all primary keys at once, so that rows can exchange theirs.
    if keys.count > 1, assignments.contains(where: \.column.isPrimaryKey) {
      writer.deferUniqueness()
    }
    for assignment in assignments where assignment.constant != nil {
      try assignment.applyConstant(to: keys, writer: writer)
    }
    try apply(assignments.filter { $0.constant == nil }, to: keys, of: source, writer: writer)
    return keys.count
  }

  /// Runs the update, and explains an error of the commit for rows with the same primary key.
  func explainingKeys(_ update: () throws -> Void) throws {
    do {
      try update()
    } catch let error as StoreError where error.kind == .duplicateKey {
      throw Failure(.badData, message: "--set: \(Assignment.sharedKey(keyName))")
    }
  }

  /// Evaluates formulas for batches of rows. Every formula reads the rows as they were before.
  private func apply(
    _ assignments: [Assignment], to keys: [Int], of source: OpenedClass, writer: TableWriter
  ) throws {
    guard !assignments.isEmpty else { return }
    let evaluators = assignments.map { FormulaEvaluator($0.formula, on: source.table) }
    for start in stride(from: 0, to: keys.count, by: FormulaVector.capacity) {
      let batch = keys[start..<min(keys.count, start + FormulaVector.capacity)]
      for (assignment, evaluator) in zip(assignments, evaluators) {
        do throws(FormulaError) {
          let results = try evaluator.evaluate(batch)
          try assignment.apply(results, to: batch, writer: writer)
        } catch {
          let row = source.table.name(ofRow: error.key)
          throw Failure(
            .badData, message: "--set \(assignment.column.name), \(row): \(error.message)")
        }
      }
    }
  }

  private static func missing(
    _ name: String, type: ValueType, in schema: TableSchema
  ) -> Failure {
    let hint =
      Hint.nearest(name, among: schema.properties.map(\.name))
      .map { "did you mean '\($0)'? Otherwise, " } ?? ""
    return Failure(
      .usage,
      message:
        "--set: '\(schema.name)' has no column '\(name)'; \(hint)--add adds it, as \(type.name)")
  }
}

/// A value of `--set` as it is written.
struct AssignmentText {
  /// The name of the column.
  let column: String
  /// The formula.
  let formula: Formula

  /// Parses `COLUMN=FORMULA`. A column in backquotes may have any name.
  init(_ text: String) throws {
    let (name, rest) = Self.split(text)
    guard let rest, !name.isEmpty else {
      throw Failure(
        .usage, message: "--set '\(text)': expected COLUMN=FORMULA, as in \"name = 'x'\"")
    }
    column = name
    formula = try Self.reporting { () throws(PredicateError) in try Formula(parsing: String(rest)) }
  }

  /// Parses all values of `--set`. No two of them may set the same column.
  static func list(_ options: [String]) throws -> [AssignmentText] {
    let texts = try options.map(AssignmentText.init)
    for (index, text) in texts.enumerated()
    where texts[..<index].contains(where: { $0.column == text.column }) {
      throw Failure(.usage, message: "--set names '\(text.column)' twice")
    }
    return texts
  }

  /// The type of a new column with the formula's values.
  func type(of source: OpenedClass) throws -> ValueType {
    let bound = try bound(to: source)
    guard let type = bound.type else {
      throw Failure(
        .usage, message: "--set \(column): a new column needs a value, from which it gets its type")
    }
    return type
  }

  /// The formula, checked against a class.
  func bound(to source: OpenedClass) throws -> BoundFormula {
    do {
      return try Self.reporting { () throws(PredicateError) in
        try formula.bound(to: source.schema)
      }
    } catch let failure as Failure where isWord {
      // The shell removes the quotes of --set name='x'.
      throw Failure(
        failure.code,
        lines: failure.description
          + "\nA text is in quotes inside of the argument: --set \"\(column) = '\(formula.text.trimmingSpaces())'\""
      )
    }
  }

  private var isWord: Bool {
    formula.text.allSatisfy { $0.isLetter || $0.isNumber || $0.isWhitespace || $0 == "_" }
  }

  private static func reporting<R>(_ body: () throws(PredicateError) -> R) throws -> R {
    do throws(PredicateError) {
      return try body()
    } catch {
      throw Failure(error.kind == .shape ? .badData : .usage, lines: "--set: \(error)")
    }
  }

  /// Splits at the first `=` outside of backquotes. Returns nil for a text without one.
  private static func split(_ text: String) -> (name: String, formula: Substring?) {
    var name = ""
    var isQuoted = false
    for index in text.indices {
      switch text[index] {
      case "`": isQuoted.toggle()
      case "=" where !isQuoted:
        return (String(name.trimmingSpaces()), text[text.index(after: index)...])
      default: name.append(text[index])
      }
    }
    return (name, nil)
  }
}

extension Table {
  /// A row as messages name it: by its primary key, or by its number in the class.
  func name(ofRow key: Int) -> String {
    guard let position = schema.primaryKey else { return "row \(key)" }
    let value = ValueText.text(value(position, at: key))
    return "the row with the \(schema.columns[position].name) \(value)"
  }
}
