import CairnQuery
import CairnStorage
import CairnValues

// Totals of the values of collections. Nulls and NaNs are ignored.

extension RealmCollection where Element: MinMaxType {
  /// The least value; nil without values.
  public func min() -> Element? { Number.typed(totals.minimum, property: "self") }
  /// The greatest value; nil without values.
  public func max() -> Element? { Number.typed(totals.maximum, property: "self") }
}

extension RealmCollection where Element: MinMaxType & Comparable {
  /// The least value; nil without values.
  public func min() -> Element? { Number.typed(totals.minimum, property: "self") }
  /// The greatest value; nil without values.
  public func max() -> Element? { Number.typed(totals.maximum, property: "self") }
}

extension RealmCollection where Element: AddableType {
  /// The sum of the values; 0 without values.
  public func sum() -> Element { Number.typed(totals.sum, property: "self") ?? Number.zero() }
  /// The mean of the values; nil without values. For integers, request it as a `Double`.
  public func average<Mean: AddableType>() -> Mean? {
    Number.convert(totals.average, property: "self")
  }
}

extension RealmCollection {
  /// The least non-null value; nil if all are null.
  public func min<Wrapped: MinMaxType>() -> Wrapped? where Element == Wrapped? {
    Number.typed(totals.minimum, property: "self")
  }

  /// The greatest non-null value; nil if all are null.
  public func max<Wrapped: MinMaxType>() -> Wrapped? where Element == Wrapped? {
    Number.typed(totals.maximum, property: "self")
  }

  /// The sum of the non-null values; 0 if all are null.
  public func sum<Wrapped: AddableType>() -> Wrapped where Element == Wrapped? {
    Number.typed(totals.sum, property: "self") ?? Number.zero()
  }

  /// The mean of the non-null values; nil if all are null.
  public func average<Wrapped: AddableType, Mean: AddableType>() -> Mean?
  where Element == Wrapped? {
    Number.convert(totals.average, property: "self")
  }

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

extension Map where Value: MinMaxType {
  /// The least value; nil without values.
  public func min() -> Value? { Number.typed(totals.minimum, property: "self") }
  /// The greatest value; nil without values.
  public func max() -> Value? { Number.typed(totals.maximum, property: "self") }
}

extension Map where Value: AddableType {
  /// The sum of the values; 0 without values.
  public func sum() -> Value { Number.typed(totals.sum, property: "self") ?? Number.zero() }
  /// The mean of the values; nil without values.
  public func average<Mean: AddableType>() -> Mean? {
    Number.convert(totals.average, property: "self")
  }
}

extension Map {
  private typealias Stored = CairnValues.Value

  fileprivate var totals: Summary {
    ValueTotals.summary(of: values.map { $0._element(in: .none).value }, Value._kind.type)
  }

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

// Totals of collections of enumerations and custom types, computed from the stored values and
// converted back to elements. Nulls and NaNs are ignored.

// MARK: Least and greatest

extension RealmCollection where Element: _MappedValue, Element.PersistedType: MinMaxType {
  /// The least element by stored value; nil without elements.
  public func min() -> Element? { Number.typed(totals.minimum, property: "self") }
  /// The greatest element by stored value; nil without elements.
  public func max() -> Element? { Number.typed(totals.maximum, property: "self") }
}

extension RealmCollection
where Element: _MappedValue & Comparable, Element.PersistedType: MinMaxType {
  /// The least element by stored value; nil without elements.
  public func min() -> Element? { Number.typed(totals.minimum, property: "self") }
  /// The greatest element by stored value; nil without elements.
  public func max() -> Element? { Number.typed(totals.maximum, property: "self") }
}

extension RealmCollection {
  /// The least non-null element by stored value; nil if all are null.
  public func min<Wrapped: _MappedValue>() -> Wrapped?
  where Element == Wrapped?, Wrapped.PersistedType: MinMaxType {
    Number.typed(totals.minimum, property: "self")
  }

  /// The greatest non-null element by stored value; nil if all are null.
  public func max<Wrapped: _MappedValue>() -> Wrapped?
  where Element == Wrapped?, Wrapped.PersistedType: MinMaxType {
    Number.typed(totals.maximum, property: "self")
  }
}

// MARK: Sums and means

extension RealmCollection where Element: _MappedValue, Element.PersistedType: AddableType {
  /// The sum of the stored values, converted to an element. A sum that the element type cannot
  /// represent, as with most enumerations, is a programming error.
  public func sum() -> Element { Number.value(for: totals.sum) }
  /// The mean of the stored values; nil without elements.
  public func average<Mean: AddableType>() -> Mean? {
    Number.convert(totals.average, property: "self")
  }
}

extension RealmCollection {
  /// The sum of the stored values of the non-null elements, converted to an element.
  public func sum<Wrapped: _MappedValue>() -> Wrapped
  where Element == Wrapped?, Wrapped.PersistedType: AddableType {
    Number.value(for: totals.sum)
  }

  /// The mean of the stored values of the non-null elements; nil if all are null.
  public func average<Wrapped: _MappedValue, Mean: AddableType>() -> Mean?
  where Element == Wrapped?, Wrapped.PersistedType: AddableType {
    Number.convert(totals.average, property: "self")
  }
}

// MARK: Properties of objects

extension RealmCollection where Element: ObjectBase {
  /// The sum of a property's stored values, converted to the property's custom type.
  public func sum<T: _MappedValue>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType { mappedSum(of: keyPath) }

  /// The sum of an optional property's stored values, converted to the property's custom type.
  /// Nulls are ignored.
  public func sum<T: _MappedValue>(of keyPath: KeyPath<Element, T?>) -> T
  where T.PersistedType: AddableType { mappedSum(of: keyPath) }

  private func mappedSum<T: _MappedValue>(of keyPath: PartialKeyPath<Element>) -> T {
    Number.value(for: summary(of: PropertyNames.path(of: keyPath), .sum).sum)
  }
}

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
    Number.value(for: summary(of: property, .sum).sum)
  }
}

// MARK: Order

extension RealmCollection where Element: _MappedValue, Element.PersistedType: SortableType {
  /// The elements, sorted by stored value. Nulls come first in ascending order and last in
  /// descending order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }
}

extension RealmCollection {
  /// The elements, sorted by stored value. Nulls come first in ascending order and last in
  /// descending order.
  public func sorted<Wrapped: _MappedValue>(ascending: Bool = true) -> Results<Element>
  where Element == Wrapped?, Wrapped.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }
}

extension Number {
  /// The value that a stored sum represents; a sum that the type cannot represent is a programming
  /// error.
  static func value<T: _MappedValue>(for sum: Value) -> T {
    let sum = sum.isNull ? Value.int(0) : sum
    if let value: T = typed(sum, property: "self") { return value }
    programmingError("The sum \(DescriptionText.text(of: sum)) is not a value of '\(T.self)'.")
  }
}
