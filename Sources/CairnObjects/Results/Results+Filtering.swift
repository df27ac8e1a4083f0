import CairnGeometry
import CairnQuery
import CairnStorage

extension Results {
  /// Those objects that also meet a condition in the predicate language.
  ///
  /// The text is the program's own: a mistake in it ends the program with the sentence that
  /// `Predicate(_:_:)` would throw. Text from outside goes through that and `filter(_: Predicate)`.
  public func filter(_ format: String, _ arguments: Any?...) -> Results {
    meeting(reading(format, arguments))
  }

  /// Those objects that also meet the condition.
  ///
  /// - Throws: `PredicateError` with the place, where the class has no such property or its type does not
  ///   allow the condition.
  public func filter(_ predicate: Predicate) throws -> Results {
    let results = narrowed(by: predicate.asked(of: Element.self))
    try results.found.bind()
    return results
  }

  func narrowed(by predicate: Predicate) -> Results {
    asking { $0.predicate = $0.predicate == .true ? predicate : .all([$0.predicate, predicate]) }
  }
}

// MARK: Places

extension Results {
  /// Those objects whose location lies in a circle.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func within(_ circle: GeoCircle, property: String? = nil) -> Results {
    within(.circle(circle), property)
  }

  /// Those objects whose location lies in a box.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func within(_ box: GeoBox, property: String? = nil) -> Results {
    within(.box(box), property)
  }

  /// Those objects whose location lies in a polygon; one that breaks a rule is a programming error,
  /// `GeoPolygon.validate()` tells beforehand.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func within(_ polygon: GeoPolygon, property: String? = nil) -> Results {
    within(.polygon(polygon), property)
  }

  private func within(_ shape: Shape, _ property: String?) -> Results {
    trapping {
      try shape.validate()
      let location = try handle.location(property)
      return narrowed(by: Predicate(.within(PropertyPath(location.name), shape)))
    }
  }
}
