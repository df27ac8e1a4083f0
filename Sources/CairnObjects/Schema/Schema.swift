import CairnStorage

/// The classes of a store.
public struct Schema: Hashable, Sendable, CustomStringConvertible {
  /// The classes by name.
  public let objectSchema: [ObjectSchema]

  init(_ session: Session) {
    objectSchema = session.schema.tables.map { ObjectSchema($0, session.layout(named: $0.name)) }
  }

  /// The class of that name.
  public subscript(className: String) -> ObjectSchema? {
    objectSchema.first { $0.className == className }
  }

  /// The classes with their properties.
  public var description: String {
    let classes = objectSchema.map {
      "\t" + $0.description.split(separator: "\n").joined(separator: "\n\t")
    }
    return "Schema {\n\(classes.joined(separator: "\n"))\n}"
  }
}
