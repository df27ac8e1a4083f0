import CairnGeometry
import CairnStorage
import CairnValues

/// Conditions on locations and geometries.
extension FilterBuilder {
  /// The filter of a spatial condition against a shape. With `ALL`, an empty collection does not
  /// match.
  func spatial(
    _ path: PropertyPath, test: SpatialTest, node: PredicateNode
  ) throws(QueryError) -> Filter {
    if let column = paths.spatialColumn(path) { return try spatial(column, test: test) }
    let filter = try filter(path, comparison: .spatial(test), node: node)
    guard path.quantifier == .all else { return filter }
    return AllFilter([
      filter, try self.filter(path.with(.any), comparison: .constant(true), node: node),
    ])
  }

  /// The filter of a spatial condition on a property of the table's own rows.
  func spatial(_ column: Column, test: SpatialTest) throws(QueryError) -> Filter {
    do {
      if let bounds = table.schema.bounds(for: column.schema) {
        let bounds = table.column(bounds.position)
        return inverted(
          GeometryFilter(
            column, bounds: bounds, of: table, matcher: try test.geometries(),
            description: test.words(column.schema.name)), of: bounds, if: test.isInverted)
      }
      guard column.schema.isPoint else {
        throw paths.mismatch(column, what: "is neither a location nor a geometry")
      }
      return inverted(try points(column, test: test), of: column, if: test.isInverted)
    } catch let error as GeometryError {
      throw QueryError(.invalidArgument, message: error.message)
    } catch let error as QueryError {
      throw error
    } catch {
      throw unbound
    }
  }

  private func points(_ column: Column, test: SpatialTest) throws(GeometryError) -> Filter {
    let matcher = try test.locations()
    let region = WithinFilter(
      column, region: matcher.region, index: table.spatialIndex(column.schema.position),
      table: table)
    if case .region = matcher { return region }
    return PointFilter(
      column, matcher: matcher, region: region, description: test.words(column.schema.name))
  }

  /// The negation of a filter for rows with a value in a column; the filter itself without a
  /// negation.
  private func inverted(_ filter: Filter, of column: Column, if isInverted: Bool) -> Filter {
    isInverted ? AllFilter([NullFilter(column, isNull: false), NotFilter(filter)]) : filter
  }

  /// The filter of a spatial condition on two properties of each row.
  func spatialPair(
    _ path: PropertyPath, other: PropertyPath, test: SpatialPairTest, node: PredicateNode
  ) throws(QueryError) -> Filter {
    SpatialPairFilter(
      SpatialReader(try paths.linkPath(path, isLocation: true)), isAll: path.quantifier == .all,
      right: SpatialReader(try paths.linkPath(other, isLocation: true)), test: test,
      description: Predicate(node).description)
  }
}

extension SpatialTest {
  /// A description of the condition on a property, without its negation.
  fileprivate func words(_ property: String) -> String {
    switch condition {
    case .within: "\(property) within \(shape)"
    case .intersects: "\(property) intersects \(shape)"
    case .contains: "\(property) contains \(shape)"
    case .near(let radians, let isClosed):
      "distance of \(property) from \(shape) \(isClosed ? "<=" : "<") \(radians * Sphere.radius) m"
    }
  }
}
