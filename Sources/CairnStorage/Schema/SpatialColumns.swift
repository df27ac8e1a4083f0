/// The locations and geometries of a class, to which areas, distances, maps and tiles apply.
extension TableSchema {
  /// The properties whose rows are locations or geometries, in the order of the class.
  package var spatialColumns: [ColumnSchema] { properties.filter(\.isSpatial) }

  /// The first location or geometry; nil if the class has none.
  package var spatialColumn: ColumnSchema? { properties.first(where: \.isSpatial) }

  /// Returns the location or geometry of that name; the first one of the class for nil.
  package func spatialColumn(named name: String?) throws(SpatialColumnError) -> ColumnSchema {
    guard let name else {
      guard let spatialColumn else { throw .none }
      return spatialColumn
    }
    guard let column = column(named: name) else { throw .unknown(name) }
    guard column.isSpatial else { throw .otherType(name) }
    return column
  }
}

extension ColumnSchema {
  /// Whether each row is a location or a geometry.
  package var isSpatial: Bool { isPoint || isGeometry }
}

/// A class has no such location or geometry.
package enum SpatialColumnError: Error {
  /// The class has neither locations nor geometries.
  case none
  /// The property of that name is something else.
  case otherType(String)
  /// The class has no property of that name.
  case unknown(String)
}
