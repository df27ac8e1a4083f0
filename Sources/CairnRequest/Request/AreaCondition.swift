import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// A condition on where a row is, on its location or geometry.
package enum AreaCondition: Sendable {
  /// The location lies in the circle; a geometry reaches into it.
  case circle(GeoCircle)
  /// The location lies in one of the boxes; a geometry reaches into one.
  case boxes([GeoBox])
  /// The location or geometry is related to the shape.
  case relation(SpatialRelation, Shape)
  /// There is a location or geometry, and it is not inside the shape.
  case outside(Shape)
  /// The location or geometry is at most that far from the shape.
  case distance(Shape, Distance)

  /// The condition on a column.
  package func predicate(on column: ColumnSchema) -> PredicateNode {
    let path = PropertyPath(column.name)
    switch self {
    case .circle(let circle):
      guard column.isGeometry else { return .relation(path, .within, .shape(.circle(circle))) }
      let (center, radius) = (circle.center, circle.radius)
      let point = Position(latitude: center.latitude, longitude: center.longitude)
      return .distance(path, .lessOrEqual, .shape(.point(point)), radius)
    case .boxes(let boxes): return .boxes(boxes, on: path, isGeometry: column.isGeometry)
    case .relation(let relation, let shape): return .relation(path, relation, .shape(shape))
    case .outside(let shape):
      return .and([
        .compare(.path(path), .notEqual, .value(.null), []),
        .not(.relation(path, .within, .shape(shape))),
      ])
    case .distance(let shape, let radius):
      return .distance(path, .lessOrEqual, .shape(shape), radius)
    }
  }
}
