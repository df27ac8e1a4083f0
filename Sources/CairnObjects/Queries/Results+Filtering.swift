import CairnGeometry
import CairnQuery
import CairnStorage

extension RealmCollection {
  /// The objects that also satisfy a condition in the predicate language.
  ///
  /// The text is part of the program: a mistake in it ends the program with the message that
  /// ``Predicate/init(_:_:)`` would throw. For text from outside the program, use that initializer
  /// and pass the predicate to `filter(_:)`.
  public func filter(_ format: String, _ arguments: Any?...) -> Results<Element> {
    let results = stored
    return results.meeting(results.reading(format, arguments: arguments))
  }

  /// The objects that also satisfy the predicate.
  ///
  /// - Throws: ``PredicateError``, with its position, if the class does not have such a property or
  ///   the property's type does not permit the condition.
  public func filter(_ predicate: Predicate) throws -> Results<Element> {
    let results = stored.refined(by: predicate.resolved(for: Element.self))
    try results.found.bind()
    return results
  }

  /// The index of the first object that satisfies a condition in the predicate language; nil if no
  /// object does. Unmanaged lists are searched too. In a collection of values, `SELF` is the value:
  /// `scores.index(matching: "SELF > 5")`.
  public func index(matching format: String, _ arguments: Any?...) -> Int? {
    index(meeting: condition(format, arguments: arguments))
  }

  /// The index of the first object that satisfies the predicate, or of the first value, which is
  /// `SELF`; nil if none does.
  ///
  /// - Throws: ``PredicateError``, with its position, if the predicate does not fit the class.
  public func index(matching predicate: Predicate) throws -> Int? {
    if Element._kind.target == nil { return try firstIndex(ofValueMeeting: predicate) }
    guard let results = _results else { return try UnmanagedMatching.index(in: self, predicate) }
    return try results.firstIndex(meeting: predicate.resolved(for: Element.self))
  }

  /// Parses a condition on the elements, with the arguments for its placeholders.
  package func condition(_ format: String, arguments: [Any?]) -> Predicate {
    _results?.reading(format, arguments: arguments)
      ?? orFatal { try Predicate(format: format, argumentArray: arguments) }
  }

  /// The index of the first element that matches a condition of the program's own; nil if none does.
  package func index(meeting predicate: Predicate) -> Int? {
    orFatal { try index(matching: predicate) }
  }
}

extension Results {
  /// The first index of an object that satisfies a predicate.
  func firstIndex(meeting predicate: Predicate) throws -> Int? {
    let found = found
    if query.steps.allSatisfy({ if case .sort = $0 { true } else { false } }) {
      let matches = refined(by: predicate).found
      try matches.bind()
      return matches.first.flatMap { found.index(of: $0) }
    }
    // A refined query would filter before limits and distinct, and so find other objects.
    let condition = TableQuery(table: handle.name, predicate: predicate)
    let execution = try Execution(condition, on: handle.table)
    if handle.session.isTracked {
      handle.session.trackQuery(try QueryDependencies(condition, reading: [], of: handle.table))
    }
    return found.allKeys.firstIndex(where: execution.matches)
  }

  func refined(by predicate: Predicate) -> Results {
    if query.steps.contains(where: { if case .limit = $0 { true } else { false } }) {
      programmingError("Results with a limit cannot be narrowed further; put the limit last.")
    }
    return modifyingQuery {
      $0.predicate = $0.predicate == .true ? predicate : .all([$0.predicate, predicate])
    }
  }
}

// MARK: Locations and geometries

extension RealmCollection {
  /// The objects whose location or geometry is within a circle.
  ///
  /// - Parameter property: the location or geometry; needed only if the class has several.
  public func within(_ circle: GeoCircle, property: String? = nil) -> Results<Element> {
    stored.within(.circle(circle), property: property)
  }

  /// The objects whose location or geometry is within a box.
  ///
  /// - Parameter property: the location or geometry; needed only if the class has several.
  public func within(_ box: GeoBox, property: String? = nil) -> Results<Element> {
    stored.within(.box(box), property: property)
  }

  /// The objects whose location or geometry is within a polygon. An invalid polygon is a programming
  /// error; ``GeoPolygon/validate()`` checks it beforehand.
  ///
  /// - Parameter property: the location or geometry; needed only if the class has several.
  public func within(_ polygon: GeoPolygon, property: String? = nil) -> Results<Element> {
    stored.within(.polygon(polygon), property: property)
  }
}

extension Results {
  fileprivate func within(_ shape: Shape, property: String?) -> Results {
    orFatal {
      try shape.validate()
      let location = try handle.location(property)
      return refined(by: Predicate(.relation(PropertyPath(location.name), .within, .shape(shape))))
    }
  }
}
