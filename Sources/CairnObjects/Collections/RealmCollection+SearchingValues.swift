import CairnQuery

extension RealmCollection where Element: _Persistable {
  /// The first index of a value that meets a condition; nil when none does.
  ///
  ///     scores.index(matching: { $0 > 5 })
  ///
  /// - Complexity: O(n) in the number of values.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    if Element._kind.target != nil {
      programmingError(
        "Values of type '\(Element.self)' are stored as objects; index(matching:) compares values.")
    }
    var path = QueryPath()
    path.append(.property(Predicate.valueName))
    let session = realm?.session
    let predicate = isIncluded(Query(.subject(.path(path)), in: session)).predicate
    let test = trapping { try predicate.valueTest(isMixed: Element._kind.type == .mixed) }
    // Counted, so that the index is that of the loop's beginning also where the collection changes.
    for (index, element) in enumerated()
    where test(QueryConstant.value(of: element, in: session) ?? .null) {
      return index
    }
    return nil
  }
}
