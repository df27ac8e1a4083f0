import CairnQuery
import CairnValues

// The totals of the values of maps, where they may be null or are of an enumeration or a custom type. Nulls and NaNs
// do not count.

extension RealmKeyedCollection {
  fileprivate var totals: Summary {
    ValueTotals.summary(of: values.map { $0._element(in: .none).value }, Value._kind.type)
  }

  /// The least value that is not null; nil when there is none.
  public func min<Wrapped: MinMaxType>() -> Wrapped? where Value == Wrapped? {
    Number.own(totals.minimum, "self")
  }

  /// The greatest value that is not null; nil when there is none.
  public func max<Wrapped: MinMaxType>() -> Wrapped? where Value == Wrapped? {
    Number.own(totals.maximum, "self")
  }

  /// The sum of the values that are not null; 0 when there is none.
  public func sum<Wrapped: AddableType>() -> Wrapped where Value == Wrapped? {
    Number.own(totals.sum, "self") ?? Number.zero()
  }

  /// The mean of the values that are not null; nil when there is none.
  public func average<Wrapped: AddableType, Mean: AddableType>() -> Mean? where Value == Wrapped? {
    Number.convert(totals.average, "self")
  }
}

extension RealmKeyedCollection where Value: _MappedValue, Value.PersistedType: MinMaxType {
  /// The least value by what is stored for it; nil when there is none.
  public func min() -> Value? { Number.own(totals.minimum, "self") }
  /// The greatest value by what is stored for it; nil when there is none.
  public func max() -> Value? { Number.own(totals.maximum, "self") }
}

extension RealmKeyedCollection where Value: _MappedValue, Value.PersistedType: AddableType {
  /// The sum of what is stored for the values, as a value. A sum that stands for none is a programming error.
  public func sum() -> Value { Number.standing(for: totals.sum) }
  /// The mean of what is stored for the values; nil when there is none.
  public func average<Mean: AddableType>() -> Mean? { Number.convert(totals.average, "self") }
}

extension RealmKeyedCollection {
  /// The least value that is not null, by what is stored for it; nil when there is none.
  public func min<Wrapped: _MappedValue>() -> Wrapped?
  where Value == Wrapped?, Wrapped.PersistedType: MinMaxType { Number.own(totals.minimum, "self") }

  /// The greatest value that is not null, by what is stored for it; nil when there is none.
  public func max<Wrapped: _MappedValue>() -> Wrapped?
  where Value == Wrapped?, Wrapped.PersistedType: MinMaxType { Number.own(totals.maximum, "self") }
}

// MARK: Order

extension RealmKeyedCollection where Value: _MappedValue, Value.PersistedType: SortableType {
  /// The values by what is stored for them.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    storedResults.sorted(byKeyPath: "self", ascending: ascending)
  }
}

extension RealmKeyedCollection {
  /// The values by what is stored for them; nulls come first, or last when large values do.
  public func sorted<Wrapped: _MappedValue>(ascending: Bool = true) -> Results<Value>
  where Value == Wrapped?, Wrapped.PersistedType: SortableType {
    storedResults.sorted(byKeyPath: "self", ascending: ascending)
  }
}
