import Dispatch

/// A collection that holds values under keys: a `Map`.
public protocol RealmKeyedCollection<Key, Value>: Sequence, ThreadConfined, CustomStringConvertible
{
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// The keys, in their order.
  var keys: [Key] { get }
  /// The values, in the order of the keys.
  var values: [Value] { get }
  /// The values as results; nil for a collection in no realm. Cairn alone calls it.
  var _results: Results<Value>? { get }

  /// Sets the value of a key, in place of the one that was there.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes a key and its value; a key that is not there changes nothing.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()
  /// The value of a key; nil when there is none. Setting nil removes the key.
  subscript(key: Key) -> Value? { get set }

  /// The value of a key, of the type that is stored; nil when there is none.
  func value(forKey key: String) -> Any?
  /// The value at the end of a path that begins with a key, or a number made of the values.
  func value(forKeyPath keyPath: String) -> Any?
  /// Sets the value of a key from a value of any type, or removes the key for nil.
  func setValue(_ value: Any?, forKey key: String)

  /// Whether an entry passes the test.
  func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows -> Bool

  /// Calls the block with the collection as it is, and from then on with the keys that change.
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken
}

extension Map: RealmKeyedCollection {
  public var _results: Results<Value>? { place.map { Results($0) } }
}

// MARK: Objects

extension RealmKeyedCollection {
  /// The values as results; a collection in no realm is a programming error.
  package var storedResults: Results<Value> {
    guard let results = _results else {
      programmingError(
        "This method may only be called on \(Self.self) instances retrieved from a Realm.")
    }
    return results
  }

  var asked: Results<Value> { storedResults }

  /// The objects in the collection that meet a condition.
  ///
  ///     owner.dogsByName.where { $0.age > 2 }
  public func `where`<Target: ObjectBase>(
    _ isIncluded: (Query<Value>) -> Query<Bool>
  ) -> Results<Value> where Value == Target? {
    let all = storedResults
    return all.meeting(isIncluded(Query(in: all.session)).predicate)
  }

  /// The objects in the collection by the values of a property; what is equal stays in the order of the keys.
  public func sorted<Target: ObjectBase, Property: _Persistable>(
    by keyPath: KeyPath<Target, Property>, ascending: Bool = true
  ) -> Results<Value> where Value == Target?, Property.PersistedType: SortableType {
    storedResults.sorted(byKeyPath: PropertyNames.path(of: keyPath), ascending: ascending)
  }
}

// MARK: Totals of a property

extension RealmKeyedCollection {
  /// The least value of a property of the objects in the collection; nil when there is none.
  public func min<Target: ObjectBase, T: _Persistable>(of keyPath: KeyPath<Target, T>) -> T?
  where Value == Target?, T.PersistedType: MinMaxType {
    least(of: PropertyNames.path(of: keyPath))
  }

  /// The least value of a property that is not null; nil when there is none.
  public func min<Target: ObjectBase, T: _Persistable>(of keyPath: KeyPath<Target, T?>) -> T?
  where Value == Target?, T.PersistedType: MinMaxType {
    least(of: PropertyNames.path(of: keyPath))
  }

  /// The greatest value of a property of the objects in the collection; nil when there is none.
  public func max<Target: ObjectBase, T: _Persistable>(of keyPath: KeyPath<Target, T>) -> T?
  where Value == Target?, T.PersistedType: MinMaxType {
    greatest(of: PropertyNames.path(of: keyPath))
  }

  /// The greatest value of a property that is not null; nil when there is none.
  public func max<Target: ObjectBase, T: _Persistable>(of keyPath: KeyPath<Target, T?>) -> T?
  where Value == Target?, T.PersistedType: MinMaxType {
    greatest(of: PropertyNames.path(of: keyPath))
  }

  /// The sum of a property's values of the objects in the collection; 0 when there is none.
  public func sum<Target: ObjectBase, T: AddableType & _Persistable>(
    of keyPath: KeyPath<Target, T>
  ) -> T where Value == Target? {
    storedResults.sum(ofProperty: PropertyNames.path(of: keyPath))
  }

  /// The sum of a property's values that are not null; 0 when there is none.
  public func sum<Target: ObjectBase, T: AddableType & _Persistable>(
    of keyPath: KeyPath<Target, T?>
  ) -> T where Value == Target? {
    storedResults.sum(ofProperty: PropertyNames.path(of: keyPath))
  }

  /// The mean of a property's values of the objects in the collection; nil when there is none.
  public func average<Target: ObjectBase, T: _Persistable, Mean: AddableType>(
    of keyPath: KeyPath<Target, T>
  ) -> Mean? where Value == Target?, T.PersistedType: AddableType {
    mean(of: PropertyNames.path(of: keyPath))
  }

  /// The mean of a property's values that are not null; nil when there is none.
  public func average<Target: ObjectBase, T: _Persistable, Mean: AddableType>(
    of keyPath: KeyPath<Target, T?>
  ) -> Mean? where Value == Target?, T.PersistedType: AddableType {
    mean(of: PropertyNames.path(of: keyPath))
  }

  private func least<T>(of property: String) -> T? {
    Number.own(storedResults.summary(of: property, .min).minimum, property)
  }

  private func greatest<T>(of property: String) -> T? {
    Number.own(storedResults.summary(of: property, .max).maximum, property)
  }

  private func mean<T>(of property: String) -> T? {
    Number.convert(storedResults.summary(of: property, .average).average, property)
  }
}
