import CairnQuery
import CairnStorage

/// The rows of a store, which are all at hand.
package struct StoreBackend: RowBackend {
  /// Makes the backend.
  package init() {}

  package var holdsAllRows: Bool { true }

  package func mayHave(_ className: String, beside opened: OpenedClass) -> Bool {
    opened.snapshot.schema.table(named: className) != nil
  }

  package func open(
    _ className: String, beside opened: OpenedClass, holding predicate: Predicate
  ) throws -> OpenedClass {
    try opened.other(className)
  }

  package func rows(_ fetch: RowFetch, of opened: OpenedClass) -> OpenedClass { opened }

  package func count(_ fetch: RowFetch, of opened: OpenedClass) throws -> Int {
    try Execution(
      TableQuery(table: opened.schema.name), condition: fetch.condition, on: opened.table
    ).count()
  }

  package func groups(
    by keys: [String], summarising columns: [String], where condition: BoundPredicate
  ) -> [Group]? { nil }

  package func plan(_ fetch: RowFetch) -> String? { nil }
}
