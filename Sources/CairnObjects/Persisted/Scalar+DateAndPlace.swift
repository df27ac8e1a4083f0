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
  /// No location stands for a missing one: a required property has to be set before it is read or added.
  public static var _hasDefault: Bool { false }
  /// Ends the program.
  public static func _default() -> GeoPoint { programmingError(RequiredLocation.unset(nil)) }

  public init(_cell: _Cell) {
    guard let point = GeoPoint(_cell.chunk.position(at: _cell.row)) else {
      programmingError(RequiredLocation.unset(nil))
    }
    self = point
  }

  public init?(_stored: StoredValue) {
    guard case .point(let position) = _stored.value else { return nil }
    self.init(position)
  }

  public var _stored: StoredValue { StoredValue(.point(Position(self))) }
}
