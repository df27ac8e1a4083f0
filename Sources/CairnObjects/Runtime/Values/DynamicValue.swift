import CairnGeometry
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that properties accept and return in access by name: `object["age"] = 3`,
/// `Dog(value: ["age": 3])`.
public protocol _DynamicValue {
  /// Converts a value of any type to the property's type, or returns nil if it does not fit.
  ///
  /// - Throws: The mistake inside the value, such as in a property of a nested object.
  static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self?
  /// The value as the subscript by name returns it: of the stored type, or nil for null.
  var _dynamic: Any? { get }
  /// Whether a property that was not set has a value. A location has none.
  static var _hasDefault: Bool { get }
}

extension _DynamicValue {
  /// Nearly every type has a default value.
  @inlinable
  public static var _hasDefault: Bool { true }

  /// Accepts only values of exactly this type.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self? { any as? Self }

  /// The value itself.
  public var _dynamic: Any? { self }
}

extension Optional: _DynamicValue where Wrapped: _PersistableInOptional {
  /// Accepts nil, and JSON's null, as null.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Wrapped?? {
    guard let any = Bridge.unwrapped(any) else { return .some(nil) }
    return try Wrapped._from(any, decoder: decoder).map { .some($0) }
  }

  /// The wrapped value.
  public var _dynamic: Any? { self?._dynamic }
}

extension _Scalar {
  /// Accepts values that can be converted without loss. Strings are not converted to numbers.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self? {
    if let same = any as? Self { return same }
    guard let any = Bridge.unwrapped(any) else { return nil }
    if let same = any as? Self { return same }
    let value =
      AnyScalar.value(any, as: _kind.type)
      ?? Bridge.mapped(any).flatMap { AnyScalar.value($0, as: _kind.type) }
    return value.flatMap { Self(_stored: StoredValue($0)) }
  }
}

/// Conversions of Swift and JSON values to stored values of a given type.
enum AnyScalar {
  /// Converts a value to a type, or returns nil if the conversion would lose information.
  static func value(_ any: Any, as type: ValueType) -> Value? {
    switch type {
    case .int: integer(any).map { .int($0) }
    case .bool: boolean(any).map { .bool($0) }
    case .float: float(any).map { .float($0) }
    case .double: double(any).map { .double($0) }
    case .string: text(any).map { .string($0) }
    case .decimal128: decimal(any).map { .decimal($0) }
    case .date: (any as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case .data: bytes(any).map { .data($0) }
    case .objectId: objectId(any).map { .objectId($0) }
    case .uuid: uuid(any).map { .uuid($0) }
    case .point: GeoPoint(any: any).map { .point(Position($0)) }
    case .geometry: geometry(any, as: Geometry.self)
    case .lineString: geometry(any, as: GeoLineString.self)
    case .polygon: geometry(any, as: GeoPolygon.self)
    case .mixed, .link, .embedded, .box: nil
    }
  }

  private static func geometry<T: _StoredGeometry>(_ any: Any, as type: T.Type) -> Value? {
    (try? GeometryValue.geometry(any)).flatMap { T._make($0) }?._stored.value
  }

  private static func integer(_ any: Any) -> Int64? {
    if any is Bool, !(any is Int) { return nil }
    if let number = any as? Int { return Int64(number) }
    switch any {
    case let number as any BinaryInteger: return Int64(exactly: number)
    case let number as Double: return Int64(exactly: number)
    case let number as Float: return Int64(exactly: number)
    case let number as Decimal128: return number.exactInteger
    case let number as Decimal: return decimal(number).exactInteger
    default: return nil
    }
  }

  private static func boolean(_ any: Any) -> Bool? {
    if let boolean = any as? Bool { return boolean }
    return integer(any).flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
  }

  static func double(_ any: Any) -> Double? {
    switch any {
    case let number as Double: number
    case let number as Float: Double(number)
    case let number as any BinaryInteger: Double(number)
    case let number as Decimal128: number.doubleValue
    case let number as Decimal: decimal(number).doubleValue
    default: nil
    }
  }

  /// Converts a number. A `Double` may lose digits, as in Realm; a number out of range is rejected.
  private static func float(_ any: Any) -> Float? {
    if let number = any as? Float { return number }
    guard let number = double(any) else { return nil }
    return number.isFinite && abs(number) > Double(Float.greatestFiniteMagnitude)
      ? nil : Float(number)
  }

  private static func text(_ any: Any) -> String? {
    if let text = any as? String { return text }
    return (any as? any StringProtocol).map { String($0) }
  }

  private static func decimal(_ any: Any) -> Decimal128? {
    if let number = any as? Decimal128 { return number }
    if let text = text(any) { return Decimal128(text: text) }
    if let number = integer(any) { return Decimal128(number) }
    if let number = any as? any BinaryInteger { return Decimal128(number) }
    if let number = any as? Float { return Decimal128(number) }
    if let number = any as? Decimal { return decimal(number) }
    return double(any).map { Decimal128($0) }
  }

  /// The nearest decimal of 34 digits.
  static func decimal(_ number: Decimal) -> Decimal128 {
    number.isNaN ? .nan : Decimal128(text: number.description) ?? .nan
  }

  private static func bytes(_ any: Any) -> [UInt8]? {
    if let data = any as? Data { return Array(data) }
    return any as? [UInt8]
  }

  private static func objectId(_ any: Any) -> ObjectId? {
    if let id = any as? ObjectId { return id }
    return text(any).flatMap { try? ObjectId(string: $0) }
  }

  private static func uuid(_ any: Any) -> UUIDBytes? {
    if let id = any as? UUID { return UUIDBytes(id) }
    return text(any).flatMap { UUID(uuidString: $0) }.map { UUIDBytes($0) }
  }
}

extension GeoPoint {
  /// Creates a point from a `GeoPoint` or from a GeoJSON point as JSON represents it.
  init?(any: Any) {
    if let point = any as? GeoPoint {
      self = point
      return
    }
    guard let members = any as? [String: Any],
      (members["type"] as? String)?.lowercased() == "point",
      let list = members["coordinates"] as? [Any]
    else { return nil }
    let numbers = list.compactMap { AnyScalar.double($0) }
    guard numbers.count == list.count, 2...3 ~= numbers.count else { return nil }
    self.init(
      latitude: numbers[1], longitude: numbers[0], altitude: numbers.count == 3 ? numbers[2] : 0)
  }
}

extension _StoredInteger {
  /// Accepts integers that the type can hold.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self? {
    if let same = any as? Self { return same }
    guard let any = Bridge.unwrapped(any),
      case .int(let number) = AnyScalar.value(any, as: .int)
    else { return nil }
    return Self(exactly: number)
  }
}

extension PersistableEnum {
  /// Accepts a case or its raw value.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self? {
    if let same = any as? Self { return same }
    return try RawValue._from(any, decoder: decoder).flatMap(Self.init(rawValue:))
  }

  /// The raw value.
  public var _dynamic: Any? { rawValue }
}

extension FailableCustomPersistable {
  /// Accepts a value of this type or of the stored type.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self? {
    if let same = any as? Self { return same }
    // An object may always be missing; the value is then the default.
    if PersistedType._kind.target != nil, Bridge.unwrapped(any) == nil { return _default() }
    return try PersistedType._from(any, decoder: decoder).flatMap(Self.init(persistedValue:))
  }

  /// The stored value.
  public var _dynamic: Any? { persistableValue._dynamic }
}

extension ObjectBase: _DynamicValue {
  /// Returns the object itself, or a new object from a dictionary, an array or an object of another
  /// realm. Where an object is created, an unmanaged one is copied too.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self? {
    if let object = Bridge.object(any) {
      if let same = object as? Self, same.isTaken(by: decoder) { return same }
      guard object.storedClassName == ObjectLayout.of(self).className else { return nil }
    }
    return try decoder.object(self, from: any)
  }

  /// The name of the class in a store.
  private final var storedClassName: String {
    row?.handle.name ?? ObjectLayout.of(type(of: self)).className
  }

  /// Returns whether a property can link to this object instead of a copy.
  private final func isTaken(by decoder: ValueDecoder) -> Bool {
    guard let row else { return !decoder.copiesObjects }
    return row.handle.session === decoder.session && !(self is EmbeddedObject)
      || decoder.session == nil
  }
}
