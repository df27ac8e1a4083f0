/// A view of the objects of a class that shows some of their properties, or what lies behind them.
///
///     class Contact: Projection<Person> {
///       @Projected(\Person.name) var name
///       @Projected(\Person.address?.city) var city
///       @Projected(\Person.friends.projectTo.name) var friends: ProjectedCollection<String>
///     }
///
/// It holds nothing itself: properties are read from the object, and written to it.
open class Projection<Root: ObjectBase & RealmCollectionValue>: RealmCollectionValue {
  /// The object that is shown.
  public let rootObject: Root

  /// Shows an object.
  public required init(projecting object: Root) {
    rootObject = object
  }

  /// The projection of a row's object; Cairn alone calls it.
  public static func _object(at row: Row) -> Self {
    self.init(projecting: Root._object(at: row))
  }
}

extension Projection: Hashable {
  /// Whether both are the same projection of the same object.
  public static func == (a: Projection, b: Projection) -> Bool {
    guard type(of: a) == type(of: b) else { return false }
    if a.rootObject === b.rootObject { return true }
    guard let x = a.rootObject.row, let y = b.rootObject.row else { return false }
    return x.key == y.key && x.handle === y.handle
  }

  /// The same for equal projections.
  public func hash(into hasher: inout Hasher) {
    if let row = rootObject.row {
      hasher.combine(row.key)
    } else {
      hasher.combine(ObjectIdentifier(rootObject))
    }
  }
}

extension Projection: CustomStringConvertible {
  /// The projection, and a line for every property with where it comes from.
  public var description: String {
    let lines = ProjectionLayout.of(type(of: self)).properties.map { property in
      let value = property.wrapper.text(property.pointer(in: self), rootObject)
      return "\t\(property.name)(\(property.path.joined(separator: "."))) = \(value);"
    }
    return "\(type(of: self))<\(Root.self)> {\n\(lines.joined(separator: "\n"))\n}"
  }
}
