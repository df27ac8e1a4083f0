import CairnGeometry
import CairnQuery

/// Locations: `GeoPoint`, and embedded objects with `type` and `coordinates`. Null lies nowhere.
extension Query where T: _QueryLocation {
  /// The location lies in the box.
  public func geoWithin(_ box: GeoBox) -> Query<Bool> { within(.box(box)) }
  /// The location lies in the circle.
  public func geoWithin(_ circle: GeoCircle) -> Query<Bool> { within(.circle(circle)) }
  /// The location lies in the polygon.
  public func geoWithin(_ polygon: GeoPolygon) -> Query<Bool> { within(.polygon(polygon)) }
}

extension Query where T: _QueryCollection, T._QueryElement: _QueryLocation {
  /// One of the locations lies in the box.
  public func geoWithin(_ box: GeoBox) -> Query<Bool> { within(.box(box)) }
  /// One of the locations lies in the circle.
  public func geoWithin(_ circle: GeoCircle) -> Query<Bool> { within(.circle(circle)) }
  /// One of the locations lies in the polygon.
  public func geoWithin(_ polygon: GeoPolygon) -> Query<Bool> { within(.polygon(polygon)) }
}

extension Query {
  private func within(_ shape: Shape) -> Query<Bool> {
    do { try shape.validate() } catch { programmingError(error.message) }
    return leaf { subject in
      guard case .path(let path) = subject else { return .constant(false) }
      return .within(path, shape)
    }
  }
}
