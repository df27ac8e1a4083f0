import CairnQuery

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects that also match a condition.
  ///
  ///     let puppies = realm.objects(Dog.self).where { $0.age < 2 }
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    let all = stored
    let condition = isIncluded(Query(in: all.session))
    let results = all.refined(by: condition.predicate)
    orFatal { try results.found.bind() }
    return results
  }

  /// Returns the index of the first object that matches a condition, or nil if no object does.
  /// Unmanaged lists are searched too.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    guard let all = _results else {
      return orFatal {
        try UnmanagedMatching.index(in: self, isIncluded(Query(in: nil)).predicate)
      }
    }
    let condition = isIncluded(Query(in: all.session))
    return orFatal { try all.firstIndex(meeting: condition.predicate) }
  }
}

extension Predicate {
  /// Creates the condition that a `where` closure builds for the objects of a class.
  package init<T: ObjectBase>(
    of type: T.Type, where isIncluded: (Query<T>) -> Query<Bool>
  ) {
    self = isIncluded(Query(in: nil)).predicate
  }
}

extension RealmCollection {
  /// The collection as results. An unmanaged collection is a programming error.
  package var storedResults: Results<Element> { stored }
}

extension Results {
  /// Parses a condition in the program's own text. A mistake in it ends the program.
  package func reading(_ format: String, arguments: [Any?]) -> Predicate {
    orFatal {
      try Predicate(format: format, argumentArray: arguments, in: session)
    }
  }

  /// Returns the objects that also match a condition of the program's own.
  package func meeting(_ predicate: Predicate) -> Results {
    orFatal { try filter(predicate) }
  }
}

extension ObjectBase {
  /// Returns whether the object, which must be managed, matches a condition in the predicate
  /// language.
  package final func meets(_ format: String, arguments: [Any?]) -> Bool {
    let row = managedRow
    return orFatal {
      let predicate = try Predicate(
        format: format, argumentArray: arguments, in: row.handle.session)
      let query = TableQuery(table: row.handle.name, predicate: predicate)
      return try Execution(query, on: row.handle.table).matches(row.key)
    }
  }
}
