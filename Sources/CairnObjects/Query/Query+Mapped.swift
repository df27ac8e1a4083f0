/// Enumerations and types of one's own: asked by their values, or by what is stored for them.
extension Query where T: PersistableEnum {
  /// The raw value, which is what is stored.
  public var rawValue: Query<T.RawValue> { going { _ in } }
}

extension Query where T: _QueryOptional, T._Wrapped: PersistableEnum {
  /// The raw value, which is what is stored.
  public var rawValue: Query<T._Wrapped.RawValue?> { going { _ in } }
}

extension Query where T: FailableCustomPersistable {
  /// What is stored for the value.
  public var persistableValue: Query<T.PersistedType> { going { _ in } }
}

extension Query where T: _QueryOptional, T._Wrapped: FailableCustomPersistable {
  /// What is stored for the value.
  public var persistableValue: Query<T._Wrapped.PersistedType?> { going { _ in } }
}

extension Query where T: PersistableEnum {
  /// The raw value, which is what is stored.
  public var persistableValue: Query<T.RawValue> { going { _ in } }
}

extension Query where T: _QueryOptional, T._Wrapped: PersistableEnum {
  /// The raw value, which is what is stored.
  public var persistableValue: Query<T._Wrapped.RawValue?> { going { _ in } }
}

/// What may be null.
public protocol _QueryOptional {
  /// What it is otherwise.
  associatedtype _Wrapped
}

extension Optional: _QueryOptional {
  public typealias _Wrapped = Wrapped
}
