/// What goes in and out of properties by name: `object["age"] = 3`, `Dog(value: ["age": 3])`.
public protocol _DynamicValue {
  /// The property's value that a value of any type stands for; nil where it stands for none.
  ///
  /// - Throws: what is wrong inside the value, such as a property of an object in it.
  static func _from(_ any: Any, _ intake: ValueIntake) throws -> Self?
  /// The value as the subscript by name gives it: of the type that is stored, nil for null.
  var _dynamic: Any? { get }
  /// Whether a value stands for a property that was given none. No location does.
  static var _hasDefault: Bool { get }
}

extension _DynamicValue {
  /// Nearly every type has a default.
  @inlinable
  public static var _hasDefault: Bool { true }

  /// Only values of the very type.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Self? { any as? Self }

  /// The value itself.
  public var _dynamic: Any? { self }
}

extension Optional: _DynamicValue where Wrapped: _PersistableInOptional {
  /// Null for nil, and for what stands for null in JSON.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Wrapped?? {
    guard let any = Bridge.unwrapped(any) else { return .some(nil) }
    return try Wrapped._from(any, intake).map { .some($0) }
  }

  /// The value in the optional.
  public var _dynamic: Any? { self?._dynamic }
}
