import CairnGeometry
import CairnQuery
import CairnStorage

extension RealmCollection {
  /// Those objects that also meet a condition in the predicate language.
  ///
  /// The text is the program's own: a mistake in it ends the program with the sentence that
  /// `Predicate(_:_:)` would throw. Text from outside goes through that and `filter(_: Predicate)`.
  public func filter(_ format: String, _ arguments: Any?...) -> Results<Element> {
    let results = stored
    return results.meeting(results.reading(format, arguments))
  }

  /// Those objects that also meet the condition.
  ///
  /// - Throws: `PredicateError` with the place, where the class has no such property or its type does not
  ///   allow the condition.
  public func filter(_ predicate: Predicate) throws -> Results<Element> {
    let results = stored.narrowed(by: predicate.asked(of: Element.self))
    try results.found.bind()
    return results
  }

  /// The place of the first object that meets a condition in the predicate language; nil when none does. A list in no realm
  /// is searched too.
  public func index(matching format: String, _ arguments: Any?...) -> Int? {
    guard let results = _results else {
      return trapping {
        try LooseMatching.index(in: self, Predicate(format: format, argumentArray: arguments))
      }
    }
    return results.index(meeting: results.reading(format, arguments))
  }

  /// The place of the first object that meets the condition; nil when none does.
  ///
  /// - Throws: `PredicateError` with the place, where the class cannot be asked this.
  public func index(matching predicate: Predicate) throws -> Int? {
    guard let results = _results else { return try LooseMatching.index(in: self, predicate) }
    return try results.place(meeting: predicate.asked(of: Element.self))
  }
}

extension Results {
  /// The first place of an object that meets a condition.
  func place(meeting predicate: Predicate) throws -> Int? {
    let found = found
    if query.steps.allSatisfy({ if case .sort = $0 { true } else { false } }) {
      let matches = narrowed(by: predicate).found
      try matches.bind()
      return matches.first.flatMap { found.place(of: $0) }
    }
    // Narrowing would come before limits and distinct, and other objects would be left.
    let condition = TableQuery(table: handle.name, predicate: predicate)
    let execution = try Execution(condition, on: handle.table)
    return found.allKeys.firstIndex(where: execution.matches)
  }

  func narrowed(by predicate: Predicate) -> Results {
    if query.steps.contains(where: { if case .limit = $0 { true } else { false } }) {
      programmingError("Results with a limit cannot be narrowed further; put the limit last.")
    }
    return asking {
      $0.predicate = $0.predicate == .true ? predicate : .all([$0.predicate, predicate])
    }
  }
}

// MARK: Places

extension RealmCollection {
  /// Those objects whose location lies in a circle.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func within(_ circle: GeoCircle, property: String? = nil) -> Results<Element> {
    stored.within(.circle(circle), property)
  }

  /// Those objects whose location lies in a box.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func within(_ box: GeoBox, property: String? = nil) -> Results<Element> {
    stored.within(.box(box), property)
  }

  /// Those objects whose location lies in a polygon; one that breaks a rule is a programming error,
  /// `GeoPolygon.validate()` tells beforehand.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func within(_ polygon: GeoPolygon, property: String? = nil) -> Results<Element> {
    stored.within(.polygon(polygon), property)
  }
}

extension Results {
  fileprivate func within(_ shape: Shape, _ property: String?) -> Results {
    trapping {
      try shape.validate()
      let location = try handle.location(property)
      return narrowed(by: Predicate(.within(PropertyPath(location.name), shape)))
    }
  }
}
