import CairnQuery
import CairnValues

// The totals of collections of enumerations and custom types: computed from the stored values of the elements, and given
// as elements again. Nulls and NaNs do not count.

// MARK: Least and greatest

extension RealmCollection where Element: _MappedValue, Element.PersistedType: MinMaxType {
  /// The least element by what is stored for it; nil when there is none.
  public func min() -> Element? { Number.own(totals.minimum, "self") }
  /// The greatest element by what is stored for it; nil when there is none.
  public func max() -> Element? { Number.own(totals.maximum, "self") }
}

extension RealmCollection
where Element: _MappedValue & Comparable, Element.PersistedType: MinMaxType {
  /// The least element by what is stored for it; nil when there is none.
  public func min() -> Element? { Number.own(totals.minimum, "self") }
  /// The greatest element by what is stored for it; nil when there is none.
  public func max() -> Element? { Number.own(totals.maximum, "self") }
}

extension RealmCollection {
  /// The least element that is not null; nil when there is none.
  public func min<Wrapped: _MappedValue>() -> Wrapped?
  where Element == Wrapped?, Wrapped.PersistedType: MinMaxType {
    Number.own(totals.minimum, "self")
  }

  /// The greatest element that is not null; nil when there is none.
  public func max<Wrapped: _MappedValue>() -> Wrapped?
  where Element == Wrapped?, Wrapped.PersistedType: MinMaxType {
    Number.own(totals.maximum, "self")
  }
}

// MARK: Sums and means

extension RealmCollection where Element: _MappedValue, Element.PersistedType: AddableType {
  /// The sum of what is stored for the elements, as an element. A sum that stands for none, as for most enumerations,
  /// is a programming error.
  public func sum() -> Element { Number.standing(for: totals.sum) }
  /// The mean of what is stored for the elements; nil when there is none.
  public func average<Mean: AddableType>() -> Mean? { Number.convert(totals.average, "self") }
}

extension RealmCollection {
  /// The sum of what is stored for the elements that are not null, as an element.
  public func sum<Wrapped: _MappedValue>() -> Wrapped
  where Element == Wrapped?, Wrapped.PersistedType: AddableType {
    Number.standing(for: totals.sum)
  }

  /// The mean of what is stored for the elements that are not null; nil when there is none.
  public func average<Wrapped: _MappedValue, Mean: AddableType>() -> Mean?
  where Element == Wrapped?, Wrapped.PersistedType: AddableType {
    Number.convert(totals.average, "self")
  }
}

// MARK: Properties of objects

extension RealmCollection where Element: ObjectBase {
  /// The sum of what is stored for a property of a custom type, as a value of the type.
  public func sum<T: _MappedValue>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType { mappedSum(of: keyPath) }

  /// The same of a property that may be null; nulls do not count.
  public func sum<T: _MappedValue>(of keyPath: KeyPath<Element, T?>) -> T
  where T.PersistedType: AddableType { mappedSum(of: keyPath) }

  private func mappedSum<T: _MappedValue>(of keyPath: PartialKeyPath<Element>) -> T {
    Number.standing(for: summary(of: PropertyNames.path(of: keyPath), .sum).sum)
  }
}

extension RealmCollection {
  /// The least value of a property as a custom type; nil when there is none.
  public func min<T: _MappedValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    Number.own(summary(of: property, .min).minimum, property)
  }

  /// The greatest value of a property as a custom type; nil when there is none.
  public func max<T: _MappedValue>(ofProperty property: String) -> T?
  where T.PersistedType: MinMaxType {
    Number.own(summary(of: property, .max).maximum, property)
  }

  /// The sum of a property's values as a custom type.
  public func sum<T: _MappedValue>(ofProperty property: String) -> T
  where T.PersistedType: AddableType {
    Number.standing(for: summary(of: property, .sum).sum)
  }
}

// MARK: Order

extension RealmCollection where Element: _MappedValue, Element.PersistedType: SortableType {
  /// The elements by what is stored for them; nulls come first, or last when large values do.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }
}

extension RealmCollection {
  /// The elements by what is stored for them; nulls come first, or last when large values do.
  public func sorted<Wrapped: _MappedValue>(ascending: Bool = true) -> Results<Element>
  where Element == Wrapped?, Wrapped.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }
}

extension Number {
  /// The value that a stored sum stands for; one that stands for none is a programming error.
  static func standing<T: _MappedValue>(for sum: Value) -> T {
    let sum = sum.isNull ? Value.int(0) : sum
    if let value: T = own(sum, "self") { return value }
    programmingError("The sum \(ValueText.text(of: sum)) is no value of '\(T.self)'.")
  }
}
