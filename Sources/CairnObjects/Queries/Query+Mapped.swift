import CairnQuery

/// Enumerations and custom types, queried by their own values or by their stored values.
extension Query where T: PersistableEnum {
  /// The raw value, which is the stored value.
  public var rawValue: Query<T.RawValue> { extending { _ in } }
}

extension Query where T: _QueryOptional, T._Wrapped: PersistableEnum {
  /// The raw value, which is the stored value.
  public var rawValue: Query<T._Wrapped.RawValue?> { extending { _ in } }
}

extension Query where T: FailableCustomPersistable {
  /// The stored form of the value.
  public var persistableValue: Query<T.PersistedType> { extending { _ in } }
}

extension Query where T: _QueryOptional, T._Wrapped: FailableCustomPersistable {
  /// The stored form of the value.
  public var persistableValue: Query<T._Wrapped.PersistedType?> { extending { _ in } }
}

extension Query where T: PersistableEnum {
  /// The raw value, which is the stored value.
  public var persistableValue: Query<T.RawValue> { extending { _ in } }
}

extension Query where T: _QueryOptional, T._Wrapped: PersistableEnum {
  /// The raw value, which is the stored value.
  public var persistableValue: Query<T._Wrapped.RawValue?> { extending { _ in } }
}

// The elements of collections by their stored values. The overloads for maps take precedence,
// because a map is a collection too. The result type `List` represents sets as well; it only
// determines which conditions are available.

// MARK: Enumerations

extension Query where T: _QueryCollection, T._QueryElement: PersistableEnum {
  /// The raw values of the elements.
  @_disfavoredOverload
  public var rawValue: Query<List<T._QueryElement.RawValue>> { extending { _ in } }
  /// The raw values of the elements, which are the stored values.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._QueryElement.RawValue>> { extending { _ in } }
}

extension Query where T: _QueryMap, T._QueryElement: PersistableEnum {
  /// The raw values of the map's values.
  public var rawValue: Query<Map<String, T._QueryElement.RawValue>> { extending { _ in } }
  /// The raw values of the map's values, which are the stored values.
  public var persistableValue: Query<Map<String, T._QueryElement.RawValue>> { extending { _ in } }
}

extension Query
where
  T: _QueryCollection, T._QueryElement: _QueryOptional, T._QueryElement._Wrapped: PersistableEnum
{
  /// The raw values of the elements; null remains null.
  @_disfavoredOverload
  public var rawValue: Query<List<T._QueryElement._Wrapped.RawValue?>> { extending { _ in } }
  /// The raw values of the elements, which are the stored values; null remains null.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._QueryElement._Wrapped.RawValue?>> {
    extending { _ in }
  }
}

extension Query
where T: _QueryMap, T._QueryElement: _QueryOptional, T._QueryElement._Wrapped: PersistableEnum {
  /// The raw values of the map's values; null remains null.
  public var rawValue: Query<Map<String, T._QueryElement._Wrapped.RawValue?>> { extending { _ in } }
  /// The raw values of the map's values, which are the stored values; null remains null.
  public var persistableValue: Query<Map<String, T._QueryElement._Wrapped.RawValue?>> {
    extending { _ in }
  }
}

// MARK: Custom types

extension Query where T: _QueryCollection, T._QueryElement: FailableCustomPersistable {
  /// The stored values of the elements.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._QueryElement.PersistedType>> { extending { _ in } }
}

extension Query where T: _QueryMap, T._QueryElement: FailableCustomPersistable {
  /// The stored values of the map's values.
  public var persistableValue: Query<Map<String, T._QueryElement.PersistedType>> {
    extending { _ in }
  }
}

extension Query
where
  T: _QueryCollection, T._QueryElement: _QueryOptional,
  T._QueryElement._Wrapped: FailableCustomPersistable
{
  /// The stored values of the elements; null remains null.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._QueryElement._Wrapped.PersistedType?>> {
    extending { _ in }
  }
}

extension Query
where
  T: _QueryMap, T._QueryElement: _QueryOptional,
  T._QueryElement._Wrapped: FailableCustomPersistable
{
  /// The stored values of the map's values; null remains null.
  public var persistableValue: Query<Map<String, T._QueryElement._Wrapped.PersistedType?>> {
    extending { _ in }
  }
}

extension Query where T: _ValueHolder {
  /// The value of the property.
  public var value: Query<T._Held> { extending { _ in } }
}
