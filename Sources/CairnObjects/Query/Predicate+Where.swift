import CairnQuery

extension Predicate {
  /// The condition that a `where` closure makes for the objects of a class.
  package init<T: ObjectBase>(
    of type: T.Type, where isIncluded: (Query<T>) -> Query<Bool>
  ) {
    self = isIncluded(Query(in: nil)).predicate
  }
}
