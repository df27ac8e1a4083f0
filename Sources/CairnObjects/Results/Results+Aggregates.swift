import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

extension Results {
  /// The least value of a property; nil when there is none. NaNs do not count.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    let summary = summary(of: property, "min") { $0.isRanked }
    return Number.convert(summary.minimum, property)
  }

  /// The greatest value of a property; nil when there is none. NaNs do not count.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    let summary = summary(of: property, "max") { $0.isRanked }
    return Number.convert(summary.maximum, property)
  }

  /// The sum of a property's values; 0 when there is none.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    let summary = summary(of: property, "sum") { $0.isSummable }
    return Number.convert(summary.sum, property) ?? Number.zero()
  }

  /// The mean of a property's values; nil when there is none.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    let summary = summary(of: property, "average") { $0.isSummable }
    return Number.convert(summary.average, property)
  }

  private func summary(
    of property: String, _ operation: String, where isAllowed: (ValueType) -> Bool
  ) -> Summary {
    guard let column = handle.table.schema.column(named: property) else {
      programmingError("Property '\(property)' not found in object of type '\(handle.name)'.")
    }
    guard isAllowed(column.type), column.collection == .none else {
      programmingError(
        "Operation '\(operation)' not supported for \(column.type.name) property "
          + "'\(handle.name).\(property)'."
      )
    }
    return trapping { try found.execution.summary(of: property) }
  }
}

extension Results {
  /// What the values of a property come to: count, sum, least, greatest and mean in one pass.
  public func aggregate(of property: String) -> Aggregate {
    Aggregate(trapping { try found.execution.summary(of: property) })
  }

  /// The objects in groups of equal values in some properties, by rising values, each with what the
  /// values of other properties come to.
  public func aggregate(of properties: [String], by keyPaths: [String]) -> [AggregateGroup] {
    let groups = trapping {
      try found.execution.groups(by: keyPaths, summarising: properties)
    }
    return groups.map { AggregateGroup($0, keyPaths, properties) }
  }

  /// How many of the objects lie in each of the shapes.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func count(inEach polygons: [GeoPolygon], property: String? = nil) -> [Int] {
    count(polygons.map { .polygon($0) }, property)
  }

  /// How many of the objects lie in each of the circles.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func count(inEach circles: [GeoCircle], property: String? = nil) -> [Int] {
    count(circles.map { .circle($0) }, property)
  }

  /// How many of the objects lie in each of the boxes.
  ///
  /// - Parameter property: the location; needed only where the class has several.
  public func count(inEach boxes: [GeoBox], property: String? = nil) -> [Int] {
    count(boxes.map { .box($0) }, property)
  }

  private func count(_ shapes: [Shape], _ property: String?) -> [Int] {
    trapping {
      for shape in shapes { try shape.validate() }
      let location = try handle.location(property)
      return try found.execution.counts(in: shapes.map(\.region), of: location.name)
    }
  }

  /// Runs the query, and says how: the index used, candidates, exact tests, matches, time.
  public func explain() -> String {
    found.execution.explain().description
  }
}
