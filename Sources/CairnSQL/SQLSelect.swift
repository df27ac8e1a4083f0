import CairnGeometry
import CairnQuery
import CairnValues

/// A query of rows as SQL, with the steps that the engine cannot take.
///
/// A limit is sent only if the engine selects and sorts exactly as Cairn does. Otherwise the
/// statement returns a superset of the rows, and the caller runs the same query on them.
public struct SQLSelect: Hashable, Sendable {
  /// The statement.
  public let fragment: SQLFragment
  /// The condition of the statement, between its bounds.
  public let condition: SQLCondition
  /// The steps and conditions that the caller takes or decides again, as messages.
  public let undecided: [String]
  /// Whether the statement returns the rows of the query, and no others.
  public let isExact: Bool
  /// Whether the rows are in the order of the query.
  public let isSorted: Bool
}

extension SQLCompiler {
  /// Compiles a query of rows: its condition, sort, offset and limit.
  ///
  /// Rows that are equal in the sort are in the order of the table's key; without a key, and
  /// without a sort, the order of a table is undefined.
  ///
  /// - Parameters:
  ///   - condition: The compiled condition of the query.
  ///   - columns: The properties that the statement returns, in order; nil for all columns.
  ///   - sort: The sort keys, most significant first.
  ///   - offset: The number of rows to skip.
  ///   - limit: The greatest number of rows; nil for all.
  /// - Throws: ``SQLError`` if the table does not have a property.
  package func select(
    _ condition: SQLCondition = .everyRow, columns: [String]? = nil, sort: [SortKey] = [],
    offset: Int = 0, limit: Int? = nil
  ) throws(SQLError) -> SQLSelect {
    let list = try self.columns(columns)
    if style == .exact, let limit, let nearest = try nearest(sort) {
      let (count, overflow) = limit.addingReportingOverflow(offset)
      return self.nearest(
        nearest, condition: condition, columns: list, count: overflow ? .max : count)
    }
    let order = try self.order(sort)
    let isLimited = offset > 0 || limit != nil
    let isExact = condition.isExact && (order.undecided == nil || !isLimited)
    var undecided = condition.undecided + (order.undecided.map { [$0] } ?? [])
    if isLimited, !isExact { undecided.append("the limit applies to the rows that are left here") }
    var rows: SQLFragment = "\(table.qualifiedName)\(filter(condition.possible))"
    if let distance = order.distance, isExact {
      rows = "(SELECT *, \(distance) AS \(Self.distance) FROM \(rows)) AS \(name: table.name)"
    }
    var fragment: SQLFragment = "SELECT \(list) FROM \(rows)"
    if order.undecided == nil, !order.keys.isEmpty, isExact {
      fragment.append(" ORDER BY \(SQLFragment.joined(order.keys, separator: ", "))")
    }
    if isExact { fragment.append(page(offset: offset, limit: limit)) }
    return SQLSelect(
      fragment: fragment, condition: condition.differing(order.differences),
      undecided: undecided, isExact: isExact,
      isSorted: isExact && order.undecided == nil)
  }

  /// Compiles the query of results. The steps that the engine cannot take are left to the caller.
  ///
  /// - Throws: ``SQLError`` if the table does not have a property.
  package func select(
    _ query: TableQuery, condition: SQLCondition, columns: [String]? = nil
  ) throws(SQLError) -> SQLSelect {
    let isPlain =
      query.distinct.isEmpty && query.steps.count <= 2
      && TableQuery(
        table: query.table, sort: query.sort, offset: query.offset, limit: query.limit
      ).steps == query.steps
    if isPlain {
      return try select(
        condition, columns: columns, sort: query.sort, offset: query.offset, limit: query.limit)
    }
    let rows = try select(condition, columns: columns)
    return SQLSelect(
      fragment: rows.fragment, condition: condition,
      undecided: rows.undecided + ["distinct rows, and steps behind a limit, are taken here"],
      isExact: false, isSorted: false)
  }

  /// The end of a statement that skips rows and limits them. BigQuery and Snowflake skip rows only with
  /// a limit.
  private func page(offset: Int, limit: Int?) -> SQLFragment {
    var page: SQLFragment = ""
    if let limit {
      page.append(" LIMIT \(number: limit)")
    } else if offset > 0, dialect.hasOnlyGeographies {
      page.append(dialect == .snowflake ? " LIMIT NULL" : " LIMIT \(number: .max)")
    }
    if offset > 0 { page.append(" OFFSET \(number: offset)") }
    return page
  }

  /// Compiles the number of rows that meet a condition.
  public func count(_ condition: SQLFragment) -> SQLFragment {
    "SELECT count(*) FROM \(table.qualifiedName)\(filter(condition))"
  }

  /// The condition of a statement, unless every row meets it.
  func filter(_ condition: SQLFragment) -> SQLFragment {
    condition == .true ? "" : " WHERE \(condition)"
  }

  /// The columns of a statement by the names of their properties.
  func columns(_ names: [String]?) throws(SQLError) -> SQLFragment {
    var columns: [SQLFragment] = []
    for name in names ?? table.columns.map(\.property) {
      columns += selected(try column(named: name))
    }
    return columns.isEmpty ? "NULL" : .joined(columns, separator: ", ")
  }

  private func selected(_ column: SQLColumn) -> [SQLFragment] {
    if case .location(.coordinates(let longitude, let latitude)) = column.type {
      return [longitude, latitude]
    }
    let isPlain = column.expression == "\(name: column.property)"
    return [isPlain ? column.expression : "\(column.expression) AS \(name: column.property)"]
  }

  func column(named name: String) throws(SQLError) -> SQLColumn {
    guard let column = table.column(named: name) else {
      throw SQLError("table '\(table.name)' has no column for property '\(name)'")
    }
    return column
  }
}

// MARK: Order

extension SQLCompiler {
  /// The column of a distance. The name is unlikely to be that of another one.
  private static let distance: SQLFragment = "cairn_distance"

  /// The keys of an order, with the differences from Cairn's.
  private struct Order {
    var keys: [SQLFragment] = []
    /// A distance that is a column of the rows, because SedonaDB sorts a filtered table by no such
    /// expression.
    var distance: SQLFragment?
    /// The reason why the engine cannot sort as Cairn does.
    var undecided: String?
    var differences: [String] = []
  }

  private func order(_ sort: [SortKey]) throws(SQLError) -> Order {
    var order = Order()
    for key in sort {
      switch key {
      case .distance(let path, _, _, _):
        _ = try column(path)
        guard let nearest = try distanceOrder(key) else {
          return Order(undecided: "distances are sorted here")
        }
        if dialect == .sedona { order.distance = nearest.key }
        order.keys.append(
          "\(order.distance == nil ? nearest.key : Self.distance) ASC NULLS LAST")
        order.differences.append(nearest.difference)
      case .relevance(let paths, _, _):
        for path in paths { _ = try column(path) }
        return Order(undecided: "relevance is sorted here")
      case .property(let path, let ascending):
        guard let column = try column(path), let sorted = sortKeys(column, ascending: ascending)
        else { return Order(undecided: "'\(path)' is sorted here") }
        order.keys += sorted
      }
    }
    guard !order.keys.isEmpty else { return order }
    for name in table.key where !sort.contains(where: { $0.name == name }) {
      order.keys += sortKeys(try column(named: name), ascending: true) ?? []
    }
    return order
  }

  /// The keys of a column: nulls come before NaN, and NaN before numbers. Nil for types without an
  /// order.
  func sortKeys(_ column: SQLColumn, ascending: Bool) -> [SQLFragment]? {
    switch column.type {
    case .location, .geometry, .other: return nil
    // SedonaDB tells minus zero from zero.
    case .float, .double: if dialect == .sedona { return nil }
    default: break
    }
    let direction: SQLFragment = ascending ? " ASC NULLS FIRST" : " DESC NULLS LAST"
    let key: SQLFragment = "\(ordered(column))\(direction)"
    return column.type.hasNaN && isNumber(column) != .true
      ? ["\(isNumber(column))\(direction)", key] : [key]
  }
}

extension SortKey {
  /// The property that the key compares, if it is one of the object itself.
  fileprivate var name: String? {
    if case .property(let path, _) = self { path.name } else { nil }
  }
}
