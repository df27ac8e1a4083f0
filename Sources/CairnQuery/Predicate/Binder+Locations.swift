import CairnGeometry
import CairnStorage
import CairnValues

extension Binder {
  /// `path GEOWITHIN shape`: the path ends at a point, or at an embedded object that is a location.
  func within(_ path: PropertyPath, _ shape: Shape) throws(PredicateError) -> Node {
    let destination = try destination(path.components, .subject)
    let quantifier = try quantifier(of: path, destination, .subject)
    try checkLocation(destination)
    do { try shape.validate() } catch { throw operandError(.shape, error.message) }
    return .within(PropertyPath(quantifier, destination.components), shape)
  }

  private func checkLocation(_ destination: Destination) throws(PredicateError) {
    switch (destination.type, destination.table) {
    case (.point, _): return
    case (.embedded, let table?) where table.isLocation: return
    case (.embedded, let table?):
      throw pathError(
        .typeMismatch,
        "Property '\(PropertyName.text(of: destination.components))' links to data in the wrong format for a "
          + "geoWithin query: class '\(table.name)' would need a string 'type' and a list of doubles 'coordinates'."
      )
    case (.link, let table?):
      throw pathError(
        .typeMismatch,
        "A GEOWITHIN query can only operate on a link to an embedded class but '\(table.name)' is at the top level."
      )
    default:
      throw pathError(
        .typeMismatch, "GEOWITHIN asks about a location; \(words(destination)) is none.")
    }
  }
}
