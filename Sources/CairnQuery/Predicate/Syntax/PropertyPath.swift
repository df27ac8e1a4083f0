/// The path from an object to a value or to many values: `name`, `owner.name`, `ANY dogs.age`,
/// `map['k']`.
package struct PropertyPath: Hashable, Sendable {
  /// The number of values at the end of a path that must meet a condition.
  package enum Quantifier: Hashable, Sendable {
    /// The single value; a bound path of this kind passes through no collection.
    case one
    /// At least one of the values; false without any.
    case any
    /// Every value, however many collections the path passes through; true without any.
    case all
  }

  /// One step of a path.
  package enum Component: Sendable {
    /// A property of the object. A collection means its elements, a map its values.
    case property(String)
    /// `['k']`: the value of a key in a map, or in a mixed value that is a map; null if the key is
    /// missing.
    case key(String)
    /// `[0]`: an element of a mixed value that is a list; null if the index is out of range.
    case index(Int)
    /// `[*]`: every element or value of a mixed value that is a list or a map.
    case anyElement
    /// `@allKeys`: the keys of a map.
    case allKeys
    /// `@allValues`: the values of a map. A bound path leaves it out.
    case allValues
  }

  /// The number of values at the end that must meet a condition.
  package let quantifier: Quantifier
  /// The steps; never empty.
  package let components: [Component]

  /// Creates a path of at least one step.
  package init(_ quantifier: Quantifier, components: [Component]) {
    self.quantifier = quantifier
    self.components = components
  }

  /// Creates a path to a single value.
  package init(_ components: [Component]) {
    self.init(.one, components: components)
  }

  /// Creates a path to a property of the object itself.
  package init(_ name: String) {
    self.init([.property(name)])
  }

  /// The name of the property, if the path is a single property of the object itself.
  package var name: String? {
    guard components.count == 1, quantifier == .one, case .property(let name) = components[0] else {
      return nil
    }
    return name
  }

  /// The same path with another quantifier.
  package func with(_ quantifier: Quantifier) -> PropertyPath {
    PropertyPath(quantifier, components: components)
  }
}

extension PropertyPath: CustomStringConvertible {
  /// The path in the predicate language.
  package var description: String { PropertyName.text(of: self) }
}

/// Equality compares code points. Swift's own equality of strings would take two spellings of one
/// letter for the same name.
extension PropertyPath.Component: Hashable {
  /// Whether the steps are the same.
  package static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.property(let x), .property(let y)), (.key(let x), .key(let y)):
      x.utf8.elementsEqual(y.utf8)
    case (.index(let x), .index(let y)): x == y
    case (.anyElement, .anyElement), (.allKeys, .allKeys), (.allValues, .allValues): true
    default: false
    }
  }

  /// Hashes the step.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .property(let name): for byte in name.utf8 { hasher.combine(byte) }
    case .key(let key):
      hasher.combine(1)
      for byte in key.utf8 { hasher.combine(byte) }
    case .index(let index):
      hasher.combine(2)
      hasher.combine(index)
    case .anyElement: hasher.combine(3)
    case .allKeys: hasher.combine(4)
    case .allValues: hasher.combine(5)
    }
  }
}
