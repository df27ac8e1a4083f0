import CairnQuery
import CairnValues

extension Query where T: _Persistable & Comparable, T.PersistedType: _QueryOrdered {
  /// Tests whether the property lies in a range that excludes its upper bound.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    isWithin(range.lowerBound, below: range.upperBound)
  }

  /// Tests whether the property lies in a range that includes its upper bound.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    isBetween(range.lowerBound, upper: range.upperBound)
  }
}

extension Query {
  /// Tests whether the property lies in a range that excludes its upper bound; false for null.
  public func contains<Bound: _Persistable & Comparable>(
    _ range: Range<Bound>
  ) -> Query<Bool> where T == Bound?, Bound.PersistedType: _QueryOrdered {
    isWithin(range.lowerBound, below: range.upperBound)
  }

  /// Tests whether the property lies in a range that includes its upper bound; false for null.
  public func contains<Bound: _Persistable & Comparable>(
    _ range: ClosedRange<Bound>
  ) -> Query<Bool> where T == Bound?, Bound.PersistedType: _QueryOrdered {
    isBetween(range.lowerBound, upper: range.upperBound)
  }
}

// MARK: Collections

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable & Comparable,
  T._QueryElement.PersistedType: _QueryNumeric
{
  /// Tests whether every element lies in a range that excludes its upper bound; false for an empty
  /// collection.
  public func contains(_ range: Range<T._QueryElement>) -> Query<Bool> {
    spans(range.lowerBound, operation: .less, upper: range.upperBound)
  }

  /// Tests whether every element lies in a range that includes its upper bound; false for an empty
  /// collection.
  public func contains(_ range: ClosedRange<T._QueryElement>) -> Query<Bool> {
    spans(range.lowerBound, operation: .lessOrEqual, upper: range.upperBound)
  }
}

extension Query where T: _QueryCollection {
  /// Tests whether every non-null element lies in a range that excludes its upper bound; false
  /// without such an element.
  public func contains<Bound: _Persistable & Comparable>(
    _ range: Range<Bound>
  ) -> Query<Bool> where T._QueryElement == Bound?, Bound.PersistedType: _QueryNumeric {
    spans(range.lowerBound, operation: .less, upper: range.upperBound)
  }

  /// Tests whether every non-null element lies in a range that includes its upper bound; false
  /// without such an element.
  public func contains<Bound: _Persistable & Comparable>(
    _ range: ClosedRange<Bound>
  ) -> Query<Bool> where T._QueryElement == Bound?, Bound.PersistedType: _QueryNumeric {
    spans(range.lowerBound, operation: .lessOrEqual, upper: range.upperBound)
  }
}

extension Query {
  private func isBetween(_ lower: Any, upper: Any) -> Query<Bool> {
    let (low, high) = (constant(lower), constant(upper))
    return comparison { .between($0, low, high) }
  }

  private func isWithin(_ lower: Any, below upper: Any) -> Query<Bool> {
    compared(.greaterOrEqual, value: lower) && compared(.less, value: upper)
  }

  private func spans(_ lower: Any, operation: ComparisonOperator, upper: Any) -> Query<Bool> {
    let least = Query(.subject(.aggregate(.min, path)), in: session)
    let greatest = Query(.subject(.aggregate(.max, path)), in: session)
    return least.compared(.greaterOrEqual, value: lower)
      && greatest.compared(operation, value: upper)
  }
}
