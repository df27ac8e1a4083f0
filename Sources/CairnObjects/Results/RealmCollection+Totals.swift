import CairnQuery
import CairnStorage
import CairnValues

// What the values of collections come to. Nulls and NaNs do not count.

extension RealmCollection where Element: MinMaxType {
  /// The least value; nil when there is none.
  public func min() -> Element? { Number.own(totals.minimum, "self") }
  /// The greatest value; nil when there is none.
  public func max() -> Element? { Number.own(totals.maximum, "self") }
}

extension RealmCollection where Element: MinMaxType & Comparable {
  /// The least value; nil when there is none.
  public func min() -> Element? { Number.own(totals.minimum, "self") }
  /// The greatest value; nil when there is none.
  public func max() -> Element? { Number.own(totals.maximum, "self") }
}

extension RealmCollection where Element: AddableType {
  /// The sum of the values; 0 when there is none.
  public func sum() -> Element { Number.own(totals.sum, "self") ?? Number.zero() }
  /// The mean of the values; nil when there is none. Of integers it is asked for as a `Double`.
  public func average<Mean: AddableType>() -> Mean? { Number.convert(totals.average, "self") }
}

extension RealmCollection {
  /// The least value that is not null; nil when there is none.
  public func min<Wrapped: MinMaxType>() -> Wrapped? where Element == Wrapped? {
    Number.own(totals.minimum, "self")
  }

  /// The greatest value that is not null; nil when there is none.
  public func max<Wrapped: MinMaxType>() -> Wrapped? where Element == Wrapped? {
    Number.own(totals.maximum, "self")
  }

  /// The sum of the values that are not null; 0 when there is none.
  public func sum<Wrapped: AddableType>() -> Wrapped where Element == Wrapped? {
    Number.own(totals.sum, "self") ?? Number.zero()
  }

  /// The mean of the values that are not null; nil when there is none.
  public func average<Wrapped: AddableType, Mean: AddableType>() -> Mean?
  where Element == Wrapped? {
    Number.convert(totals.average, "self")
  }

  /// What the values come to.
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
  /// The least value; nil when there is none.
  public func min() -> Value? { Number.own(totals.minimum, "self") }
  /// The greatest value; nil when there is none.
  public func max() -> Value? { Number.own(totals.maximum, "self") }
}

extension Map where Value: AddableType {
  /// The sum of the values; 0 when there is none.
  public func sum() -> Value { Number.own(totals.sum, "self") ?? Number.zero() }
  /// The mean of the values; nil when there is none.
  public func average<Mean: AddableType>() -> Mean? { Number.convert(totals.average, "self") }
}

extension Map {
  private typealias Stored = CairnValues.Value

  fileprivate var totals: Summary {
    ValueTotals.summary(of: values.map { $0._element(in: .none).value }, Value._kind.type)
  }

  /// The least value of a property of the objects in the map; nil when there is none.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    asked.min(ofProperty: property)
  }

  /// The greatest value of a property of the objects in the map; nil when there is none.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    asked.max(ofProperty: property)
  }

  /// The sum of a property's values of the objects in the map; 0 when there is none.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    asked.sum(ofProperty: property)
  }

  /// The mean of a property's values of the objects in the map; nil when there is none.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    asked.average(ofProperty: property)
  }
}
