import CairnGeometry
import CairnStorage
import CairnValues
import FoundationEssentials

extension Date: _Scalar, _Indexable {
  public static var _kind: PropertyKind { PropertyKind(type: .date) }
  /// The present moment.
  public static func _default() -> Date { Date() }

  public init(_cell: _Cell) {
    self.init(timeIntervalSinceReferenceDate: _cell.double)
  }

  public init?(_stored: StoredValue) {
    guard case .date(let seconds) = _stored.value else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  public var _stored: StoredValue { StoredValue(.date(timeIntervalSinceReferenceDate)) }
}

extension GeoPoint: _Scalar {
  public static var _kind: PropertyKind { PropertyKind(type: .point) }
  /// Latitude and longitude zero.
  public static func _default() -> GeoPoint {
    guard let origin = GeoPoint(latitude: 0, longitude: 0) else {
      programmingError("Latitude and longitude zero are no place.")
    }
    return origin
  }

  public init(_cell: _Cell) {
    self = GeoPoint(_cell.chunk.position(at: _cell.row)) ?? GeoPoint._default()
  }

  public init?(_stored: StoredValue) {
    guard case .point(let position) = _stored.value else { return nil }
    self.init(position)
  }

  public var _stored: StoredValue { StoredValue(.point(Position(self))) }
}
