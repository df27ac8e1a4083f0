/// The locations and geometries of a class, to which areas, distances, maps and tiles apply.
extension TableSchema {
  /// The properties whose rows are locations or geometries, in the order of the class.
  package var spatialColumns: [ColumnSchema] { properties.filter(\.isSpatial) }

  /// Returns the location or geometry of that name; the first one of the class for nil.
  package func spatialColumn(named name: String?) throws(SpatialColumnError) -> ColumnSchema {
    let columns = spatialColumns
    guard let name else {
      guard let first = columns.first else { throw .none }
      return first
    }
    if let column = columns.first(where: { $0.name == name }) { return column }
    throw column(named: name) == nil ? .unknown(name) : .otherType(name)
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
