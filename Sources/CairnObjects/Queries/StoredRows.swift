import CairnQuery
import CairnStorage

/// The rows of a collection of objects in the present snapshot, for code that reads them column by
/// column.
package struct StoredRows {
  /// The class of the rows.
  package let table: Table
  /// All classes of the snapshot.
  package let classes: StoreSchema
  /// The query for the rows.
  package let execution: Execution
  /// The positions of the rows in the results, in rising order; nil for all.
  private let positions: [Int]?

  /// - Parameter positions: The positions of the rows in the results, in rising order; nil for all.
  init(_ results: ResultCache, positions: [Int]? = nil) throws {
    execution = try results.boundExecution()
    table = results.handle.table
    classes = results.handle.session.schema
    self.positions = positions
  }

  /// Calls a function with the keys of the rows, in order, until it returns false.
  package func forEachKey(_ visit: (Int) -> Bool) {
    guard let positions else { return execution.forEachKey(visit) }
    var (position, rest) = (0, positions[...])
    execution.forEachKey { key in
      defer { position += 1 }
      guard let next = rest.first else { return false }
      guard next == position else { return true }
      rest = rest.dropFirst()
      return visit(key)
    }
  }
}

/// A property of a projection, as the path to the property that it shows.
package struct ProjectedPath {
  /// The name in the projection.
  package let name: String
  /// The stored properties from the object to the value.
  package let path: [String]
  /// Whether the path continues in the elements of a collection.
  package let continuesInElements: Bool
}

extension Results where Element: ObjectBase {
  /// The query, if it reads all objects of a class; nil for those of a collection.
  package var wholeClassQuery: TableQuery? { found.source.isAll ? found.query : nil }
}

extension RealmCollection where Element: ObjectBase {
  /// The rows of the objects.
  ///
  /// - Throws: The mistake in a condition or an order.
  package func storedRows() throws -> StoredRows { try StoredRows(stored.found) }
}

extension RealmCollection where Element: ProjectionObservable {
  /// The rows of the projected objects.
  ///
  /// - Throws: The mistake in a condition or an order.
  package func storedRows() throws -> StoredRows {
    guard let results = _results else {
      throw Realm.Error(.fail, description: "The collection is not part of a Realm.")
    }
    return try StoredRows(results.found)
  }

  /// The properties of the projection.
  package var projectedPaths: [ProjectedPath] {
    let layout = (Element.self as? any AnyProjection.Type)?.layout
    return (layout?.properties ?? []).map {
      ProjectedPath(
        name: $0.name, path: $0.path, continuesInElements: $0.path.count < $0.fullPath.count)
    }
  }
}

extension ResultsSection where Element: ObjectBase {
  /// The rows of the objects of the section.
  ///
  /// - Throws: The mistake in a condition or an order.
  package func storedRows() throws -> StoredRows {
    try StoredRows(sections.elements.found, positions: sections.section(of: key)?.indexes ?? [])
  }
}

extension Join {
  /// The two classes of the join, and all classes of the snapshot.
  package var tables: (left: Table, right: Table, classes: StoreSchema) {
    (left.handle.table, right.handle.table, left.handle.session.schema)
  }

  /// The pairs in the present snapshot, as the keys of their rows.
  package func storedPairs() -> [(left: Int, right: Int?, distance: Distance?)] {
    run { join in
      try join.pairs().map { ($0.left, $0.right, Distance.radians($0.radians)) }
    }
  }
}
