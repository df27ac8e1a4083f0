import CairnQuery
import CairnValues

/// Comparisons with constants and between columns.
extension SQLCompiler {
  func values(_ left: SQLOperand, _ condition: ValueCondition) -> SQLCondition {
    switch condition {
    case .compare(let operation, let value, let options) where !options.isEmpty:
      compare(left, operation: operation, value: value, folding: options)
    case .isIn(let values, let options) where !options.isEmpty:
      .any(values.map { compare(left, operation: .equal, value: $0, folding: options) })
    case .compare(let operation, let value, _): compare(left, operation: operation, value: value)
    case .between(let low, let high):
      .all([
        compare(left, operation: .greaterOrEqual, value: low),
        compare(left, operation: .lessOrEqual, value: high),
      ])
    case .isIn(let values, _): isIn(left, values: values)
    case .match(let match, let value, let options):
      self.match(left, operation: match, value: value, options: options)
    }
  }

  func pair(
    _ left: SQLOperand, _ condition: PairCondition, _ right: SQLOperand
  ) -> SQLCondition {
    switch condition {
    case .match(let match, _): .undecided("\(match.rawValue) with another property is decided here")
    case .compare(let operation, let options):
      switch (left, right) {
      case _ where !options.isEmpty:
        .undecided("the folding of texts differs: \(options.name)")
      case (.column(let left), .column(let right)):
        compare(left, operation: operation, column: right)
      case (.undecided(let reason), _), (_, .undecided(let reason)): .undecided(reason)
      case (.length, _), (_, .length): .undecided("lengths of two columns are compared here")
      }
    }
  }

  private func isIn(_ left: SQLOperand, values: [Value]) -> SQLCondition {
    if case .column(let column) = left, let list = list(values, type: column.type) {
      let isIn: SQLCondition =
        list.isEmpty ? .constant(false) : SQLCondition("\(column.expression) IN (\(items(list)))")
      return values.contains(where: \.isNull)
        ? .any([isIn, compare(left, operation: .equal, value: .null)]) : isIn
    }
    return .any(values.map { compare(left, operation: .equal, value: $0) })
  }

  /// The values other than null as a list that `IN` compares exactly; nil for other types.
  private func list(_ values: [Value], type: SQLColumnType) -> [SQLValue]? {
    guard [.int, .text, .uuid, .objectId, .bool].contains(type) else { return nil }
    var list: [SQLValue] = []
    for value in values where !value.isNull {
      guard let constant = exact(value) else { return nil }
      list.append(constant)
    }
    return list
  }

  /// The items of a list. PostgreSQL has 65 535 parameters at most, so long lists are literals.
  private func items(_ list: [SQLValue]) -> SQLFragment {
    .joined(
      list.map { list.count > 1000 ? "\(literal: $0)" : "\(value: $0)" }, separator: ", ")
  }

  // MARK: Constants

  func compare(
    _ left: SQLOperand, operation: ComparisonOperator, value: Value
  ) -> SQLCondition {
    switch left {
    case .undecided(let reason): return .undecided(reason)
    case .length(let column): return compareLength(column, operation: operation, value: value)
    case .column(let column):
      if value.isNull { return compareNull(column, operation: operation) }
      switch (column.type, value) {
      case (.location, .point(let position)):
        return equal(column, position: position, operation: operation)
      case (.date(let storage), .date(let seconds)):
        return compare(column, storage: storage, operation: operation, seconds: seconds)
      case (.float, _), (.double, _):
        return compare(floating: column, operation: operation, value: value)
      case (.int, _): return compare(integer: column, operation: operation, value: value)
      case (.decimal, .decimal(let number)):
        return compare(column, operation: operation, decimal: number)
      default:
        guard let constant = exact(value) else {
          return .undecided("\(dialect) has no constant for \(value.plainText)")
        }
        return comparison(column, operation: operation, constant: constant)
      }
    }
  }

  /// A constant that compares as Cairn's value does; nil if the dialect has none.
  private func exact(_ value: Value) -> SQLValue? {
    switch value {
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    // PostgreSQL's texts have no U+0000.
    case .string(let text): text.utf8.contains(0) ? nil : .text(text)
    case .data(let bytes): .data(bytes)
    case .uuid(let id): .uuid("\(id)")
    case .objectId(let id): .text("\(id)")
    default: nil
    }
  }

  private func compareNull(_ column: SQLColumn, operation: ComparisonOperator) -> SQLCondition {
    let isNull = isNull(column)
    return SQLCondition(operation == .equal ? isNull : isNull.negated)
  }

  /// A comparison in the order of the engine. `!=` is true for nulls.
  func comparison(
    _ column: SQLColumn, operation: ComparisonOperator, constant: SQLValue
  ) -> SQLCondition {
    let left = operation.isOrder ? ordered(column) : column.expression
    let comparison: SQLFragment =
      "\(left) \(SQLFragment(sql: operation.sql)) \(value: constant)"
    // SedonaDB reads an AND behind `IS DISTINCT FROM` as a part of its right side.
    return SQLCondition(operation == .notEqual ? "(\(comparison))" : comparison)
  }

  /// The column in the order of Cairn: texts by code point.
  func ordered(_ column: SQLColumn) -> SQLFragment {
    switch (dialect, column.type) {
    case (.postgis, .text), (.postgis, .objectId): "\(column.expression) COLLATE \"C\""
    default: column.expression
    }
  }

  // MARK: Two columns

  private func compare(
    _ left: SQLColumn, operation: ComparisonOperator, column right: SQLColumn
  ) -> SQLCondition {
    guard left.type.compares(with: right.type) else {
      return .undecided(
        "'\(left.property)' and '\(right.property)' are compared here, because their types differ")
    }
    let comparison: SQLFragment =
      switch operation {
      case .equal: "(\(left.expression) IS NOT DISTINCT FROM \(right.expression))"
      case .notEqual: "(\(left.expression) IS DISTINCT FROM \(right.expression))"
      default: "\(ordered(left)) \(SQLFragment(sql: operation.sql)) \(right.expression)"
      }
    guard operation.isOrder else { return SQLCondition(comparison) }
    // NaN is the greatest number for engines, so a bound on the greater side excludes it.
    let isLess = operation == .less || operation == .lessOrEqual
    let greater = isLess ? right : left
    let hasNaN = left.type.hasNaN || right.type.hasNaN
    let ordered = hasNaN ? SQLCondition.all([comparison, isNumber(greater)]) : comparison
    guard operation == .lessOrEqual || operation == .greaterOrEqual else {
      return SQLCondition(ordered)
    }
    let areNull = SQLCondition.all([isNull(left), isNull(right)])
    return SQLCondition(SQLCondition.any([ordered, areNull]))
  }
}

extension SQLColumnType {
  /// Whether the engine compares values of both types without a conversion that rounds.
  func compares(with other: SQLColumnType) -> Bool {
    switch (self, other) {
    case (.location, _), (.geometry, _), (.other, _): false
    case (.float, .double), (.double, .float), (.int, .decimal), (.decimal, .int): true
    default: self == other
    }
  }

  /// Whether values are numbers.
  var isNumeric: Bool { [.int, .float, .double, .decimal].contains(self) }

  /// Whether values may be NaN, which engines have above infinity.
  var hasNaN: Bool {
    self == .float || self == .double || self == .decimal || self == .date(.seconds)
  }
}

extension ComparisonOperator {
  /// The operator for two values, with a result for null as Cairn has it.
  var sql: String {
    switch self {
    case .equal: "="
    case .notEqual: "IS DISTINCT FROM"
    default: rawValue
    }
  }
}

extension StringOptions {
  /// `[c]`, `[d]` or `[cd]`.
  var name: String {
    "[" + (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
      + "]"
  }

  /// The name behind an operator; empty without options.
  var suffix: String { isEmpty ? "" : name }
}
