import CairnStorage
import CairnValues

/// A property path, resolved in the classes that it passes through.
///
/// Filters, sort keys, groups, joins, live results and SQL read the same resolved path, so that all of
/// them agree on its meaning. It is a reference, so that deep conditions need little stack.
package final class BoundPath: Sendable {
  /// The number of values at the end that must meet a condition.
  package let quantifier: PropertyPath.Quantifier
  /// The steps as written, without the redundant ones: `@allValues`, and `[*]` on a collection that no
  /// subscript follows.
  package let components: [PropertyPath.Component]
  /// The steps from object to object.
  let links: [Link]
  /// The part of the objects behind the links that is read.
  let end: End
  /// The subscripts into the mixed values at the end.
  let below: [PropertyPath.Component]
  /// The hidden column of the location that the embedded object at the end describes; nil for other
  /// ends.
  let location: ColumnSchema?

  /// A step from the objects of one class to those of another.
  enum Link: Sendable {
    /// A link, or an embedded object.
    case toOne(ColumnSchema)
    /// The objects of a list, a set or a map.
    case toMany(ColumnSchema)
    /// The object under a key of a map.
    case entry(ColumnSchema, key: String)
    /// The objects that link here through one of their properties.
    case inverse(InverseSchema)
  }

  /// The end of a path.
  enum End: Sendable {
    /// The object itself.
    case object
    /// A property.
    case column(ColumnSchema)
    /// The elements of a collection of values.
    case elements(ColumnSchema)
    /// A map's value for a key.
    case entry(ColumnSchema, key: String)
    /// The keys of a map.
    case keys(ColumnSchema)
  }

  init(
    _ quantifier: PropertyPath.Quantifier, components: [PropertyPath.Component],
    links: [Link] = [], end: End, below: [PropertyPath.Component] = [],
    location: ColumnSchema? = nil
  ) {
    self.quantifier = quantifier
    self.components = components
    self.links = links
    self.end = end
    self.below = below
    self.location = location
  }

  /// A path to a property of the object itself.
  convenience init(_ name: String, column: ColumnSchema) {
    self.init(.one, components: [.property(name)], end: .column(column))
  }
}

extension BoundPath {
  /// The path in the predicate language.
  package var written: PropertyPath { PropertyPath(quantifier, components: components) }

  /// The column of a path that is one property of the object itself; nil for other paths.
  var plainColumn: ColumnSchema? {
    guard quantifier == .one, links.isEmpty, below.isEmpty, case .column(let column) = end else {
      return nil
    }
    return column
  }

  /// The column of a path that is one property of the object itself, and neither a link nor a mixed
  /// value; nil for other paths.
  var ownColumn: ColumnSchema? {
    guard quantifier == .one, links.isEmpty, case .column(let column) = end, !column.isLink,
      column.type != .mixed
    else { return nil }
    return column
  }

  /// The same path with another quantifier.
  func with(_ quantifier: PropertyPath.Quantifier) -> BoundPath {
    BoundPath(
      quantifier, components: components, links: links, end: end, below: below, location: location)
  }

  /// The same path, which ends at the hidden column of the location if it leads to an embedded object
  /// that describes one.
  var located: BoundPath {
    guard let location else { return self }
    return BoundPath(
      quantifier, components: components, links: links.dropLast(), end: .column(location))
  }
}
