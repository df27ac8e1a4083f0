import CairnGeometry
import CairnQuery

/// Conditions on locations and geometries: `GeoPoint`, `Geometry`, `GeoPolygon` and `GeoLineString`
/// properties, and embedded objects with `type` and `coordinates`.
///
/// Boundaries belong to shapes: shapes that touch intersect, and a shape is within itself. Null and
/// the empty geometry meet no condition. A collection meets one if any of its elements does.
extension Query where T: _QuerySpatial {
  /// Tests whether no point of the property lies outside of a shape.
  ///
  ///     cities.where { $0.location.geoWithin(circle) }
  ///
  /// - Parameter edges: what joins the vertices of both: by default that which a polygon was made
  ///   with, and shortest paths for every other shape. A box and a circle ignore it.
  public func geoWithin(_ shape: some GeoShape, edges: GeoPolygon.Edges? = nil) -> Query<Bool> {
    relates(.within, shape: shape, edges: edges)
  }

  /// Tests whether no point of the property lies outside of another property.
  ///
  ///     visits.where { $0.location.geoWithin($0.country.area) }
  ///
  /// - Parameter edges: what joins the vertices of both.
  public func geoWithin<U: _QuerySpatial>(
    _ other: Query<U>, edges: GeoPolygon.Edges = .geodesic
  ) -> Query<Bool> {
    relates(.within, other: other, edges: edges)
  }

  /// Tests whether the property and a shape have a point in common.
  ///
  ///     roads.where { $0.course.geoIntersects(lake) }
  ///
  /// - Parameter edges: what joins the vertices of both: by default that which a polygon was made
  ///   with, and shortest paths for every other shape. A box and a circle ignore it.
  public func geoIntersects(_ shape: some GeoShape, edges: GeoPolygon.Edges? = nil) -> Query<Bool> {
    relates(.intersects, shape: shape, edges: edges)
  }

  /// Tests whether the property and another one have a point in common.
  ///
  ///     roads.where { $0.course.geoIntersects($0.region.area) }
  ///
  /// - Parameter edges: what joins the vertices of both.
  public func geoIntersects<U: _QuerySpatial>(
    _ other: Query<U>, edges: GeoPolygon.Edges = .geodesic
  ) -> Query<Bool> {
    relates(.intersects, other: other, edges: edges)
  }

  /// Tests whether no point of a shape lies outside of the property.
  ///
  ///     countries.where { $0.area.geoContains(point) }
  ///
  /// - Parameter edges: what joins the vertices of both: by default that which a polygon was made
  ///   with, and shortest paths for every other shape. A box and a circle ignore it.
  public func geoContains(_ shape: some GeoShape, edges: GeoPolygon.Edges? = nil) -> Query<Bool> {
    relates(.contains, shape: shape, edges: edges)
  }

  /// Tests whether no point of another property lies outside of this one.
  ///
  ///     countries.where { $0.area.geoContains($0.capital.location) }
  ///
  /// - Parameter edges: what joins the vertices of both.
  public func geoContains<U: _QuerySpatial>(
    _ other: Query<U>, edges: GeoPolygon.Edges = .geodesic
  ) -> Query<Bool> {
    relates(.contains, other: other, edges: edges)
  }

  /// Tests whether the property and a shape have no point in common.
  ///
  ///     parcels.where { $0.area.geoDisjoint(floodplain) }
  ///
  /// - Parameter edges: what joins the vertices of both: by default that which a polygon was made
  ///   with, and shortest paths for every other shape. A box and a circle ignore it.
  public func geoDisjoint(_ shape: some GeoShape, edges: GeoPolygon.Edges? = nil) -> Query<Bool> {
    relates(.disjoint, shape: shape, edges: edges)
  }

  /// Tests whether the property and another one have no point in common.
  ///
  ///     parcels.where { $0.area.geoDisjoint($0.road.course) }
  ///
  /// - Parameter edges: what joins the vertices of both.
  public func geoDisjoint<U: _QuerySpatial>(
    _ other: Query<U>, edges: GeoPolygon.Edges = .geodesic
  ) -> Query<Bool> {
    relates(.disjoint, other: other, edges: edges)
  }

  /// The distance on the sphere to a shape, 0 where they have a point in common, for a comparison
  /// with a `Distance`. Edges are shortest paths.
  ///
  ///     stations.where { $0.location.geoDistance(to: river) < .kilometers(2) }
  ///
  /// Null and the empty geometry have no distance, and fail every comparison.
  public func geoDistance(to shape: some GeoShape) -> QueryDistance {
    let shape = shape.checkedShape()
    return QueryDistance { comparison, distance in
      self.condition { .distance($0, comparison, .shape(shape), distance) }
    }
  }

  /// The distance on the sphere to another property, 0 where they have a point in common, for a
  /// comparison with a `Distance`. Edges are shortest paths.
  ///
  ///     trips.where { $0.pickup.geoDistance(to: $0.dropoff) > .kilometers(5) }
  ///
  /// Null and the empty geometry have no distance, and fail every comparison.
  public func geoDistance<U: _QuerySpatial>(to other: Query<U>) -> QueryDistance {
    QueryDistance { comparison, distance in
      self.condition(with: other) { path, other, _ in
        .distance(path, comparison, .property(other, edges: .geodesic), distance)
      }
    }
  }
}

extension Query {
  func relates(
    _ relation: SpatialRelation, shape: some GeoShape, edges: GeoPolygon.Edges?
  ) -> Query<Bool> {
    let shape = shape.checkedShape(edges: edges)
    return condition { .relation($0, relation, .shape(shape)) }
  }

  func relates<U>(
    _ relation: SpatialRelation, other: Query<U>, edges: GeoPolygon.Edges
  ) -> Query<Bool> {
    condition(with: other) { path, other, isSwapped in
      .relation(path, isSwapped ? relation.inverse : relation, .property(other, edges: edges))
    }
  }

  /// Creates a condition on the path.
  private func condition(_ node: @escaping (PropertyPath) -> PredicateNode) -> Query<Bool> {
    _ = path
    return comparison { expression in
      guard case .path(let path) = expression else { return .constant(false) }
      return node(path)
    }
  }

  /// Creates a condition on two paths. The predicate tree has a path to several values on its left,
  /// so the paths may be swapped.
  private func condition<U>(
    with other: Query<U>, _ node: @escaping (PropertyPath, PropertyPath, Bool) -> PredicateNode
  ) -> Query<Bool> {
    let isSwapped = other.path.isMany
    _ = path
    return pair(with: other) { first, second in
      guard case .path(let first) = first, case .path(let second) = second else {
        return .constant(false)
      }
      return isSwapped ? node(second, first, true) : node(first, second, false)
    }
  }
}

/// The distance of a property from a shape or from another property, for a comparison:
/// `$0.pickup.geoDistance(to: $0.dropoff) > .kilometers(5)`.
///
/// A distance of nil, as `Distance.kilometers(-1)` returns, is a programming error.
public struct QueryDistance {
  private let condition: (ComparisonOperator, Distance) -> Query<Bool>

  init(_ condition: @escaping (ComparisonOperator, Distance) -> Query<Bool>) {
    self.condition = condition
  }

  private func compared(_ comparison: ComparisonOperator, to distance: Distance?) -> Query<Bool> {
    guard let distance else {
      programmingError("A distance must not be negative, nor NaN.")
    }
    return condition(comparison, distance)
  }

  /// Tests whether the distance is less than another one.
  public static func < (distance: QueryDistance, other: Distance?) -> Query<Bool> {
    distance.compared(.less, to: other)
  }

  /// Tests whether the distance is less than or equal to another one.
  public static func <= (distance: QueryDistance, other: Distance?) -> Query<Bool> {
    distance.compared(.lessOrEqual, to: other)
  }

  /// Tests whether the distance is greater than another one.
  public static func > (distance: QueryDistance, other: Distance?) -> Query<Bool> {
    distance.compared(.greater, to: other)
  }

  /// Tests whether the distance is greater than or equal to another one.
  public static func >= (distance: QueryDistance, other: Distance?) -> Query<Bool> {
    distance.compared(.greaterOrEqual, to: other)
  }
}

extension List: _QuerySpatial where Element: _QueryLocation {}
extension MutableSet: _QuerySpatial where Element: _QueryLocation {}
extension Map: _QuerySpatial where Value: _QueryLocation {}
extension LinkingObjects: _QuerySpatial where Element: _QueryLocation {}
