import CairnQuery
import CairnStorage

/// A class that is opened for reading: its rows in one state, and where they come from.
package struct OpenedClass {
  /// The store that has the rows.
  package let store: Store
  /// The state of the store.
  package let snapshot: Snapshot
  /// The rows, perhaps with columns that a query computes.
  package let table: Table
  /// The source of the rows.
  package let backend: any RowBackend

  /// The class.
  package var schema: TableSchema { table.schema }

  /// Opens a class in the present state of a store.
  ///
  /// - Throws: ``UnknownClass`` if the store has no such class.
  package init(
    _ store: Store, className: String, backend: any RowBackend = StoreBackend()
  ) throws {
    let snapshot = try store.snapshot()
    guard let table = snapshot.table(className) else {
      throw UnknownClass(name: className, schema: snapshot.schema, path: store.path)
    }
    self.init(store: store, snapshot: snapshot, table: table, backend: backend)
  }

  /// A class in a state of a store.
  package init(
    store: Store, snapshot: Snapshot, table: Table, backend: any RowBackend = StoreBackend()
  ) {
    self.store = store
    self.snapshot = snapshot
    self.table = table
    self.backend = backend
  }

  /// The class with another view of its rows, such as one with computed columns.
  package func with(_ table: Table) -> OpenedClass {
    OpenedClass(store: store, snapshot: snapshot, table: table, backend: backend)
  }

  /// Another class in the same state.
  ///
  /// - Throws: ``UnknownClass`` if the store has no such class.
  package func other(_ className: String) throws(UnknownClass) -> OpenedClass {
    guard let table = snapshot.table(className) else {
      throw UnknownClass(name: className, schema: snapshot.schema, path: store.path)
    }
    return with(table)
  }

  /// Opens another class of the same source.
  ///
  /// - Parameter predicate: The condition of the rows that are needed.
  package func sibling(
    _ className: String, holding predicate: Predicate = .true
  ) throws -> OpenedClass {
    try backend.open(className, beside: self, holding: predicate)
  }

  /// The class with the rows of a fetch, and perhaps others.
  package func holding(_ fetch: RowFetch) throws -> OpenedClass {
    try backend.rows(fetch, of: self)
  }

  /// Counts the rows that meet a condition.
  ///
  /// - Parameter fetch: The condition, and the columns that it reads.
  package func count(_ fetch: RowFetch) throws -> Int { try backend.count(fetch, of: self) }
}

/// A store has no class of that name.
package struct UnknownClass: Error {
  /// The name.
  package let name: String
  /// The classes of the store.
  package let schema: StoreSchema
  /// The path of the store.
  package let path: String

  /// Makes the error.
  package init(name: String, schema: StoreSchema, path: String) {
    self.name = name
    self.schema = schema
    self.path = path
  }
}
