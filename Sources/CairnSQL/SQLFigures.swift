import CairnQuery

/// Figures of columns over groups of rows, as SQL.
///
///     let query = try Predicate("population > 1000")
///       .figures(.postgis, table: cities, of: ["population"], by: ["country"])
///     // SELECT "country", count(…) AS "count", … FROM "cities" … GROUP BY "country" ORDER BY …
public struct SQLFigures: Hashable, Sendable {
  /// The statement, which returns one row for each group, in the order of its values.
  public let fragment: SQLFragment
  /// The names of the columns of its result.
  public let columns: [String]
  /// The figures whose last digits may differ from Cairn's, as messages.
  public let remarks: [String]
}

extension SQLCompiler {
  /// Compiles the usual figures of columns over the rows that meet a condition, one row for each
  /// group: the number of values, their sum, minimum, maximum and mean, as far as the type of the
  /// column has them. Nulls and NaN do not take part, except that NaN counts as a value.
  ///
  /// The columns of the result are the groups, then `count`, `sum`, `min`, `max` and `avg`. With
  /// several summarised columns, the figures have their names in front, as in `size.sum`. A group with
  /// the name of a figure becomes `by.count`.
  ///
  /// - Parameters:
  ///   - names: The properties to summarise; none to count the rows.
  ///   - grouping: The properties whose equal values make a group; none for all rows together.
  ///   - condition: A condition that the engine decides exactly. Figures of a superset would be wrong.
  /// - Throws: ``SQLError`` if the condition is not exact, a property does not exist, or the engine
  ///   cannot group by it as Cairn does.
  public func figures(
    of names: [String] = [], by grouping: [String] = [], condition: SQLCondition = .everyRow
  ) throws(SQLError) -> SQLFigures {
    var figures: [(title: String, aggregate: SQLAggregate)] = []
    var remarks: [String] = []
    for name in names {
      let prefix = names.count == 1 ? "" : "\(name)."
      figures += try self.figures(of: name).map { (prefix + $0.title, $0.aggregate) }
      let type = try column(named: name).type
      if type.isNumber, type != .int {
        remarks.append("the last digits of the sum and the mean of '\(name)' may differ")
      }
    }
    if names.isEmpty { figures = [("count", .count)] }
    let titles = figures.map(\.title)
    let columns = grouping.map { titles.contains($0) ? "by.\($0)" : $0 } + titles
    let fragment = try aggregate(
      figures.map(\.aggregate), condition: condition, grouping: grouping, allowsRounding: true,
      titles: columns)
    return SQLFigures(
      fragment: fragment, columns: columns.map(dialect.title), remarks: remarks)
  }

  /// The figures that the type of a column has.
  private func figures(
    of name: String
  ) throws(SQLError) -> [(title: String, aggregate: SQLAggregate)] {
    let column = try column(named: name)
    let isSummed = column.type.isNumber
    let isRanked = column.type.isRanked && sortKeys(column, ascending: true) != nil
    return [("count", .values(of: name))] + (isSummed ? [("sum", .sum(of: name))] : [])
      + (isRanked ? [("min", .minimum(of: name)), ("max", .maximum(of: name))] : [])
      + (isSummed ? [("avg", .mean(of: name))] : [])
  }
}

extension Predicate {
  /// The usual figures of columns over the rows that meet the condition, as SQL.
  ///
  /// - Parameters:
  ///   - table: The table, with its columns.
  ///   - names: The properties to summarise; none to count the rows.
  ///   - grouping: The properties whose equal values make a group; none for all rows together.
  /// - Throws: `PredicateError` if the predicate does not fit the columns; ``SQLError`` if the engine
  ///   does not decide it exactly, or cannot group by a property as Cairn does.
  public func figures(
    _ dialect: SQLDialect, table: SQLTable, of names: [String] = [], by grouping: [String] = []
  ) throws -> SQLFigures {
    let compiler = SQLCompiler(table, dialect: dialect)
    return try compiler.figures(of: names, by: grouping, condition: compiler.condition(self))
  }
}
