import CairnQuery
import CairnValues

extension Query where T: _QueryCollection {
  /// The element is in the collection.
  public func contains(_ element: T._QueryElement) -> Query<Bool> {
    compared(.equal, element)
  }

  /// At least one of the elements is in the collection.
  public func containsAny<Elements: Sequence>(
    in elements: Elements
  ) -> Query<Bool> where Elements.Element == T._QueryElement {
    isIn(Array(elements))
  }

  /// How many elements there are.
  public var count: Query<Int> {
    Query<Int>(.subject(.count(path)), in: session)
  }

  /// Whether there is no element.
  public var isEmpty: Query<Bool> { count == 0 }
}

// MARK: Aggregates

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable,
  T._QueryElement.PersistedType: _QueryRanked
{
  /// The least element; null when there is none.
  public var min: Query<T._QueryElement> { aggregate(.min) }
  /// The greatest element; null when there is none.
  public var max: Query<T._QueryElement> { aggregate(.max) }
}

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable,
  T._QueryElement.PersistedType: _QueryNumeric
{
  /// The sum of the elements; 0 when there is none.
  public var sum: Query<T._QueryElement> { aggregate(.sum) }
  /// The mean of the elements; null when there is none.
  public var avg: Query<Double> { aggregate(.avg) }
}

extension Query where T: _Persistable, T.PersistedType: _QueryRanked {
  /// The least value among the elements of the collection on the way.
  public var min: Query<T> { aggregate(.min) }
  /// The greatest value among the elements of the collection on the way.
  public var max: Query<T> { aggregate(.max) }
}

extension Query where T: _Persistable, T.PersistedType: _QueryNumeric {
  /// The sum of the values of the elements of the collection on the way.
  public var sum: Query<T> { aggregate(.sum) }
  /// The mean of the values of the elements of the collection on the way.
  public var avg: Query<Double> { aggregate(.avg) }
}

extension Query where T == Decimal128 {
  /// The mean of the values of the elements of the collection on the way.
  public var avg: Query<Decimal128> { aggregate(.avg) }
}

extension Query where T: _QueryCollection, T._QueryElement == Decimal128 {
  /// The mean of the elements; null when there is none.
  public var avg: Query<Decimal128> { aggregate(.avg) }
}

extension Query {
  private func aggregate<V>(_ function: AggregateFunction) -> Query<V> {
    Query<V>(.subject(.aggregate(function, path)), in: session)
  }
}

// MARK: Maps

extension Query where T: _QueryMap {
  /// What the map holds under a key; null where it holds nothing.
  public subscript(key: String) -> Query<T._QueryElement> {
    going { $0.appendMapKey(key) }
  }

  /// The keys, of which any may fit.
  public var keys: Query<String> {
    going { $0.append(.allKeys) }
  }

  /// The values, of which any may fit.
  public var values: Query<T._QueryElement> {
    going { $0.append(.allValues) }
  }
}
