/// What to find in one class: a condition, an order, and which part of the ordered rows.
///
/// Applied in this sequence: predicate, sort, distinct, offset, limit. Building one costs nothing;
/// `Execution` binds it to a table, and nothing runs before a result is asked for.
package struct TableQuery: Sendable {
  /// The class.
  package var table: String
  package var predicate: Predicate
  /// Most significant first. Rows that are equal in all of them come by rising key.
  package var sort: [SortKey]
  /// Of rows that are equal in all of these properties only the first in the current order stays.
  package var distinct: [String]
  /// Rows passed over.
  package var offset: Int
  /// Rows at most; nil: all.
  package var limit: Int?

  package init(
    table: String, predicate: Predicate = .true, sort: [SortKey] = [], distinct: [String] = [],
    offset: Int = 0, limit: Int? = nil
  ) {
    self.table = table
    self.predicate = predicate
    self.sort = sort
    self.distinct = distinct
    self.offset = offset
    self.limit = limit
  }
}

/// One key of an order.
package enum SortKey: Hashable, Sendable {
  /// By value: nulls before NaN before numbers, false before true, text by its UTF-8 bytes; the
  /// reverse when not `ascending`.
  case property(String, ascending: Bool)
  /// By great-circle distance of a location from a point in degrees. Rows without a location come
  /// last, whichever the direction.
  case distance(String, longitude: Double, latitude: Double, ascending: Bool)
}
