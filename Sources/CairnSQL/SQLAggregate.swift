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
  /// The sum of integers or decimal numbers; null without values. Sums of floating-point numbers
  /// depend on the order of the rows, so they are not sent.
  case sum(of: String)
}

extension SQLCompiler {
  /// Compiles figures over the rows that meet a condition, one row for each group.
  ///
  /// - Parameters:
  ///   - condition: A condition that the engine decides exactly.
  ///   - grouping: The properties whose equal values make a group, which come first in each row.
  /// - Throws: ``SQLError`` if the condition is not exact, or the engine cannot compute a figure as
  ///   Cairn does.
  public func aggregate(
    _ aggregates: [SQLAggregate], condition: SQLCondition, grouping: [String] = []
  ) throws(SQLError) -> SQLFragment {
    guard condition.isExact else {
      throw SQLError(
        "figures cannot be computed by \(dialect), because it does not decide the condition: "
          + condition.undecided.joined(separator: "; "))
    }
    var keys: [SQLFragment] = []
    for name in grouping {
      let column = try column(named: name)
      guard sortKeys(column, ascending: true) != nil, column.type != .date(.seconds) else {
        throw SQLError("\(dialect) cannot group by '\(name)' as Cairn does")
      }
      keys.append(column.expression)
    }
    var figures: [SQLFragment] = []
    for aggregate in aggregates { figures.append(try figure(aggregate)) }
    let list = SQLFragment.joined(keys + figures, separator: ", ")
    var fragment: SQLFragment =
      "SELECT \(list) FROM \(table.qualifiedName)\(filter(condition.possible))"
    if !keys.isEmpty { fragment.append(" GROUP BY \(SQLFragment.joined(keys, separator: ", "))") }
    return fragment
  }

  private func figure(_ aggregate: SQLAggregate) throws(SQLError) -> SQLFragment {
    switch aggregate {
    case .count: return "count(*)"
    case .values(let name):
      let column = try column(named: name)
      return "count(CASE WHEN \(isNull(column)) THEN NULL ELSE 1 END)"
    case .minimum(let name): return "min(\(try sample(name)))"
    case .maximum(let name): return "max(\(try sample(name)))"
    case .sum(let name):
      let column = try column(named: name)
      guard column.type == .int || (column.type == .decimal && dialect == .postgis) else {
        throw SQLError(
          "the sum of '\(name)' depends on the order of the rows, so it is not computed by "
            + "\(dialect)")
      }
      // A sum of integers may need more than 64 bits.
      return dialect == .sedona
        ? "sum(CAST(\(column.expression) AS DECIMAL(38, 0)))"
        : "sum(\(try sample(name)))"
    }
  }

  /// The values of a column in Cairn's order, without NaN.
  private func sample(_ name: String) throws(SQLError) -> SQLFragment {
    let column = try column(named: name)
    guard sortKeys(column, ascending: true) != nil else {
      throw SQLError("\(dialect) cannot compare the values of '\(name)' as Cairn does")
    }
    guard column.type.hasNaN, isNumber(column) != .true else {
      return ordered(column)
    }
    return "CASE WHEN \(isNumber(column)) THEN \(column.expression) END"
  }
}
