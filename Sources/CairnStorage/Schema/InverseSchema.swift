/// An inverse property: the objects of a class that link to an object through one of their properties. It holds no data.
package struct InverseSchema: Hashable, Sendable {
  package let name: String
  /// The class that the links come from.
  package let origin: String
  /// The property of that class that holds them.
  package let property: String

  package init(name: String, origin: String, property: String) {
    self.name = name
    self.origin = origin
    self.property = property
  }
}
