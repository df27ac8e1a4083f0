import CairnQuery
import CairnSQL
import CairnStorage

/// Loading rows of a table into classes.
extension PostgresSource {
  /// Prepares the load of the rows of a fetch, and perhaps of others.
  package func pull(_ fetch: Fetch) -> PostgresPull {
    pull(fetch.columns, by: fetch.select.fragment)
  }

  /// Prepares the load of columns of all rows.
  package func pull(_ columns: [PostgresColumn]) throws -> PostgresPull {
    pull(columns, by: try compiler.select(columns: columns.map(\.name)).fragment)
  }

  /// Prepares the load of columns of the rows that meet a condition.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - schema: The class that the condition is bound to, with the columns of the table.
  ///   - names: The columns that the condition reads, and perhaps others.
  /// - Throws: ``PostgresError`` if neither the server nor the columns of a row decide the condition;
  ///   `SQLError`.
  package func pull(
    _ columns: [PostgresColumn], where condition: BoundPredicate, of schema: TableSchema,
    reading names: Set<String>
  ) throws -> PostgresPull {
    let compiled = try self.condition(condition)
    var filter: RowFilter?
    if !compiled.isExact {
      guard let test = condition.rowsTest else {
        throw PostgresError(
          .usage, message: "a condition on the elements of arrays is not decided while rows arrive")
      }
      let loaded = Set(columns.map(\.name))
      filter = RowFilter(
        test: test, schema: schema,
        columns: table.columns.filter { names.contains($0.name) && !loaded.contains($0.name) })
    }
    let list = columns + (filter?.columns ?? [])
    var pull = pull(
      columns, by: try compiler.select(compiled, columns: list.map(\.name)).fragment)
    pull.filter = filter
    return pull
  }

  private func pull(_ columns: [PostgresColumn], by fragment: SQLFragment) -> PostgresPull {
    let statement = fragment.statement(.postgis)
    return PostgresPull(
      columns, of: table.name, from: connection, by: statement.text,
      statement.parameters.map { PostgresParameter($0) })
  }
}
