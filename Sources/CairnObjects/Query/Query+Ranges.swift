import CairnQuery
import CairnValues

extension Query where T: _Persistable & Comparable, T.PersistedType: _QueryOrdered {
  /// From the lower bound up to the upper one, which is left out.
  public func contains(_ range: Range<T>) -> Query<Bool> {
    isWithin(range.lowerBound, below: range.upperBound)
  }

  /// From the lower bound to the upper one.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    isBetween(range.lowerBound, range.upperBound)
  }
}

extension Query {
  /// From the lower bound up to the upper one, which is left out; never for null.
  public func contains<Bound: _Persistable & Comparable>(
    _ range: Range<Bound>
  ) -> Query<Bool> where T == Bound?, Bound.PersistedType: _QueryOrdered {
    isWithin(range.lowerBound, below: range.upperBound)
  }

  /// From the lower bound to the upper one; never for null.
  public func contains<Bound: _Persistable & Comparable>(
    _ range: ClosedRange<Bound>
  ) -> Query<Bool> where T == Bound?, Bound.PersistedType: _QueryOrdered {
    isBetween(range.lowerBound, range.upperBound)
  }
}

// MARK: Collections

extension Query
where
  T: _QueryCollection, T._QueryElement: _Persistable & Comparable,
  T._QueryElement.PersistedType: _QueryRanked
{
  /// Every element from the lower bound up to the upper one, which is left out; there has to be an element.
  public func contains(_ range: Range<T._QueryElement>) -> Query<Bool> {
    spans(range.lowerBound, .less, range.upperBound)
  }

  /// Every element from the lower bound to the upper one; there has to be an element.
  public func contains(_ range: ClosedRange<T._QueryElement>) -> Query<Bool> {
    spans(range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query where T: _QueryCollection {
  /// Every element that is not null from the lower bound up to the upper one, which is left out; there has to
  /// be such an element.
  public func contains<Bound: _Persistable & Comparable>(
    _ range: Range<Bound>
  ) -> Query<Bool> where T._QueryElement == Bound?, Bound.PersistedType: _QueryRanked {
    spans(range.lowerBound, .less, range.upperBound)
  }

  /// Every element that is not null from the lower bound to the upper one; there has to be such an element.
  public func contains<Bound: _Persistable & Comparable>(
    _ range: ClosedRange<Bound>
  ) -> Query<Bool> where T._QueryElement == Bound?, Bound.PersistedType: _QueryRanked {
    spans(range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query {
  private func isBetween(_ lower: Any, _ upper: Any) -> Query<Bool> {
    let (low, high) = (constant(lower), constant(upper))
    return leaf { .between($0, low, high) }
  }

  private func isWithin(_ lower: Any, below upper: Any) -> Query<Bool> {
    compared(.greaterOrEqual, lower) && compared(.less, upper)
  }

  private func spans(_ lower: Any, _ operation: ComparisonOperator, _ upper: Any) -> Query<Bool> {
    let least = Query(.subject(.aggregate(.min, path)), in: session)
    let greatest = Query(.subject(.aggregate(.max, path)), in: session)
    return least.compared(.greaterOrEqual, lower) && greatest.compared(operation, upper)
  }
}
