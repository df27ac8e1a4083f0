import CairnGeometry
import CairnStorage
import CairnValues

/// A type that is stored as a geometry: any geometry, a line, or an area.
///
///     class Parcel: Object {
///       @Persisted var area: GeoPolygon?
///       @Persisted var access: GeoLineString?
///       @Persisted var survey: Geometry?
///     }
///
/// Each property has an R-tree of its own. The store keeps the vertices and altitudes, and no kind
/// of edges: a polygon that is read has geodesic edges, whatever edges it was set with, and each
/// query says which edges it means.
public protocol _StoredGeometry: _Scalar {
  /// Returns the value for a geometry, or nil if the geometry is of another kind or empty.
  static func _make(_ geometry: Geometry) -> Self?
  /// The stored geometry.
  var _geometry: Geometry { get }
}

extension _StoredGeometry {
  /// A geometry has no default value: a required property must be set before it is read or added.
  public static var _hasDefault: Bool { false }
  /// Ends the program, because a geometry has no default value.
  public static func _default() -> Self { programmingError(RequiredLocation.unset(nil)) }

  public init(_cell: _Cell) {
    guard let value = Self.value(_cell) else { programmingError(RequiredLocation.unset(nil)) }
    self = value
  }

  public init?(_stored: StoredValue) {
    guard case .geometry(let bytes) = _stored.value, !bytes.isEmpty,
      let value = Self._make(Geometry(packed: bytes))
    else { return nil }
    self = value
  }

  public var _stored: StoredValue { StoredValue(.geometry(_geometry.bytes)) }

  /// Returns the value in a column of a row; nil for null, and for an empty geometry that the type
  /// cannot represent.
  public static func _readOptional(_ row: Row, column: Int) -> Self? {
    row.cellUnlessNull(column).flatMap(value)
  }

  /// Returns the value in a column of the object's row; nil for null, and for an empty geometry that
  /// the type cannot represent.
  public static func _getOptional(_ object: ObjectBase, column: Int) -> Self? {
    object.cellUnlessNull(column).flatMap(value)
  }

  private static func value(_ cell: _Cell) -> Self? {
    let bytes = cell.bytes
    return bytes.isEmpty ? nil : _make(Geometry(packed: Array(bytes)))
  }

  /// Accepts a geometry of any type, and a GeoJSON geometry as JSON represents it.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self? {
    guard let any = Bridge.unwrapped(any) else { return nil }
    if let same = any as? Self { return same }
    do throws(GeometryError) {
      return try GeometryValue.geometry(any).flatMap(_make)
    } catch {
      decoder.mismatchReason = error.sentence
      return nil
    }
  }
}

extension Geometry: _StoredGeometry {
  public static var _kind: PropertyKind { PropertyKind(type: .geometry) }
  public static func _make(_ geometry: Geometry) -> Geometry? { geometry }
  public var _geometry: Geometry { self }
}

extension GeoLineString: _StoredGeometry {
  public static var _kind: PropertyKind { PropertyKind(type: .lineString) }
  public static func _make(_ geometry: Geometry) -> GeoLineString? { geometry.lineString }
  public var _geometry: Geometry { Geometry(self) }
}

extension GeoPolygon: _StoredGeometry {
  public static var _kind: PropertyKind { PropertyKind(type: .polygon) }
  public static func _make(_ geometry: Geometry) -> GeoPolygon? { geometry.polygon() }
  public var _geometry: Geometry { Geometry(self) }
}
