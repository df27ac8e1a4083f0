import CairnValues

extension _StoredInteger {
  /// Whole numbers that the type can hold.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Self? {
    if let same = any as? Self { return same }
    guard let any = Bridge.unwrapped(any),
      case .int(let number) = AnyScalar.value(any, as: .int)
    else { return nil }
    return Self(exactly: number)
  }
}

extension PersistableEnum {
  /// A case, or its raw value.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Self? {
    if let same = any as? Self { return same }
    return try RawValue._from(any, intake).flatMap(Self.init(rawValue:))
  }

  /// The raw value.
  public var _dynamic: Any? { rawValue }
}

extension FailableCustomPersistable {
  /// A value of the type, or of the one that is stored.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Self? {
    if let same = any as? Self { return same }
    // An object may always be missing: what it stands for then is the default.
    if PersistedType._kind.target != nil, Bridge.unwrapped(any) == nil { return _default() }
    return try PersistedType._from(any, intake).flatMap(Self.init(persistedValue:))
  }

  /// What is stored.
  public var _dynamic: Any? { persistableValue._dynamic }
}
