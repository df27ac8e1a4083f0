import CairnQuery
import CairnValues
import Dispatch

/// A collection of values by key: a ``Map``.
public protocol RealmKeyedCollection<Key, Value>: Sequence, ThreadConfined, CustomStringConvertible
{
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// The keys in sorted order.
  var keys: [Key] { get }
  /// The values, in the order of the keys.
  var values: [Value] { get }
  /// The values as results; nil for an unmanaged collection. Only Cairn calls it.
  var _results: Results<Value>? { get }

  /// Sets the value of a key, replacing the old one.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes a key and its value; an absent key has no effect.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()
  /// The value of a key; nil if the key is absent. Setting nil removes the key.
  subscript(key: Key) -> Value? { get set }

  /// The value of a key, in its stored type; nil if the key is absent.
  func value(forKey key: String) -> Any?
  /// The value at the end of a path that begins with a key, or an aggregate of the values.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the value of a key to a value of any type, or removes the key for nil.
  func setValue(_ value: Any?, forKey key: String)

  /// Returns whether an entry satisfies the predicate.
  func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool

  /// Calls the block with the collection's present content, and then with each change to its keys.
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken
}

extension Map: RealmKeyedCollection {
  public var _results: Results<Value>? { reference.map { Results($0) } }
}

// MARK: Objects

extension RealmKeyedCollection {
  /// The values as results; an unmanaged collection is a programming error.
  package var storedResults: Results<Value> {
    guard let results = _results else {
      programmingError(
        "This method may only be called on \(Self.self) instances retrieved from a Realm.")
    }
    return results
  }

  /// The objects in the collection that satisfy the condition.
  ///
  ///     owner.dogsByName.where { $0.age > 2 }
  public func `where`<Target: ObjectBase>(
    _ isIncluded: (Query<Value>) -> Query<Bool>
  ) -> Results<Value> where Value == Target? {
    let all = storedResults
    return all.meeting(isIncluded(Query(in: all.session)).predicate)
  }

  /// The objects in the collection, sorted by a property. Objects with equal values remain in the
  /// order of the keys.
  public func sorted<Target: ObjectBase, Property: _Persistable>(
    by keyPath: KeyPath<Target, Property>, ascending: Bool = true
  ) -> Results<Value> where Value == Target?, Property.PersistedType: SortableType {
    storedResults.sorted(byKeyPath: PropertyNames.path(of: keyPath), ascending: ascending)
  }
}

// MARK: Totals of a property

extension RealmKeyedCollection {
  /// The least value of a property of the objects in the collection; nil if it has no values.
  public func min<Target: ObjectBase, T: _Persistable>(of keyPath: KeyPath<Target, T>) -> T?
  where Value == Target?, T.PersistedType: MinMaxType {
    least(of: PropertyNames.path(of: keyPath))
  }

  /// The least non-null value of a property; nil if all are null.
  public func min<Target: ObjectBase, T: _Persistable & _PersistableInOptional>(
    of keyPath: KeyPath<Target, T?>
  ) -> T?
  where Value == Target?, T.PersistedType: MinMaxType {
    least(of: PropertyNames.path(of: keyPath))
  }

  /// The greatest value of a property of the objects in the collection; nil if it has no values.
  public func max<Target: ObjectBase, T: _Persistable>(of keyPath: KeyPath<Target, T>) -> T?
  where Value == Target?, T.PersistedType: MinMaxType {
    greatest(of: PropertyNames.path(of: keyPath))
  }

  /// The greatest non-null value of a property; nil if all are null.
  public func max<Target: ObjectBase, T: _Persistable & _PersistableInOptional>(
    of keyPath: KeyPath<Target, T?>
  ) -> T?
  where Value == Target?, T.PersistedType: MinMaxType {
    greatest(of: PropertyNames.path(of: keyPath))
  }

  /// The sum of a property's values in the collection; 0 if it has no values.
  public func sum<Target: ObjectBase, T: _Persistable>(of keyPath: KeyPath<Target, T>) -> T
  where Value == Target?, T.PersistedType: AddableType {
    total(of: PropertyNames.path(of: keyPath))
  }

  /// The sum of a property's non-null values; 0 if all are null.
  public func sum<Target: ObjectBase, T: _Persistable & _PersistableInOptional>(
    of keyPath: KeyPath<Target, T?>
  ) -> T
  where Value == Target?, T.PersistedType: AddableType {
    total(of: PropertyNames.path(of: keyPath))
  }

  /// The mean of a property's values in the collection; nil if it has no values.
  ///
  /// The result is a `Double`, or a `Decimal128` for decimals, unless the context requires another
  /// type.
  public func average<Target: ObjectBase, T: _Persistable>(of keyPath: KeyPath<Target, T>)
    -> Double?
  where Value == Target?, T.PersistedType: AddableType { mean(of: PropertyNames.path(of: keyPath)) }

  /// The mean of a property's values in the collection; nil if it has no values.
  public func average<Target: ObjectBase>(of keyPath: KeyPath<Target, Decimal128>) -> Decimal128?
  where Value == Target? { mean(of: PropertyNames.path(of: keyPath)) }

  /// The mean of a property's non-null values; nil if all are null.
  public func average<Target: ObjectBase>(of keyPath: KeyPath<Target, Decimal128?>) -> Decimal128?
  where Value == Target? { mean(of: PropertyNames.path(of: keyPath)) }

  /// The mean of a property's values as the type that the context asks for; nil without values.
  @_disfavoredOverload
  public func average<Target: ObjectBase, T: _Persistable, Mean: AddableType>(
    of keyPath: KeyPath<Target, T>
  ) -> Mean? where Value == Target?, T.PersistedType: AddableType {
    mean(of: PropertyNames.path(of: keyPath))
  }

  private func least<T>(of property: String) -> T? {
    Number.typed(summary(of: property, .min).minimum, property: property)
  }

  private func greatest<T>(of property: String) -> T? {
    Number.typed(summary(of: property, .max).maximum, property: property)
  }

  private func total<T>(of property: String) -> T { Number.sum(summary(of: property, .sum).sum) }

  private func mean<T>(of property: String) -> T? {
    Number.convert(summary(of: property, .average).average, property: property)
  }
}

// Totals of the values of maps. Nulls and NaNs are ignored.

extension RealmKeyedCollection {
  fileprivate var totals: Summary {
    ValueTotals.summary(of: values.map { $0._element(in: .none).value }, Value._kind.type)
  }
}

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
  /// The least value, by stored value; nil if the map has no values.
  public func min() -> Value? { Number.typed(totals.minimum, property: "self") }
  /// The greatest value, by stored value; nil if the map has no values.
  public func max() -> Value? { Number.typed(totals.maximum, property: "self") }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
  /// The sum of the values; 0 if the map has no values. A sum that the type of the values cannot
  /// represent is a programming error.
  public func sum() -> Value { Number.sum(totals.sum) }
  /// The mean of the values; nil if the map has no values. For integers, request it as a `Double`.
  public func average<Mean: AddableType>() -> Mean? {
    Number.convert(totals.average, property: "self")
  }
}

/// Totals of values that may be null, as the type without null.
extension RealmKeyedCollection {
  /// The least non-null value; nil if all are null.
  @_disfavoredOverload
  public func min<Wrapped: _PersistableInOptional>() -> Wrapped?
  where Value == Wrapped?, Wrapped.PersistedType: MinMaxType {
    Number.typed(totals.minimum, property: "self")
  }

  /// The greatest non-null value; nil if all are null.
  @_disfavoredOverload
  public func max<Wrapped: _PersistableInOptional>() -> Wrapped?
  where Value == Wrapped?, Wrapped.PersistedType: MinMaxType {
    Number.typed(totals.maximum, property: "self")
  }

  /// The sum of the non-null values; 0 if all are null.
  @_disfavoredOverload
  public func sum<Wrapped: _PersistableInOptional>() -> Wrapped
  where Value == Wrapped?, Wrapped.PersistedType: AddableType {
    Number.sum(totals.sum)
  }
}

// MARK: Order

extension RealmKeyedCollection where Value.PersistedType: SortableType {
  /// The values in the order of their stored values. Nulls come first in ascending order and last in
  /// descending order.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    storedResults.sorted(byKeyPath: "self", ascending: ascending)
  }
}

/// A change of a map since its observer was last notified.
@frozen
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The map's initial content.
  case initial(Collection)
  /// The difference from the last notification: the keys that were removed, that were inserted, and
  /// whose values have changed.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key],
    modifications: [Collection.Key])
  /// The store could not be read. This is the last notification.
  case error(any Error)
}

extension RealmMapChange: Sendable where Collection: Sendable, Collection.Key: Sendable {}
