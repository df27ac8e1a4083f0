/// A property to sort by, and the direction.
public struct SortDescriptor: Hashable, Sendable, ExpressibleByStringLiteral,
  ExpressibleByExtendedGraphemeClusterLiteral, ExpressibleByUnicodeScalarLiteral
{
  /// The property, or the way to one through links and embedded objects: `favoriteToy.name`.
  public let keyPath: String
  /// Whether small values come first.
  public let ascending: Bool

  /// Sorts by the property.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  /// Sorts by the property of a key path; of a computed one by the property that it reads.
  public init<Root: ObjectBase, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool = true) {
    self.init(keyPath: PropertyNames.path(of: keyPath), ascending: ascending)
  }

  /// Sorts by the property of a key path; of a computed one by the property that it reads.
  public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
    self.init(keyPath: PropertyNames.path(of: keyPath), ascending: ascending)
  }

  /// Sorts by the property of that name, small values first.
  public init(stringLiteral keyPath: String) {
    self.init(keyPath: keyPath)
  }

  /// The same property in the other direction.
  public func reversed() -> SortDescriptor {
    SortDescriptor(keyPath: keyPath, ascending: !ascending)
  }
}

extension SortDescriptor: CustomStringConvertible {
  /// The property and the direction.
  public var description: String {
    "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
  }
}

/// The stored properties that key paths lead to, as dotted text.
package enum PropertyNames {
  /// A key path that reads no stored property, or several beside one another, is a programming error.
  static func path<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String {
    let names = KeyPathTracer.names(in: keyPath)
    if names.isEmpty {
      programmingError("The key path of '\(Root.self)' reads no stored property.")
    }
    return names.joined(separator: ".")
  }
}
