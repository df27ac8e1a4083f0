import CairnGeometry
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Conversions between stored values and the Swift types of a program.
enum Bridge {
  /// Returns a value as a Swift type:
  /// `Bool Int Float Double String Data Date ObjectId UUID Decimal128 GeoPoint Geometry`, or nil for
  /// null.
  static func any(_ value: Value) -> Any? {
    switch value {
    case .null: nil
    case .bool(let boolean): boolean
    case .int(let number): Int(number)
    case .float(let number): number
    case .double(let number): number
    case .decimal(let number): number
    case .string(let text): text
    case .data(let bytes): Data(bytes)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .objectId(let id): id
    case .uuid(let id): UUID(id)
    case .point(let position): GeoPoint(position)
    case .link(let link): link.key
    case .geometry(let bytes): bytes.isEmpty ? nil : Geometry(packed: bytes)
    case .box: nil
    }
  }

  /// Returns the stored form of a Swift value, or nil if its type cannot be stored.
  static func value(_ any: Any?) -> Value? {
    guard let any else { return .null }
    if let value = common(any) { return value }
    guard let any = unwrapped(any) else { return .null }
    return common(any) ?? rare(any)
  }

  /// Returns the stored form of a value of a common type. These casts are fast, because they need
  /// no conformance lookup.
  private static func common(_ any: Any) -> Value? {
    switch any {
    case let boolean as Bool where isFoundationBoolean(any): .bool(boolean)
    case let number as Int: .int(Int64(number))
    case let text as String: .string(text)
    case let number as Double: .double(number)
    case let boolean as Bool: .bool(boolean)
    case let number as Float: .float(number)
    case let date as Date: .date(date.timeIntervalSinceReferenceDate)
    case let id as ObjectId: .objectId(id)
    case let id as UUID: .uuid(UUIDBytes(id))
    case let number as Decimal128: .decimal(number)
    case let data as Data: .data(Array(data))
    case let point as GeoPoint: .point(Position(point))
    case let geometry as Geometry: .geometry(geometry.bytes)
    case let line as GeoLineString: .geometry(Geometry(line).bytes)
    case let polygon as GeoPolygon: .geometry(Geometry(polygon).bytes)
    default: nil
    }
  }

  private static func rare(_ any: Any) -> Value? {
    switch any {
    case let text as any StringProtocol: .string(String(text))
    case let number as any BinaryInteger:
      Int64(exactly: number).map { .int($0) } ?? .decimal(Decimal128(number))
    case let number as Decimal: .decimal(AnyScalar.decimal(number))
    default: nil
    }
  }

  /// Returns whether the value is one of Foundation's booleans, which would pass as a number too.
  /// Identified by name, because this module does not import Foundation.
  private static func isFoundationBoolean(_ any: Any) -> Bool {
    guard Swift.type(of: any) is AnyClass else { return false }
    return String(describing: Swift.type(of: any)).hasSuffix("Boolean")
  }

  /// Returns the value inside any number of optionals, or nil if one of them is nil or contains
  /// Foundation's null.
  static func unwrapped(_ any: Any?) -> Any? {
    guard let any else { return nil }
    if let optional = any as? any OptionalValue { return optional.unwrapped }
    return isNull(any) ? nil : any
  }

  /// Returns the object that the value is; nil for other values.
  ///
  /// Asks first whether it is an instance of a class: on Linux, a cast of a dictionary to a class converts it, and
  /// everything in it, to a Foundation object.
  static func object(_ any: Any?) -> ObjectBase? {
    guard let value = unwrapped(any), type(of: value) is AnyClass else { return nil }
    return value as? ObjectBase
  }

  /// Returns the stored form of a value of a mapped type or an enumeration, or nil for values of
  /// other types.
  static func mapped(_ any: Any?) -> Any? {
    switch unwrapped(any) {
    case let value as any FailableCustomPersistable: value._dynamic
    case let value as any PersistableEnum: value._dynamic
    default: nil
    }
  }

  /// Returns whether the value is the object that `JSONSerialization` returns for null. Identified
  /// by name, because this module does not import Foundation.
  private static func isNull(_ any: Any) -> Bool {
    guard Swift.type(of: any) is AnyClass else { return false }
    return String(describing: Swift.type(of: any)) == "NSNull"
  }
}

/// An optional of any type.
private protocol OptionalValue {
  var unwrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var unwrapped: Any? { flatMap { Bridge.unwrapped($0) } }
}

extension UUID {
  /// Creates a UUID of stored bytes.
  package init(_ bytes: UUIDBytes) {
    self = bytes.withStoredBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension UUIDBytes {
  init(_ id: UUID) {
    self = withUnsafeBytes(of: id.uuid) { UUIDBytes(storedBytes: $0) }
  }
}

extension GeoPoint {
  /// Creates a point from a stored location. A location below sea level loses its altitude.
  init?(_ position: Position) {
    self.init(
      latitude: position.latitude, longitude: position.longitude,
      altitude: max(0, position.altitude))
  }
}

extension Position {
  init(_ point: GeoPoint) {
    self.init(
      latitude: point.latitude, longitude: point.longitude, altitude: point.altitude)
  }
}
