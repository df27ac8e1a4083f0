import CairnQuery
import CairnStorage
import CairnValues

// Totals of the values of collections. Nulls and NaNs are ignored.

extension RealmCollection where Element.PersistedType: MinMaxType {
  /// The least value, by stored value; nil without values.
  public func min() -> Element? { Number.typed(totals.minimum, property: "self") }
  /// The greatest value, by stored value; nil without values.
  public func max() -> Element? { Number.typed(totals.maximum, property: "self") }
}

extension RealmCollection where Element: Comparable, Element.PersistedType: MinMaxType {
  /// The least value, by stored value; nil without values.
  public func min() -> Element? { Number.typed(totals.minimum, property: "self") }
  /// The greatest value, by stored value; nil without values.
  public func max() -> Element? { Number.typed(totals.maximum, property: "self") }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// The sum of the values; 0 without values. A sum that the type of the values cannot represent is
  /// a programming error.
  public func sum() -> Element { Number.sum(totals.sum) }
  /// The mean of the values; nil without values. For integers, request it as a `Double`.
  public func average<Mean: AddableType>() -> Mean? {
    Number.convert(totals.average, property: "self")
  }
}

/// Totals of values that may be null, as the type without null.
extension RealmCollection {
  /// The least non-null value; nil if all are null.
  @_disfavoredOverload
  public func min<Wrapped: _PersistableInOptional>() -> Wrapped?
  where Element == Wrapped?, Wrapped.PersistedType: MinMaxType {
    Number.typed(totals.minimum, property: "self")
  }

  /// The greatest non-null value; nil if all are null.
  @_disfavoredOverload
  public func max<Wrapped: _PersistableInOptional>() -> Wrapped?
  where Element == Wrapped?, Wrapped.PersistedType: MinMaxType {
    Number.typed(totals.maximum, property: "self")
  }

  /// The sum of the non-null values; 0 if all are null.
  @_disfavoredOverload
  public func sum<Wrapped: _PersistableInOptional>() -> Wrapped
  where Element == Wrapped?, Wrapped.PersistedType: AddableType {
    Number.sum(totals.sum)
  }
}

extension RealmCollection {
  /// The totals of the values.
  var totals: Summary { ValueTotals.summary(of: storedValues, Element._kind.type) }

  private var storedValues: [Value] {
    guard let results = _results, case .values(let values) = results.content else {
      return map { $0._element(in: .none).value }
    }
    return values.elements.values
  }
}

extension StoredElements {
  /// All values, decoded; collections in mixed values are null.
  fileprivate var values: [Value] { (0..<count).map { element(at: $0).value } }
}

extension Map {
  /// The least value of a property of the objects in the map; nil without values.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    Number.typed(summary(of: property, .min).minimum, property: property)
  }

  /// The greatest value of a property of the objects in the map; nil without values.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    Number.typed(summary(of: property, .max).maximum, property: property)
  }

  /// The sum of a property's values in the map; 0 without values.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    Number.typed(summary(of: property, .sum).sum, property: property) ?? Number.zero()
  }

  /// The mean of a property's values in the map; nil without values.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    Number.convert(summary(of: property, .average).average, property: property)
  }
}

// MARK: Properties of objects

extension RealmCollection {
  /// The least value of a property as a custom type; nil without values.
  public func min<T: _MappedValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    Number.typed(summary(of: property, .min).minimum, property: property)
  }

  /// The greatest value of a property as a custom type; nil without values.
  public func max<T: _MappedValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    Number.typed(summary(of: property, .max).maximum, property: property)
  }

  /// The sum of a property's values as a custom type.
  public func sum<T: _MappedValue>(ofProperty property: String) -> T
  where T.PersistedType: AddableType {
    Number.sum(summary(of: property, .sum).sum)
  }
}

extension Number {
  /// The value that a stored sum represents; a sum that the type cannot represent is a programming
  /// error.
  static func sum<T>(_ sum: Value) -> T {
    let sum = sum.isNull ? Value.int(0) : sum
    if let value: T = typed(sum, property: "self") { return value }
    programmingError("The sum \(DescriptionText.text(of: sum)) is not a value of '\(T.self)'.")
  }
}
