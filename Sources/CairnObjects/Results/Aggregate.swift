import CairnQuery
import CairnValues

/// What the values of one property come to.
public struct Aggregate: Sendable, CustomStringConvertible {
  private let summary: Summary

  init(_ summary: Summary) {
    self.summary = summary
  }

  /// Values that are not null.
  public var count: Int { summary.count }
  /// The sum, of the property's own type where that can hold it; nil where the type cannot be added up.
  public var sum: Any? { Bridge.any(summary.sum) }
  /// The least value; nil when there is none.
  public var min: Any? { Bridge.any(summary.minimum) }
  /// The greatest value; nil when there is none.
  public var max: Any? { Bridge.any(summary.maximum) }
  /// The mean; nil when there is no value, or the type cannot be added up.
  public var average: Double? { Number.double(summary.average) }

  /// All of it in one line.
  public var description: String {
    let parts = [
      "count: \(count)", "sum: \(ValueText.text(of: summary.sum))",
      "min: \(ValueText.text(of: summary.minimum))", "max: \(ValueText.text(of: summary.maximum))",
      "average: \(ValueText.text(of: summary.average))",
    ]
    return "Aggregate(\(parts.joined(separator: ", ")))"
  }
}

/// Objects that are equal in some properties.
public struct AggregateGroup: Sendable {
  private let group: Group
  private let keyPaths: [String]
  private let properties: [String]

  init(_ group: Group, _ keyPaths: [String], _ properties: [String]) {
    self.group = group
    self.keyPaths = keyPaths
    self.properties = properties
  }

  /// How many objects there are.
  public var count: Int { group.count }

  /// The value that all of them have in a property of the grouping; nil for null.
  public subscript(keyPath: String) -> Any? {
    guard let place = keyPaths.firstIndex(of: keyPath) else {
      programmingError("The groups were not made by '\(keyPath)'.")
    }
    return Bridge.any(group.values[place])
  }

  /// What the values of a property come to in the group.
  public func aggregate(of property: String) -> Aggregate {
    guard let place = properties.firstIndex(of: property) else {
      programmingError("Property '\(property)' was not among those to aggregate.")
    }
    return Aggregate(group.summaries[place])
  }
}
