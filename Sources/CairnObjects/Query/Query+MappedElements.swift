import CairnQuery

// The elements of collections by what is stored for them. Those of maps come first: a map is a collection too. A list
// stands for lists and sets alike: the type of the result only says which conditions there are.

// MARK: Enumerations

extension Query where T: _QueryCollection, T._QueryElement: PersistableEnum {
  /// The raw values of the elements.
  @_disfavoredOverload
  public var rawValue: Query<List<T._QueryElement.RawValue>> { going { _ in } }
  /// The raw values of the elements, which are what is stored.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._QueryElement.RawValue>> { going { _ in } }
}

extension Query where T: _QueryMap, T._QueryElement: PersistableEnum {
  /// The raw values of the map's values.
  public var rawValue: Query<Map<String, T._QueryElement.RawValue>> { going { _ in } }
  /// The raw values of the map's values, which are what is stored.
  public var persistableValue: Query<Map<String, T._QueryElement.RawValue>> { going { _ in } }
}

extension Query
where
  T: _QueryCollection, T._QueryElement: _QueryOptional, T._QueryElement._Wrapped: PersistableEnum
{
  /// The raw values of the elements; null stays null.
  @_disfavoredOverload
  public var rawValue: Query<List<T._QueryElement._Wrapped.RawValue?>> { going { _ in } }
  /// The raw values of the elements, which are what is stored; null stays null.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._QueryElement._Wrapped.RawValue?>> { going { _ in } }
}

extension Query
where T: _QueryMap, T._QueryElement: _QueryOptional, T._QueryElement._Wrapped: PersistableEnum {
  /// The raw values of the map's values; null stays null.
  public var rawValue: Query<Map<String, T._QueryElement._Wrapped.RawValue?>> { going { _ in } }
  /// The raw values of the map's values, which are what is stored; null stays null.
  public var persistableValue: Query<Map<String, T._QueryElement._Wrapped.RawValue?>> {
    going { _ in }
  }
}

// MARK: Custom types

extension Query where T: _QueryCollection, T._QueryElement: FailableCustomPersistable {
  /// The stored values of the elements.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._QueryElement.PersistedType>> { going { _ in } }
}

extension Query where T: _QueryMap, T._QueryElement: FailableCustomPersistable {
  /// The stored values of the map's values.
  public var persistableValue: Query<Map<String, T._QueryElement.PersistedType>> { going { _ in } }
}

extension Query
where
  T: _QueryCollection, T._QueryElement: _QueryOptional,
  T._QueryElement._Wrapped: FailableCustomPersistable
{
  /// The stored values of the elements; null stays null.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._QueryElement._Wrapped.PersistedType?>> {
    going { _ in }
  }
}

extension Query
where
  T: _QueryMap, T._QueryElement: _QueryOptional,
  T._QueryElement._Wrapped: FailableCustomPersistable
{
  /// The stored values of the map's values; null stays null.
  public var persistableValue: Query<Map<String, T._QueryElement._Wrapped.PersistedType?>> {
    going { _ in }
  }
}
