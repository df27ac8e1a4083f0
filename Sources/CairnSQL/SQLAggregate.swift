import CairnQuery

/// A figure over the rows of a table.
public enum SQLAggregate: Hashable, Sendable {
  /// The number of rows.
  case count
  /// The number of values other than null in a column.
  case values(of: String)
  /// The smallest value other than null and NaN.
  case minimum(of: String)
  /// The largest value other than null and NaN.
  case maximum(of: String)
  /// The sum of numbers other than null and NaN; 0 without values. That of floating-point numbers
  /// depends on the order of the rows.
  case sum(of: String)
  /// The mean of numbers other than null and NaN; null without values. Only that of integers does not
  /// depend on the engine.
  case mean(of: String)
}

extension SQLCompiler {
  /// Compiles figures over the rows that meet a condition, one row for each group.
  ///
  /// - Parameters:
  ///   - condition: A condition that the engine decides exactly.
  ///   - grouping: The properties whose equal values make a group, which come first in each row. The
  ///     groups are in the order of their values.
  ///   - allowsRounding: Whether the last digits of a sum or a mean may differ from Cairn's.
  /// - Throws: ``SQLError`` if the condition is not exact, or the engine cannot compute a figure as
  ///   Cairn does.
  public func aggregate(
    _ aggregates: [SQLAggregate], condition: SQLCondition, grouping: [String] = [],
    allowsRounding: Bool = false
  ) throws(SQLError) -> SQLFragment {
    let titles = grouping + aggregates.map { _ in "" }
    return try aggregate(
      aggregates, condition: condition, grouping: grouping, allowsRounding: allowsRounding,
      titles: titles)
  }

  /// - Parameter titles: The names of the columns of the result; empty for those of the engine.
  func aggregate(
    _ aggregates: [SQLAggregate], condition: SQLCondition, grouping: [String],
    allowsRounding: Bool, titles: [String]
  ) throws(SQLError) -> SQLFragment {
    guard condition.isExact else {
      throw SQLError(
        "figures cannot be computed by \(dialect), because it does not decide the condition: "
          + condition.undecided.joined(separator: "; "))
    }
    var (keys, order): ([SQLFragment], [SQLFragment]) = ([], [])
    for name in grouping {
      let column = try column(named: name)
      guard let sorted = sortKeys(column, ascending: true), column.type != .date(.seconds) else {
        throw SQLError("\(dialect) cannot group by '\(name)' as Cairn does")
      }
      keys.append(column.expression)
      order += sorted
    }
    var figures: [SQLFragment] = []
    for aggregate in aggregates {
      figures.append(try figure(aggregate, allowsRounding: allowsRounding))
    }
    let list = zip(keys + figures, titles).map { expression, title -> SQLFragment in
      title.isEmpty || expression == "\(name: title)"
        ? expression : "\(expression) AS \(title: title)"
    }
    var fragment: SQLFragment =
      "SELECT \(SQLFragment.joined(list, separator: ", ")) FROM \(table.qualifiedName)\(filter(condition.possible))"
    if !keys.isEmpty {
      fragment.append(" GROUP BY \(SQLFragment.joined(keys, separator: ", "))")
      fragment.append(" ORDER BY \(SQLFragment.joined(order, separator: ", "))")
    }
    return fragment
  }

  private func figure(
    _ aggregate: SQLAggregate, allowsRounding: Bool
  ) throws(SQLError) -> SQLFragment {
    switch aggregate {
    case .count: return "count(*)"
    case .values(let name):
      let column = try column(named: name)
      // An empty point is a null location.
      if case .location = column.type {
        return "count(CASE WHEN \(isNull(column)) THEN NULL ELSE 1 END)"
      }
      return "count(\(column.expression))"
    case .minimum(let name): return "min(\(try sample(name)))"
    case .maximum(let name): return "max(\(try sample(name)))"
    case .sum(let name):
      let column = try number(name)
      guard allowsRounding || isExact(sumOf: column) else {
        throw SQLError(
          "the sum of '\(name)' depends on the order of the rows, so it is not computed by "
            + "\(dialect)")
      }
      return "coalesce(sum(\(try addend(column))), 0)"
    case .mean(let name):
      let column = try number(name)
      guard allowsRounding || column.type == .int else {
        throw SQLError(
          "the mean of '\(name)' is rounded in its own way by every engine, so it is not computed by "
            + "\(dialect)")
      }
      let addend = try addend(column)
      // An integer is counted as it is, because SedonaDB gives the count of a cast the name of that.
      let counted = column.type == .int ? column.expression : addend
      let (sum, count): (SQLFragment, SQLFragment) = ("sum(\(addend))", "count(\(counted))")
      switch column.type {
      case .decimal: return "avg(\(addend))"
      // Integers have an exact sum, and are divided as Cairn divides them.
      case .int: return "CAST(\(sum) AS \(double)) / nullif(CAST(\(count) AS \(double)), 0)"
      // PostgreSQL rejects a quotient that is too small, and its average squares large numbers.
      default:
        return
          "CASE WHEN abs(\(sum)) > 1e-300 THEN \(sum) / \(count) WHEN \(count) > 0 THEN 0 END"
      }
    }
  }

  /// Whether the sum of a column does not depend on the order of the rows.
  func isExact(sumOf column: SQLColumn) -> Bool {
    column.type == .int || (column.type == .decimal && dialect == .postgis)
  }

  private var double: SQLFragment {
    switch dialect {
    case .postgis: "float8"
    case .bigquery: "FLOAT64"
    case .duckdb, .sedona, .snowflake, .databricks: "DOUBLE"
    }
  }

  private func number(_ name: String) throws(SQLError) -> SQLColumn {
    let column = try column(named: name)
    guard column.type.isNumber else { throw SQLError("'\(name)' does not have numbers to add") }
    return column
  }

  /// The values that a sum adds: integers in a type whose sum does not overflow, and floating-point
  /// numbers in double precision.
  private func addend(_ column: SQLColumn) throws(SQLError) -> SQLFragment {
    let sample = try sample(column.property)
    switch column.type {
    case .float: return "CAST(\(sample) AS \(double))"
    case .int where dialect == .sedona || dialect == .databricks:
      return "CAST(\(sample) AS DECIMAL(38, 0))"
    case .int where dialect == .bigquery: return "CAST(\(sample) AS NUMERIC)"
    default: return sample
    }
  }

  /// The values of a column in Cairn's order, without NaN.
  private func sample(_ name: String) throws(SQLError) -> SQLFragment {
    let column = try column(named: name)
    guard column.type.isRanked, sortKeys(column, ascending: true) != nil else {
      throw SQLError("\(dialect) cannot compare the values of '\(name)' as Cairn does")
    }
    guard column.type.hasNaN, isNumber(column) != .true else {
      return ordered(column)
    }
    return "CASE WHEN \(isNumber(column)) THEN \(column.expression) END"
  }
}

extension SQLColumnType {
  /// Whether the values are numbers, which have a sum.
  var isNumber: Bool { [.int, .float, .double, .decimal].contains(self) }

  /// Whether the values have a minimum and a maximum.
  var isRanked: Bool {
    if case .date = self { return true }
    return isNumber || self == .text
  }
}
