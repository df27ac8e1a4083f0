import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// The totals of one property's values.
public struct Aggregate: Sendable, CustomStringConvertible {
  private let summary: Summary

  init(_ summary: Summary) {
    self.summary = summary
  }

  /// The number of non-null values.
  public var count: Int { summary.count }
  /// The sum, in the property's own type if that can hold it; nil if the type cannot be summed.
  public var sum: Any? { Bridge.any(summary.sum) }
  /// The least value; nil without values.
  public var min: Any? { Bridge.any(summary.minimum) }
  /// The greatest value; nil without values.
  public var max: Any? { Bridge.any(summary.maximum) }
  /// The mean; nil without values, or if the type cannot be summed.
  public var average: Double? { summary.average.doubleValue }

  /// All totals in one line.
  public var description: String {
    let parts = [
      "count: \(count)", "sum: \(DescriptionText.text(of: summary.sum))",
      "min: \(DescriptionText.text(of: summary.minimum))",
      "max: \(DescriptionText.text(of: summary.maximum))",
      "average: \(DescriptionText.text(of: summary.average))",
    ]
    return "Aggregate(\(parts.joined(separator: ", ")))"
  }
}

/// A group of objects with equal values in some properties.
public struct AggregateGroup: Sendable {
  private let group: Group
  private let keyPaths: [String]
  private let properties: [String]

  init(_ group: Group, keyPaths: [String], properties: [String]) {
    self.group = group
    self.keyPaths = keyPaths
    self.properties = properties
  }

  /// The number of objects in the group.
  public var count: Int { group.count }

  /// The common value of a property of the grouping; nil for null.
  public subscript(keyPath: String) -> Any? {
    guard let index = keyPaths.firstIndex(of: keyPath) else {
      programmingError("The objects are not grouped by '\(keyPath)'.")
    }
    return Bridge.any(group.values[index])
  }

  /// Returns the totals of a property's values in the group.
  public func aggregate(of property: String) -> Aggregate {
    guard let index = properties.firstIndex(of: property) else {
      programmingError("Property '\(property)' was not among those to aggregate.")
    }
    return Aggregate(group.summaries[index])
  }
}

/// The objects of results that have equal values in one property: their number, and the totals of
/// another property's values. Nulls and NaNs count only towards ``count``.
public struct KeyedAggregate<Key, Value> {
  /// The common value of the objects; nil for null in an optional property.
  public let key: Key
  /// The number of objects.
  public let count: Int
  /// The least value; nil without values.
  public let min: Value?
  /// The greatest value; nil without values.
  public let max: Value?
  /// The sum of the values; nil if they cannot be summed.
  public let sum: Value?
  /// The mean of the values; nil without values, or if they cannot be summed.
  public let average: Double?
}

extension KeyedAggregate: Sendable where Key: Sendable, Value: Sendable {}
extension KeyedAggregate: Equatable where Key: Equatable, Value: Equatable {}

extension RealmCollection where Element: ObjectBase {
  /// The number of objects for each value of a property, in ascending order of the values.
  ///
  ///     for group in dogs.aggregate(by: \.color) { print(group.key, group.count) }
  public func aggregate<Key: _Persistable>(
    by keyPath: KeyPath<Element, Key>
  ) -> [KeyedAggregate<Key, Never>] {
    groups(by: keyPath, of: []).map { group in
      KeyedAggregate(
        key: group.key(), count: group.count, min: nil, max: nil, sum: nil, average: nil)
    }
  }

  /// The totals of a property's values for each value of another property, in ascending order of
  /// the latter.
  ///
  ///     for group in dogs.aggregate(of: \.age, by: \.color) { print(group.key, group.average ?? 0)
  ///     }
  @_disfavoredOverload
  public func aggregate<Key: _Persistable, Value: _Persistable>(
    of property: KeyPath<Element, Value>, by keyPath: KeyPath<Element, Key>
  ) -> [KeyedAggregate<Key, Value>] {
    keyed(of: property, by: keyPath)
  }

  /// The totals of an optional property's values for each value of another property, in ascending
  /// order of the latter.
  public func aggregate<Key: _Persistable, Value: _Persistable>(
    of property: KeyPath<Element, Value?>, by keyPath: KeyPath<Element, Key>
  ) -> [KeyedAggregate<Key, Value>] {
    keyed(of: property, by: keyPath)
  }

  private func keyed<Key: _Persistable, Value>(
    of property: PartialKeyPath<Element>, by keyPath: KeyPath<Element, Key>
  ) -> [KeyedAggregate<Key, Value>] {
    let name = PropertyNames.path(of: property)
    return groups(by: keyPath, of: [name]).map { group in
      KeyedAggregate(key: group.key(), count: group.count, of: group.summaries[0], property: name)
    }
  }

  private func groups(by keyPath: PartialKeyPath<Element>, of properties: [String]) -> [Group] {
    let name = PropertyNames.path(of: keyPath)
    return orFatal {
      try stored.found.boundExecution(reading: [name] + properties)
        .groups(by: [name], summarising: properties)
    }
  }
}

extension KeyedAggregate {
  /// Creates the totals of the values of a property in a group.
  init(key: Key, count: Int, of summary: Summary, property: String) {
    self.init(
      key: key, count: count, min: Number.typed(summary.minimum, property: property),
      max: Number.typed(summary.maximum, property: property),
      sum: Number.typed(summary.sum, property: property), average: summary.average.doubleValue)
  }
}

extension Group {
  /// The common value of the group's objects in the first property.
  func key<Key: _Persistable>() -> Key {
    if values[0].isNull { return Key._default() }
    guard let key: Key = Number.typed(values[0], property: "key") else { return Key._default() }
    return key
  }
}

extension RealmCollection {
  /// Returns the totals of a property's values: count, sum, minimum, maximum and mean, computed in
  /// one pass.
  public func aggregate(of property: String) -> Aggregate {
    orFatal { try aggregate(validating: property) }
  }

  /// Groups the objects by the values of some properties, and returns the groups in ascending order
  /// of these values, each with the totals of other properties.
  ///
  /// - Parameters:
  ///   - properties: the properties to aggregate.
  ///   - keyPaths: the properties to group by.
  public func aggregate(of properties: [String], by keyPaths: [String]) -> [AggregateGroup] {
    let groups = orFatal {
      try stored.found.boundExecution(reading: keyPaths + properties)
        .groups(by: keyPaths, summarising: properties)
    }
    return groups.map { AggregateGroup($0, keyPaths: keyPaths, properties: properties) }
  }

  /// Returns the number of objects within each of the polygons.
  ///
  /// - Parameter property: the location; needed only if the class has several.
  public func count(inEach polygons: [GeoPolygon], property: String? = nil) -> [Int] {
    count(polygons.map { .polygon($0) }, property: property)
  }

  /// Returns the number of objects within each of the circles.
  ///
  /// - Parameter property: the location; needed only if the class has several.
  public func count(inEach circles: [GeoCircle], property: String? = nil) -> [Int] {
    count(circles.map { .circle($0) }, property: property)
  }

  /// Returns the number of objects within each of the boxes.
  ///
  /// - Parameter property: the location; needed only if the class has several.
  public func count(inEach boxes: [GeoBox], property: String? = nil) -> [Int] {
    count(boxes.map { .box($0) }, property: property)
  }

  private func count(_ shapes: [Shape], property: String?) -> [Int] {
    orFatal {
      for shape in shapes { try shape.validate() }
      let location = try stored.handle.location(property)
      return try stored.found.boundExecution(reading: [location.name])
        .counts(in: shapes.map(\.region), of: location.name)
    }
  }

  /// Runs the query and describes the execution: the index used, candidates, exact tests, matches
  /// and time.
  public func explain() -> String {
    stored.found.execution.explain().description
  }
}
