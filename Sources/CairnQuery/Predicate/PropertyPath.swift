/// The way from an object to a value, or to many: `name`, `owner.name`, `ANY dogs.age`, `map['k']`.
package struct PropertyPath: Hashable, Sendable {
  /// Which of the values that a path leads to a condition speaks of.
  package enum Quantifier: Hashable, Sendable {
    /// The one value; a bound path of this kind passes no collection.
    case one
    /// At least one of them; of none that is false.
    case any
    /// Each of them, however many collections the path passes; of none that is true.
    case all
  }

  /// One step of the way.
  package enum Component: Sendable {
    /// A property of the object; of one that is a collection, its elements; of a map its values.
    case property(String)
    /// `['k']`: what a map, or a mixed value that is one, holds under a key; null where it holds nothing.
    case key(String)
    /// `[0]`: an element of a mixed value that is a list; null where there is none.
    case index(Int)
    /// `[*]`: every element or value of a mixed value that is a list or a map.
    case anyElement
    /// `@allKeys`: the keys of a map.
    case allKeys
    /// `@allValues`: the values of a map. A bound path leaves it out.
    case allValues
  }

  package let quantifier: Quantifier
  /// The steps; never empty.
  package let components: [Component]

  /// The way by these steps, of which there is one at least.
  package init(_ quantifier: Quantifier, _ components: [Component]) {
    self.quantifier = quantifier
    self.components = components
  }

  /// The way to one value by these steps.
  package init(_ components: [Component]) {
    self.init(.one, components)
  }

  /// The property of that name on the object itself.
  package init(_ name: String) {
    self.init([.property(name)])
  }

  /// The name, where the path is one property of the object itself.
  package var name: String? {
    guard components.count == 1, quantifier == .one, case .property(let name) = components[0] else {
      return nil
    }
    return name
  }

  /// The same way with another quantifier.
  package func with(_ quantifier: Quantifier) -> PropertyPath {
    PropertyPath(quantifier, components)
  }
}

extension PropertyPath: CustomStringConvertible {
  /// The path as the predicate language writes it.
  package var description: String { PropertyName.text(of: self) }
}

/// By code points: Swift's own equality of texts would take two spellings of one letter for the same name.
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

  /// The same for equal steps.
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
