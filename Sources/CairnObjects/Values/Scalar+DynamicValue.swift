import CairnGeometry
import CairnValues
import FoundationEssentials

extension _Scalar {
  /// Values that can be converted without loss; texts only for texts.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Self? {
    if let same = any as? Self { return same }
    guard let any = Bridge.unwrapped(any) else { return nil }
    if let same = any as? Self { return same }
    let value =
      AnyScalar.value(any, as: _kind.type)
      ?? Bridge.mapped(any).flatMap { AnyScalar.value($0, as: _kind.type) }
    return value.flatMap { Self(_stored: StoredValue($0)) }
  }
}

/// Swift values, and those of JSON, as stored ones of a given type.
enum AnyScalar {
  /// The value as that type has it; nil where that would lose something.
  static func value(_ any: Any, as type: ValueType) -> Value? {
    switch type {
    case .int: integer(any).map { .int($0) }
    case .bool: flag(any).map { .bool($0) }
    case .float: float(any).map { .float($0) }
    case .double: double(any).map { .double($0) }
    case .string: text(any).map { .string($0) }
    case .decimal128: decimal(any).map { .decimal($0) }
    case .date: (any as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case .data: bytes(any).map { .data($0) }
    case .objectId: objectId(any).map { .objectId($0) }
    case .uuid: uuid(any).map { .uuid($0) }
    case .point: GeoPoint(any: any).map { .point(Position($0)) }
    case .mixed, .link, .embedded: nil
    }
  }

  private static func integer(_ any: Any) -> Int64? {
    if any is Bool, !(any is Int) { return nil }
    if let number = any as? Int { return Int64(number) }
    switch any {
    case let number as any BinaryInteger: return Int64(exactly: number)
    case let number as Double: return Int64(exactly: number)
    case let number as Float: return Int64(exactly: number)
    case let number as Decimal128: return number.exactInteger
    default: return nil
    }
  }

  private static func flag(_ any: Any) -> Bool? {
    if let flag = any as? Bool { return flag }
    return integer(any).flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
  }

  private static func double(_ any: Any) -> Double? {
    switch any {
    case let number as Double: number
    case let number as Float: Double(number)
    case let number as any BinaryInteger: Double(number)
    case let number as Decimal128: number.doubleValue
    default: nil
    }
  }

  /// Doubles lose digits, as they do in Realm; what is out of range is refused.
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
    return double(any).map { Decimal128($0) }
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
  /// The location that a value stands for: one, or a GeoJSON point as JSON has it.
  init?(any: Any) {
    if let point = any as? GeoPoint {
      self = point
      return
    }
    guard let members = any as? [String: Any],
      (members["type"] as? String)?.lowercased() == "point",
      let list = members["coordinates"] as? [Any]
    else { return nil }
    let numbers = list.compactMap { any in
      AnyScalar.value(any, as: .double).flatMap(Number.double)
    }
    guard numbers.count == list.count, 2...3 ~= numbers.count else { return nil }
    self.init(
      latitude: numbers[1], longitude: numbers[0], altitude: numbers.count == 3 ? numbers[2] : 0)
  }
}
