import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// The rows of a class that somebody asks for, on a command line or by a URL: conditions that hold
/// together.
///
/// The shell, the server, statements of SQL and databases all take the conditions from here, so a new
/// kind of condition is written once.
package struct RowRequest: Sendable {
  /// The conditions that were written in a filter language.
  package var conditions: [Predicate] = []
  /// The words that one of the texts with a full-text index must have; nil for none.
  package var search: String?
  /// The areas.
  package var areas: [AreaCondition] = []
  /// The location or geometry that areas and distances refer to; nil for the first of the class.
  package var location: String?
  /// The time in which the first date of the class must lie; nil for any.
  package var dates: DateInterval?
  /// Whether rows without a location fulfil the areas.
  package var keepsRowsWithoutLocation = false
  /// Whether rows without a date fulfil the interval.
  package var keepsRowsWithoutDate = false

  /// A request for all rows.
  package init() {}

  /// The conditions on a class as one.
  ///
  /// - Throws: ``RequestError`` if the class lacks the location, the index or the date.
  package func predicate(of schema: TableSchema) throws(RequestError) -> Predicate {
    var parts = conditions.map(\.root)
    if let search { parts.append(try Self.search(search, of: schema)) }
    if !areas.isEmpty {
      let column = try spatialColumn(of: schema)
      for area in areas {
        parts.append(
          area.predicate(on: column).orNull(column, keepsRowsWithoutLocation))
      }
    }
    if let dates {
      guard let column = schema.dateColumn else { throw .noDate }
      if let part = dates.predicate(on: column.name) {
        parts.append(part.orNull(column, keepsRowsWithoutDate))
      }
    }
    return .all(parts.map { Predicate($0) })
  }

  /// The location or geometry that areas and distances refer to.
  package func spatialColumn(of schema: TableSchema) throws(RequestError) -> ColumnSchema {
    do { return try schema.spatialColumn(named: location) } catch { throw .location(error) }
  }

  private static func search(
    _ words: String, of schema: TableSchema
  ) throws(RequestError) -> PredicateNode {
    let paths = schema.searchedPaths
    guard !paths.isEmpty else { throw .noFullText }
    return .any(paths.map { .match(.path($0), .search, .value(.string(words)), []) })
  }
}

/// A class lacks what a request refers to.
package enum RequestError: Error {
  /// The location or geometry.
  case location(SpatialColumnError)
  /// A text with a full-text index.
  case noFullText
  /// A date.
  case noDate
}

extension TableSchema {
  /// The date that an interval applies to: the first of the class; nil if it has none.
  package var dateColumn: ColumnSchema? {
    properties.first { $0.type == .date && $0.collection == .none }
  }

  /// The texts that a search looks at: those with a full-text index.
  package var searchedPaths: [PropertyPath] {
    properties.filter(\.isFullText).map { PropertyPath($0.name) }
  }
}

extension PredicateNode {
  /// The condition, or that a column has no value.
  ///
  /// - Parameter takesNull: Whether the rows without a value fulfil the result.
  fileprivate func orNull(_ column: ColumnSchema, _ takesNull: Bool) -> PredicateNode {
    guard takesNull, column.isOptional else { return self }
    return .or([self, .compare(.property(column.name), .equal, .value(.null), [])])
  }
}
