import CairnQuery
import CairnValues

/// Comparisons with numbers and dates, whose constants are moved to the nearest values that a column
/// can hold.
extension SQLCompiler {
  /// The condition that a number is not NaN, which engines have above infinity. Null means null.
  func isNumber(_ column: SQLColumn) -> SQLFragment {
    if column.type == .decimal {
      return dialect == .postgis ? "\(column.expression) < 'NaN'::numeric" : .true
    }
    return "\(column.expression) <= \(literal: .double(.infinity))"
  }

  func compare(
    floating column: SQLColumn, operation: ComparisonOperator, value: Value
  ) -> SQLCondition {
    guard let bounds = Self.bounds(value) else {
      return .undecided("a decimal number is compared with '\(column.property)' here")
    }
    switch operation {
    case .equal, .notEqual:
      guard bounds.low == bounds.high else { return .constant(operation == .notEqual) }
      return equal(column, operation: operation, number: bounds.low)
    case .less, .lessOrEqual:
      let isBelow = bounds.low == bounds.high ? operation : .lessOrEqual
      return floatingComparison(column, operation: isBelow, number: bounds.low)
    case .greater, .greaterOrEqual:
      let isAbove = bounds.low == bounds.high ? operation : .greaterOrEqual
      return .all([
        floatingComparison(column, operation: isAbove, number: bounds.high),
        SQLCondition(isNumber(column)),
      ])
    }
  }

  private func equal(
    _ column: SQLColumn, operation: ComparisonOperator, number: Double
  ) -> SQLCondition {
    // SedonaDB tells minus zero from zero.
    if dialect == .sedona, number == 0 {
      let isZero = SQLCondition(
        "\(column.expression) IN (\(literal: .double(0)), \(literal: .double(-0.0)))")
      return operation == .equal ? isZero : isZero.negated
    }
    return comparison(column, operation: operation, constant: .double(number))
  }

  private func floatingComparison(
    _ column: SQLColumn, operation: ComparisonOperator, number: Double
  ) -> SQLCondition {
    var number = number
    if number == 0 {
      let isMinus = dialect == .sedona && (operation == .less || operation == .greaterOrEqual)
      number = isMinus ? -0.0 : 0
    }
    return comparison(column, operation: operation, constant: .double(number))
  }

  /// The doubles next to a number: equal if the number is a double, otherwise its neighbours; nil
  /// for a decimal number.
  private static func bounds(_ value: Value) -> (low: Double, high: Double)? {
    switch value {
    case .float(let number): return (Double(number), Double(number))
    case .double(let number): return (number, number)
    case .int(let number):
      let near = Double(number)
      switch value.order(to: .double(near)) {
      case .less: return (near.nextDown, near)
      case .greater: return (near, near.nextUp)
      default: return (near, near)
      }
    default: return nil
    }
  }

  // MARK: Integers

  func compare(
    integer column: SQLColumn, operation: ComparisonOperator, value: Value
  ) -> SQLCondition {
    switch value {
    case .int(let number):
      return comparison(column, operation: operation, constant: .int(number))
    case .float(let number):
      return compare(integer: column, operation: operation, number: Double(number))
    case .double(let number):
      return compare(integer: column, operation: operation, number: number)
    case .decimal(let number): return compare(column, operation: operation, decimal: number)
    default: return .undecided("an integer is compared with \(value.plainText) here")
    }
  }

  /// Compares integers with a number that is not NaN, by the integers next to it.
  private func compare(
    integer column: SQLColumn, operation: ComparisonOperator, number: Double
  ) -> SQLCondition {
    let hasValue = SQLCondition("\(column.expression) IS NOT NULL")
    let whole = number.rounded(.down)
    if whole < -0x1p63 {
      return Self.outside(operation, isBelow: true, hasValue: hasValue)
    }
    guard let integer = Int64(exactly: whole) else {
      return Self.outside(operation, isBelow: false, hasValue: hasValue)
    }
    if whole == number {
      return comparison(column, operation: operation, constant: .int(integer))
    }
    switch operation {
    case .equal: return .constant(false)
    case .notEqual: return .constant(true)
    case .less, .lessOrEqual:
      return comparison(column, operation: .lessOrEqual, constant: .int(integer))
    case .greater, .greaterOrEqual:
      return comparison(column, operation: .greater, constant: .int(integer))
    }
  }

  /// A comparison with a constant below or above everything that the column can hold.
  private static func outside(
    _ operation: ComparisonOperator, isBelow: Bool, hasValue: SQLCondition
  ) -> SQLCondition {
    switch operation {
    case .equal: .constant(false)
    case .notEqual: .constant(true)
    case .less, .lessOrEqual: isBelow ? .constant(false) : hasValue
    case .greater, .greaterOrEqual: isBelow ? hasValue : .constant(false)
    }
  }

  // MARK: Decimals

  func compare(
    _ column: SQLColumn, operation: ComparisonOperator, decimal: Decimal128
  ) -> SQLCondition {
    guard let digits = digits(decimal) else {
      return .undecided("\(dialect) has no constant for \(decimal)")
    }
    let comparison = comparison(column, operation: operation, constant: .decimal(digits))
    guard column.type == .decimal, operation == .greater || operation == .greaterOrEqual else {
      return comparison
    }
    return .all([comparison, SQLCondition(isNumber(column))])
  }

  /// The digits of a number; nil if the dialect has no such number. PostgreSQL has numbers of any
  /// size, the others 38 digits.
  private func digits(_ number: Decimal128) -> String? {
    if number.isNaN { return nil }
    if number.isInfinite {
      return dialect == .postgis ? (number < 0 ? "-Infinity" : "Infinity") : nil
    }
    let text = "\(number)"
    if dialect == .postgis { return text }
    let isPlain = text.utf8.allSatisfy { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    return isPlain && text.utf8.count <= 36 ? text : nil
  }

  // MARK: Dates

  /// Compares dates. A time in microseconds is before a date if its own date is.
  func compare(
    _ column: SQLColumn, storage: SQLDateStorage, operation: ComparisonOperator, seconds: Double
  ) -> SQLCondition {
    switch storage {
    case .seconds:
      return compare(floating: column, operation: operation, value: .double(seconds))
    case .timestamp(let hasZone):
      let (first, behind) = (
        SQLDate.firstTime(notBefore: seconds), SQLDate.firstTime(after: seconds)
      )
      guard dialect == .postgis || SQLDate.commonTimes.contains(first) else {
        return .undecided("\(dialect) has no constant for a date so far away")
      }
      return compare(column, operation: operation, first: first, behind: behind) {
        .timestamp($0, hasZone: hasZone)
      }
    case .day:
      let (first, behind) = (SQLDate.firstDay(notBefore: seconds), SQLDate.firstDay(after: seconds))
      guard dialect == .postgis || SQLDate.commonDays.contains(first) else {
        return .undecided("\(dialect) has no constant for a date so far away")
      }
      return compare(column, operation: operation, first: first, behind: behind) { .day($0) }
    }
  }

  /// - Parameters:
  ///   - first: The first value of the column whose date is not before the constant.
  ///   - behind: The first value whose date is behind it; nil if no date is.
  private func compare<Number: FixedWidthInteger>(
    _ column: SQLColumn, operation: ComparisonOperator, first: Number, behind: Number?,
    constant: (Number) -> SQLValue
  ) -> SQLCondition {
    let isBefore = comparison(column, operation: .less, constant: constant(first))
    let isFrom = comparison(column, operation: .greaterOrEqual, constant: constant(first))
    let hasValue = SQLCondition("\(column.expression) IS NOT NULL")
    let isUpTo =
      behind.map {
        comparison(column, operation: .less, constant: constant($0))
      } ?? hasValue
    let isBehind =
      behind.map {
        comparison(column, operation: .greaterOrEqual, constant: constant($0))
      } ?? .constant(false)
    if behind == first &+ 1, !operation.isOrder {
      return comparison(column, operation: operation, constant: constant(first))
    }
    switch operation {
    case .less: return isBefore
    case .lessOrEqual: return isUpTo
    case .greater: return isBehind
    case .greaterOrEqual: return isFrom
    case .equal: return first == behind ? .constant(false) : .all([isFrom, isUpTo])
    case .notEqual:
      return first == behind ? .constant(true) : SQLCondition.all([isFrom, isUpTo]).negated
    }
  }
}
