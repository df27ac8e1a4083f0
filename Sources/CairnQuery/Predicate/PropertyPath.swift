/// The way from an object to a value: `name`, `owner.name`.
package struct PropertyPath: Hashable, Sendable {
  /// One step of the way.
  package enum Component: Hashable, Sendable {
    case property(String)
  }

  /// The steps; never empty.
  package let components: [Component]

  /// The way by these steps, of which there is one at least.
  package init(_ components: [Component]) {
    self.components = components
  }

  /// The property of that name on the object itself.
  package init(_ name: String) {
    self.init([.property(name)])
  }

  /// The name, where the path is one property of the object itself.
  package var name: String? {
    guard components.count == 1, case .property(let name) = components[0] else { return nil }
    return name
  }

  /// The names of the steps.
  package var names: [String] {
    components.map { component in
      switch component {
      case .property(let name): name
      }
    }
  }
}

/// By code points: Swift's own equality of texts would take two spellings of one letter for the same name.
extension PropertyPath.Component {
  /// Whether the steps are the same.
  package static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.property(let x), .property(let y)): x.utf8.elementsEqual(y.utf8)
    }
  }

  /// The same for equal steps.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .property(let name): for byte in name.utf8 { hasher.combine(byte) }
    }
  }
}
