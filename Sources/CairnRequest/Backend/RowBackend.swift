import CairnQuery

/// Where the rows of a class come from: a store, or a database whose rows are fetched as they are needed.
///
/// Queries run on the table of an ``OpenedClass``. A backend puts the rows there that a query needs, and
/// answers what it can answer without them.
package protocol RowBackend {
  /// Whether the table has all rows from the beginning, so that a query can compute columns of them.
  var holdsAllRows: Bool { get }

  /// Whether there is a class of that name, as far as that is known without asking a database.
  func mayHave(_ className: String, beside opened: OpenedClass) -> Bool

  /// Opens another class, with at least the rows that meet a condition.
  func open(
    _ className: String, beside opened: OpenedClass, holding predicate: Predicate
  ) throws -> OpenedClass

  /// The class with at least the rows and columns of a fetch.
  func rows(_ fetch: RowFetch, of opened: OpenedClass) throws -> OpenedClass

  /// Counts the rows that meet the condition of a fetch.
  func count(_ fetch: RowFetch, of opened: OpenedClass) throws -> Int

  /// The groups of rows with equal values, and the usual figures of columns in each; nil if the rows have
  /// to be read for that. The groups have a number of rows only if no column is summarised, otherwise 0.
  func groups(
    by keys: [String], summarising columns: [String], where condition: BoundPredicate
  ) throws -> [Group]?

  /// How a database finds the rows of a fetch; nil for a store, whose query has a plan of its own.
  func plan(_ fetch: RowFetch) throws -> String?
}

/// The rows and columns of a class that a query reads.
package struct RowFetch {
  /// The condition of the rows.
  package let condition: BoundPredicate
  /// The columns; nil for all.
  package let columns: Set<String>?
  /// The order that the limit refers to.
  package let sort: [SortKey]
  /// The most rows; nil for all.
  package let limit: Int?

  /// Describes rows and columns.
  package init(
    _ condition: BoundPredicate, columns: Set<String>? = nil, sort: [SortKey] = [],
    limit: Int? = nil
  ) {
    self.condition = condition
    self.columns = columns
    self.sort = sort
    self.limit = limit
  }
}
