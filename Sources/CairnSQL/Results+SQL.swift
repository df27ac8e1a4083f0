import CairnObjects
import CairnQuery
import CairnStorage

extension Results where Element: ObjectBase {
  /// The query of the results as SQL: its condition, sort and limit.
  ///
  ///     let towns = realm.objects(City.self).where { $0.population > 10_000 }
  ///     let query = try towns.sql(.postgis)
  ///     let statement = query.fragment.statement(.postgis)
  ///     // statement.text and statement.parameters go to a client of the engine
  ///
  /// If the result is not exact, the statement returns a superset of the rows, which
  /// ``SQLSelect/undecided`` explains.
  ///
  /// - Parameter table: The table with the rows; nil for one that has the name and the properties of
  ///   the class, times with a time zone, and geometries in WGS 84.
  /// - Throws: ``SQLError`` for objects of a list or of an inverse property, and for a condition on
  ///   properties that the table does not have; `PredicateError` for a mistake in the condition.
  public func sql(_ dialect: SQLDialect, table: SQLTable? = nil) throws -> SQLSelect {
    let rows = try storedRows()
    guard let query = wholeClassQuery else {
      throw SQLError("the objects of a collection are not a table; query their class")
    }
    let compiler = SQLCompiler(table ?? SQLTable(rows.table.schema), dialect: dialect)
    let condition = try compiler.condition(
      try query.predicate.bound(to: rows.table.schema, in: rows.classes))
    return try compiler.select(query, condition: condition)
  }
}

extension Predicate {
  /// The condition as SQL, for the `WHERE` of a statement.
  ///
  /// - Parameter table: The table, with its columns.
  /// - Throws: `PredicateError` if the predicate does not fit the columns, ``SQLError`` if it needs a
  ///   property that the table does not have.
  public func sql(_ dialect: SQLDialect, table: SQLTable) throws -> SQLCondition {
    try SQLCompiler(table, dialect: dialect).condition(self)
  }
}
