import CairnGeometry
import CairnQuery

/// Relations that depend on interiors and boundaries, as OGC Simple Features defines them in the plane
/// of longitude and latitude.
extension Query where T: _QuerySpatial {
  /// Tests whether the property and a shape have a point in common, but their interiors have none.
  ///
  ///     parcels.where { $0.area.geoTouches(parcel) }
  ///
  /// Edges are straight in longitude and latitude, however the shape was made. A circle has no such
  /// edges: the query fails, as it does for an edge that crosses the antimeridian.
  public func geoTouches(_ shape: some GeoShape) -> Query<Bool> {
    relates(.touches, shape: shape, edges: nil)
  }

  /// Tests whether the property and another one have a point in common, but their interiors have none.
  ///
  ///     parcels.where { $0.area.geoTouches($0.road.course) }
  ///
  /// Edges are straight in longitude and latitude.
  public func geoTouches<U: _QuerySpatial>(_ other: Query<U>) -> Query<Bool> {
    relates(.touches, other: other, edges: .planar)
  }

  /// Tests whether the property crosses a shape: their interiors meet, and a part of the one of lower
  /// dimension lies outside of the other. Two lines cross in nothing but points.
  ///
  ///     roads.where { $0.course.geoCrosses(border) }
  ///
  /// Edges are straight in longitude and latitude, however the shape was made. A circle has no such
  /// edges: the query fails, as it does for an edge that crosses the antimeridian.
  public func geoCrosses(_ shape: some GeoShape) -> Query<Bool> {
    relates(.crosses, shape: shape, edges: nil)
  }

  /// Tests whether the property crosses another one: their interiors meet, and a part of the one of lower
  /// dimension lies outside of the other. Two lines cross in nothing but points.
  ///
  ///     roads.where { $0.course.geoCrosses($0.region.area) }
  ///
  /// Edges are straight in longitude and latitude.
  public func geoCrosses<U: _QuerySpatial>(_ other: Query<U>) -> Query<Bool> {
    relates(.crosses, other: other, edges: .planar)
  }

  /// Tests whether the property and a shape have the same dimension and a part of this dimension in
  /// common, and neither lies in the other.
  ///
  ///     parcels.where { $0.area.geoOverlaps(floodplain) }
  ///
  /// Edges are straight in longitude and latitude, however the shape was made. A circle has no such
  /// edges: the query fails, as it does for an edge that crosses the antimeridian.
  public func geoOverlaps(_ shape: some GeoShape) -> Query<Bool> {
    relates(.overlaps, shape: shape, edges: nil)
  }

  /// Tests whether the property and another one have the same dimension and a part of this dimension in
  /// common, and neither lies in the other.
  ///
  ///     parcels.where { $0.area.geoOverlaps($0.district.area) }
  ///
  /// Edges are straight in longitude and latitude.
  public func geoOverlaps<U: _QuerySpatial>(_ other: Query<U>) -> Query<Bool> {
    relates(.overlaps, other: other, edges: .planar)
  }

  /// Tests whether the property and a shape are the same set of points, whatever the order and number
  /// of their vertices.
  ///
  ///     parcels.where { $0.area.geoEquals(parcel) }
  ///
  /// Edges are straight in longitude and latitude, however the shape was made. A circle has no such
  /// edges: the query fails, as it does for an edge that crosses the antimeridian.
  public func geoEquals(_ shape: some GeoShape) -> Query<Bool> {
    relates(.equals, shape: shape, edges: nil)
  }

  /// Tests whether the property and another one are the same set of points, whatever the order and number
  /// of their vertices.
  ///
  ///     stops.where { $0.location.geoEquals($0.station.location) }
  ///
  /// Edges are straight in longitude and latitude.
  public func geoEquals<U: _QuerySpatial>(_ other: Query<U>) -> Query<Bool> {
    relates(.equals, other: other, edges: .planar)
  }
}
