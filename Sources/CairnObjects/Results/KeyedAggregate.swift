import CairnQuery
import CairnStorage
import CairnValues

/// The objects of results that are equal in a property: how many, and what the values of another property of theirs
/// come to. Nulls and NaNs count for nothing but `count`.
public struct KeyedAggregate<Key, Value> {
  /// What the objects have in common; of an optional property also nil.
  public let key: Key
  /// How many objects there are.
  public let count: Int
  /// The least value; nil when there is none.
  public let min: Value?
  /// The greatest value; nil when there is none.
  public let max: Value?
  /// The sum of the values; nil where they cannot be added up.
  public let sum: Value?
  /// The mean of the values; nil where there is none, or they cannot be added up.
  public let average: Double?
}

extension KeyedAggregate: Sendable where Key: Sendable, Value: Sendable {}
extension KeyedAggregate: Equatable where Key: Equatable, Value: Equatable {}

extension RealmCollection where Element: ObjectBase {
  /// How many objects there are of each value of a property, by rising values.
  ///
  ///     for group in dogs.aggregate(by: \.color) { print(group.key, group.count) }
  public func aggregate<Key: _Persistable>(
    by keyPath: KeyPath<Element, Key>
  ) -> [KeyedAggregate<Key, Never>] {
    groups(by: keyPath, of: []).map { group in
      KeyedAggregate(
        key: group.key(of: keyPath), count: group.count, min: nil, max: nil, sum: nil, average: nil)
    }
  }

  /// What the values of a property come to for each value of another, by rising values of that.
  ///
  ///     for group in dogs.aggregate(of: \.age, by: \.color) { print(group.key, group.average ?? 0) }
  @_disfavoredOverload
  public func aggregate<Key: _Persistable, Value: _Persistable>(
    of property: KeyPath<Element, Value>, by keyPath: KeyPath<Element, Key>
  ) -> [KeyedAggregate<Key, Value>] {
    keyed(of: property, by: keyPath)
  }

  /// The same of a property that may be null.
  public func aggregate<Key: _Persistable, Value: _Persistable>(
    of property: KeyPath<Element, Value?>, by keyPath: KeyPath<Element, Key>
  ) -> [KeyedAggregate<Key, Value>] {
    keyed(of: property, by: keyPath)
  }

  private func keyed<Key: _Persistable, Value>(
    of property: PartialKeyPath<Element>, by keyPath: KeyPath<Element, Key>
  ) -> [KeyedAggregate<Key, Value>] {
    let name = PropertyNames.path(of: property)
    return groups(by: keyPath, of: [name]).map { group in
      let summary = group.summaries[0]
      return KeyedAggregate(
        key: group.key(of: keyPath), count: group.count, min: Number.own(summary.minimum, name),
        max: Number.own(summary.maximum, name), sum: Number.own(summary.sum, name),
        average: Number.double(summary.average))
    }
  }

  private func groups(by keyPath: PartialKeyPath<Element>, of properties: [String]) -> [Group] {
    let name = PropertyNames.path(of: keyPath)
    return trapping {
      try stored.found.execution.groups(by: [name], summarising: properties)
    }
  }
}

extension Group {
  /// The value that all objects of the group have in the property.
  fileprivate func key<Root, Key: _Persistable>(of keyPath: KeyPath<Root, Key>) -> Key {
    if values[0].isNull { return Key._default() }
    guard let key: Key = Number.own(values[0], "key") else { return Key._default() }
    return key
  }
}
