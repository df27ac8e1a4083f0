import CairnQuery

extension RealmCollection {
  /// The collection as results; one that is in no realm is a programming error.
  package var storedResults: Results<Element> { stored }
}

extension Results {
  /// A condition in the program's own text; a mistake in it ends the program.
  package func reading(_ format: String, _ arguments: [Any?]) -> Predicate {
    trapping {
      try Predicate(format: format, argumentArray: arguments, in: handle.session)
    }
  }

  /// Those objects that also meet a condition of the program's own.
  package func meeting(_ predicate: Predicate) -> Results {
    trapping { try filter(predicate) }
  }

  /// The place of the first object that meets a condition of the program's own; nil when none does.
  package func index(meeting predicate: Predicate) -> Int? {
    trapping { try index(matching: predicate) }
  }
}

extension ObjectBase {
  /// Whether the object, which has to be in a realm, meets a condition in the predicate language.
  package final func meets(_ format: String, _ arguments: [Any?]) -> Bool {
    let row = managedRow
    return trapping {
      let predicate = try Predicate(
        format: format, argumentArray: arguments, in: row.handle.session)
      let query = TableQuery(table: row.handle.name, predicate: predicate)
      return try Execution(query, on: row.handle.table).matches(row.key)
    }
  }
}
