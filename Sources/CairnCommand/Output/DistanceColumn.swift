import CairnFormats
import CairnGeometry
import CairnStorage
import CairnValues

/// The distance of each row from `--near`, in metres along the sphere.
struct DistanceColumn {
  static let name = "distance"

  private let origin: GeoPoint
  private let location: Int
  private let isRounded: Bool

  /// - Parameter isRounded: to decimetres, for people; else every digit is written.
  init(from origin: GeoPoint, to location: ColumnSchema, isRounded: Bool) {
    self.origin = origin
    self.location = location.position
    self.isRounded = isRounded
  }

  /// Null where a row has no location.
  func value(of key: Int, in table: Table) -> Value {
    guard case .point(let position) = table.value(location, at: key),
      let point = GeoPoint(latitude: position.latitude, longitude: position.longitude)
    else { return .null }
    let metres = origin.distance(to: point).asMeters()
    return .double(isRounded ? (metres * 10).rounded() / 10 : metres)
  }
}
