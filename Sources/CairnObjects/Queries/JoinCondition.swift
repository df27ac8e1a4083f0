import CairnGeometry
import CairnQuery

/// The condition that the pairs of a join meet. It compares a location or geometry of the left
/// object with one of the right object. Either may lie behind links and embedded objects, each to
/// one object: `.within(\.depot?.location, \.area)`.
///
/// Boundaries belong to shapes: shapes that touch intersect, and a shape is within itself. An object
/// whose location or geometry is null or empty, or lies behind a null link, is in no pair.
public struct JoinCondition<Left: ObjectBase, Right: ObjectBase> {
  let condition: JoinQuery.Condition
  let left: String
  let right: String

  private init<A, B>(
    _ condition: JoinQuery.Condition, _ left: KeyPath<Left, A>, right: KeyPath<Right, B>
  ) {
    self.condition = condition
    self.left = PropertyNames.path(of: left)
    self.right = PropertyNames.path(of: right)
  }

  /// No point of the left geometry lies outside of the right one.
  ///
  ///     cities.joined(to: countries, on: .within(\.location, \.area))
  ///
  /// - Parameters:
  ///   - left: the location or geometry of the left objects.
  ///   - right: the location or geometry of the right objects.
  ///   - edges: what joins the vertices of both.
  public static func within<A: _QueryLocation, B: _QueryLocation>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>, edges: GeoPolygon.Edges = .geodesic
  ) -> JoinCondition {
    JoinCondition(.relation(.within, edges: edges), left, right: right)
  }

  /// The two have a point in common.
  ///
  ///     roads.joined(to: parcels, on: .intersects(\.course, \.area))
  ///
  /// - Parameters:
  ///   - left: the location or geometry of the left objects.
  ///   - right: the location or geometry of the right objects.
  ///   - edges: what joins the vertices of both.
  public static func intersects<A: _QueryLocation, B: _QueryLocation>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>, edges: GeoPolygon.Edges = .geodesic
  ) -> JoinCondition {
    JoinCondition(.relation(.intersects, edges: edges), left, right: right)
  }

  /// No point of the right geometry lies outside of the left one.
  ///
  ///     countries.joined(to: cities, on: .contains(\.area, \.location))
  ///
  /// - Parameters:
  ///   - left: the location or geometry of the left objects.
  ///   - right: the location or geometry of the right objects.
  ///   - edges: what joins the vertices of both.
  public static func contains<A: _QueryLocation, B: _QueryLocation>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>, edges: GeoPolygon.Edges = .geodesic
  ) -> JoinCondition {
    JoinCondition(.relation(.contains, edges: edges), left, right: right)
  }

  /// The two have a point in common, but their interiors have none.
  ///
  ///     parcels.joined(to: roads, on: .touches(\.area, \.course))
  ///
  /// Edges are straight in longitude and latitude.
  public static func touches<A: _QueryLocation, B: _QueryLocation>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>
  ) -> JoinCondition {
    JoinCondition(.relation(.touches, edges: .planar), left, right: right)
  }

  /// The interiors of the two meet, and a part of the one of lower dimension lies outside of the
  /// other. Two lines cross in nothing but points.
  ///
  ///     roads.joined(to: regions, on: .crosses(\.course, \.area))
  ///
  /// Edges are straight in longitude and latitude.
  public static func crosses<A: _QueryLocation, B: _QueryLocation>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>
  ) -> JoinCondition {
    JoinCondition(.relation(.crosses, edges: .planar), left, right: right)
  }

  /// The two have the same dimension and a part of this dimension in common, and neither lies in the
  /// other.
  ///
  ///     parcels.pairs(on: .overlaps(\.area, \.area))
  ///
  /// Edges are straight in longitude and latitude.
  public static func overlaps<A: _QueryLocation, B: _QueryLocation>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>
  ) -> JoinCondition {
    JoinCondition(.relation(.overlaps, edges: .planar), left, right: right)
  }

  /// The two are the same set of points, whatever the order and number of their vertices.
  ///
  ///     stops.joined(to: stations, on: .equals(\.location, \.location))
  ///
  /// Edges are straight in longitude and latitude.
  public static func equals<A: _QueryLocation, B: _QueryLocation>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>
  ) -> JoinCondition {
    JoinCondition(.relation(.equals, edges: .planar), left, right: right)
  }

  /// The distance between the two is at most a limit. The pairs have their distances.
  ///
  ///     trips.joined(to: stations, on: .distance(\.pickup, \.location, .meters(500)))
  ///
  /// - Parameters:
  ///   - left: the location or geometry of the left objects.
  ///   - right: the location or geometry of the right objects.
  ///   - limit: the greatest distance; nil, as `Distance.meters(-1)` returns, is a programming error.
  ///   - edges: what joins the vertices of both. With planar edges, distances are lengths in
  ///     longitude and latitude, as on a flat map, where 180 and -180 are far apart: the limit is
  ///     then one of `Distance.degrees(_:)`.
  public static func distance<A: _QueryLocation, B: _QueryLocation>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>, _ limit: Distance?,
    edges: GeoPolygon.Edges = .geodesic
  ) -> JoinCondition {
    guard let limit else { programmingError("A distance must not be negative, nor NaN.") }
    return JoinCondition(.distance(limit, edges: edges), left, right: right)
  }

  /// The right object is among the nearest of the left object. The pairs have their distances; of
  /// right objects that are equally far away, those come first that were added first.
  ///
  ///     trips.joined(to: stations, on: .nearest(3, \.pickup, \.location))
  ///
  /// - Parameters:
  ///   - count: the number of right objects for each left object, at least 1.
  ///   - left: the location or geometry of the left objects.
  ///   - right: the location or geometry of the right objects.
  ///   - edges: what joins the vertices of both. With planar edges, distances are lengths in
  ///     longitude and latitude, which `Distance.asDegrees()` returns.
  public static func nearest<A: _QueryLocation, B: _QueryLocation>(
    _ count: Int, _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>,
    edges: GeoPolygon.Edges = .geodesic
  ) -> JoinCondition {
    guard count > 0 else { programmingError("A join with the nearest needs at least 1 of them.") }
    return JoinCondition(.nearest(count, edges: edges), left, right: right)
  }
}
