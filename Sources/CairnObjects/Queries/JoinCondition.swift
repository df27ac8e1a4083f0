import CairnGeometry
import CairnQuery

/// The condition that the pairs of a join meet. It compares a location or geometry of the left
/// object with one of the right object, or any other values: `.equalValues(\.code, \.code)`. Either may
/// lie behind links and embedded objects, each to one object: `.within(\.depot?.location, \.area)`.
///
/// Boundaries belong to shapes: shapes that touch intersect, and a shape is within itself. An object
/// whose location or geometry is null or empty, or lies behind a null link, is in no pair.
public struct JoinCondition<Left: ObjectBase, Right: ObjectBase> {
  /// The condition on the locations or geometries; nil for equal values.
  private let places: JoinQuery.Condition?
  /// The properties that are compared: one of each side, or several with equal values.
  let properties: [JoinQuery.Equality]

  var condition: JoinQuery.Condition { places ?? .equal(properties) }

  private init<A, B>(
    _ places: JoinQuery.Condition?, _ left: KeyPath<Left, A>, right: KeyPath<Right, B>
  ) {
    self.init(places, [Self.pair(left, right)])
  }

  private init(_ places: JoinQuery.Condition?, _ properties: [JoinQuery.Equality]) {
    self.places = places
    self.properties = properties
  }

  private static func pair<A, B>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>
  ) -> JoinQuery.Equality {
    JoinQuery.Equality(
      PropertyKeyPath(PropertyNames.path(of: left)).path,
      PropertyKeyPath(PropertyNames.path(of: right)).path)
  }

  /// The input of a join for the rows of one side.
  func input(_ query: TableQuery, _ side: JoinQuery.Side) -> JoinQuery.Input {
    JoinQuery.Input(query, path: places == nil ? nil : properties[0][side])
  }

  /// The two have equal values in a property of each.
  ///
  ///     zones.joined(to: figures, on: .equalValues(\.code, \.code).and(\.year, \.year))
  ///
  /// Null equals nothing. Numbers are compared by value, whatever their types, and texts by their bytes.
  /// Values that cannot be equal, such as texts and numbers, are a programming error.
  ///
  /// The join reads the rows of both sides once. It keeps a hash table of the side with fewer of them in
  /// memory. The rows of one that has few are found in an index of the other, if it has one.
  ///
  /// - Parameters:
  ///   - left: a property of the left objects.
  ///   - right: a property of the right objects.
  public static func equalValues<A: _Persistable, B: _Persistable>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>
  ) -> JoinCondition {
    JoinCondition(nil, left, right: right)
  }

  /// Returns this condition, ``equalValues(_:_:)``, with two further properties that have equal values.
  ///
  /// - Parameters:
  ///   - left: a property of the left objects.
  ///   - right: a property of the right objects.
  public func and<A: _Persistable, B: _Persistable>(
    _ left: KeyPath<Left, A>, _ right: KeyPath<Right, B>
  ) -> JoinCondition {
    guard places == nil else {
      programmingError("Only a join by equal values compares several properties of each object.")
    }
    return JoinCondition(nil, properties + [Self.pair(left, right)])
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
