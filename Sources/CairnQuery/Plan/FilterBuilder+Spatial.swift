import CairnGeometry
import CairnStorage
import CairnValues

/// Conditions on locations and geometries.
extension FilterBuilder {
  /// The filter of a spatial condition against a shape. With `ALL`, an empty collection does not
  /// match.
  func spatial(
    _ path: BoundPath, test: SpatialTest, node: BoundNode
  ) throws(QueryError) -> Filter {
    let filter = try filter(path, comparison: .spatial(test), node: node)
    guard path.quantifier == .all else { return filter }
    return AllFilter([
      filter, try self.filter(path.with(.any), comparison: .constant(true), node: node),
    ])
  }

  /// The filter of a spatial condition on a property of the table's own rows.
  func spatial(_ column: Column, test: SpatialTest) throws(QueryError) -> Filter {
    do throws(GeometryError) {
      guard let bounds = table.schema.bounds(for: column.schema) else {
        return inverted(try points(column, test: test), of: column, if: test.isInverted)
      }
      let boxes = table.column(bounds.position)
      return inverted(
        GeometryFilter(
          column, bounds: boxes, of: table, matcher: try test.geometries(),
          description: test.words(column.schema.name)), of: boxes, if: test.isInverted)
    } catch {
      throw QueryError(.invalidArgument, message: error.message)
    }
  }

  private func points(_ column: Column, test: SpatialTest) throws(GeometryError) -> Filter {
    let matcher = try test.locations()
    let region = WithinFilter(column, region: matcher.region, table: table)
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
    _ path: BoundPath, other: BoundPath, test: SpatialPairTest, node: BoundNode
  ) throws(QueryError) -> Filter {
    SpatialPairFilter(
      SpatialReader(try LinkPath(path.located, of: table)), isAll: path.quantifier == .all,
      right: SpatialReader(try LinkPath(other.located, of: table)), test: test,
      description: node.description)
  }
}

extension SpatialTest {
  /// A description of the condition on a property, without its negation.
  fileprivate func words(_ property: String) -> String {
    switch condition {
    case .relation(let relation): "\(property) \(relation.name) \(shape)"
    case .near(let radians, let isClosed):
      "distance of \(property) from \(shape) \(isClosed ? "<=" : "<") \(radians * Sphere.radius) m"
    }
  }
}
