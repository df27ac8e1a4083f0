import CairnStorage

/// The classes of a store.
public struct Schema: Hashable, Sendable, CustomStringConvertible {
  /// The classes by name.
  public let objectSchema: [ObjectSchema]

  init(_ schema: CairnStorage.Schema) {
    objectSchema = schema.tables.map(ObjectSchema.init)
  }

  /// The class of that name.
  public subscript(className: String) -> ObjectSchema? {
    objectSchema.first { $0.className == className }
  }

  public var description: String {
    "Schema {\n\(objectSchema.map { "\t" + $0.description.replacing("\n", with: "\n\t") }.joined(separator: "\n"))\n}"
  }
}
