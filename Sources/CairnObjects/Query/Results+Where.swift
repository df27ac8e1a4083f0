import CairnQuery

extension RealmCollection where Element: ObjectBase {
  /// Those objects that also meet a condition.
  ///
  ///     let puppies = realm.objects(Dog.self).where { $0.age < 2 }
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    let all = stored
    let condition = isIncluded(Query(in: all.session))
    let results = all.narrowed(by: condition.predicate)
    trapping { try results.found.bind() }
    return results
  }

  /// The place of the first object that meets a condition; nil when none does. A list in no realm is searched too.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    guard let all = _results else {
      return trapping {
        try LooseMatching.index(in: self, isIncluded(Query(in: nil)).predicate)
      }
    }
    let condition = isIncluded(Query(in: all.session))
    return trapping { try all.place(meeting: condition.predicate) }
  }
}
