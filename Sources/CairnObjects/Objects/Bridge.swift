import CairnGeometry
import CairnValues
import FoundationEssentials

/// Between stored values and the Swift types that a program has for them.
enum Bridge {
  /// The value as a Swift type: `Bool Int Float Double String Data Date ObjectId UUID Decimal128 GeoPoint`;
  /// nil for null.
  static func any(_ value: Value) -> Any? {
    switch value {
    case .null: nil
    case .bool(let flag): flag
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
    }
  }

  /// The value that a Swift value stands for; nil where it stands for none.
  static func value(_ any: Any?) -> Value? {
    guard let any else { return .null }
    if let value = common(any) { return value }
    guard let any = unwrapped(any) else { return .null }
    return common(any) ?? rare(any)
  }

  /// Casts to types without members that have to be looked up: quick.
  private static func common(_ any: Any) -> Value? {
    switch any {
    case let flag as Bool where isFlag(any): .bool(flag)
    case let number as Int: .int(Int64(number))
    case let text as String: .string(text)
    case let number as Double: .double(number)
    case let flag as Bool: .bool(flag)
    case let number as Float: .float(number)
    case let date as Date: .date(date.timeIntervalSinceReferenceDate)
    case let id as ObjectId: .objectId(id)
    case let id as UUID: .uuid(UUIDBytes(id))
    case let number as Decimal128: .decimal(number)
    case let data as Data: .data(Array(data))
    case let point as GeoPoint: .point(Position(point))
    default: nil
    }
  }

  private static func rare(_ any: Any) -> Value? {
    switch any {
    case let text as any StringProtocol: .string(String(text))
    case let number as any BinaryInteger:
      Int64(exactly: number).map { .int($0) } ?? .decimal(Decimal128(number))
    default: nil
    }
  }

  /// Whether it is a flag of Foundation's, which would pass as a number too; known by name, for Foundation is
  /// not here.
  private static func isFlag(_ any: Any) -> Bool {
    guard Swift.type(of: any) is AnyClass else { return false }
    return String(describing: Swift.type(of: any)).hasSuffix("Boolean")
  }

  /// What lies in any layers of optionals; nil where one of them is empty, or is Foundation's null.
  static func unwrapped(_ any: Any?) -> Any? {
    guard let any else { return nil }
    if let optional = any as? any OptionalValue { return optional.unwrapped }
    return isNull(any) ? nil : any
  }

  /// What is stored of a value of a mapped type, or of an enumeration; nil for values of other types.
  static func mapped(_ any: Any?) -> Any? {
    switch unwrapped(any) {
    case let value as any FailableCustomPersistable: value._dynamic
    case let value as any PersistableEnum: value._dynamic
    default: nil
    }
  }

  /// Whether it is what `JSONSerialization` gives for null; known by name, for Foundation is not here.
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
  init(_ bytes: UUIDBytes) {
    self = bytes.withStoredBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension UUIDBytes {
  init(_ id: UUID) {
    self = withUnsafeBytes(of: id.uuid) { UUIDBytes(storedBytes: $0) }
  }
}

extension GeoPoint {
  /// The stored location; a location below sea level is given without its altitude.
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
