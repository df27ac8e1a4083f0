import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

extension RealmCollection {
  /// What the values of a property come to: count, sum, least, greatest and mean in one pass.
  public func aggregate(of property: String) -> Aggregate {
    Aggregate(trapping { try stored.found.execution.summary(of: property) })
  }

  /// The objects in groups of equal values in some properties, by rising values, each with what the
  /// values of other properties come to.
  public func aggregate(of properties: [String], by keyPaths: [String]) -> [AggregateGroup] {
    let groups = trapping {
      try stored.found.execution.groups(by: keyPaths, summarising: properties)
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
      let location = try stored.handle.location(property)
      return try stored.found.execution.counts(in: shapes.map(\.region), of: location.name)
    }
  }

  /// Runs the query, and says how: the index used, candidates, exact tests, matches, time.
  public func explain() -> String {
    stored.found.execution.explain().description
  }
}
