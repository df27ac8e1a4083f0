/// Something in a store that is not as it should be.
package struct IntegrityFinding: Sendable, Equatable, CustomStringConvertible {
  /// What it harms, and so what to do about it.
  package enum Harm: String, Sendable {
    /// Objects, or what is needed to read them: only a copy brings them back.
    case data
    /// What is made from the objects, and can be made again.
    case index
    /// Nothing: space that nobody uses.
    case space
  }

  package let harm: Harm
  /// The class that it was found in.
  package let className: String?
  /// The property; nil where the class as a whole is meant.
  package let property: String?
  /// The chunk of 4096 objects, from 0.
  package let chunk: Int?
  /// What is wrong, as the rest of a sentence behind the place.
  package let message: String

  package init(
    _ harm: Harm, className: String? = nil, property: String? = nil, chunk: Int? = nil,
    _ message: String
  ) {
    self.harm = harm
    self.className = className
    self.property = property
    self.chunk = chunk
    self.message = message
  }

  /// Where it was found, as in `'cities.name', chunk 3`; empty where no class is concerned.
  package var place: String {
    guard let className else { return "" }
    let name = property.map { "'\(className).\($0)'" } ?? "class '\(className)'"
    return chunk.map { "\(name), chunk \($0)" } ?? name
  }

  package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
