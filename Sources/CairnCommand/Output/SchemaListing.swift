import CairnFormats
import CairnStorage

/// The classes of a store and their properties, for people and for programs.
struct SchemaListing {
  private let path: String
  private let classes: [ClassListing]

  /// - Parameter className: of the only class to list; nil: all.
  /// - Throws: a failure that names the nearest class where there is none of that name.
  init(_ store: Store, of className: String?) throws {
    path = store.path
    let snapshot = try store.snapshot()
    let sizes = try snapshot.storedSizes()
    let tables = snapshot.schema.tables.filter { className == nil || $0.name == className }
    if let className, tables.isEmpty {
      throw Source.unknown(className, in: snapshot.schema, of: path)
    }
    classes = tables.map { ClassListing(snapshot.table($0), sizes) }
  }

  /// A heading for each class, and a line for each of its properties.
  func write(to target: OutputTarget) throws {
    if classes.isEmpty { target.sink.append("No classes.\n") }
    for (index, listing) in classes.enumerated() {
      if index > 0 { target.sink.append("\n") }
      try listing.write(to: target)
    }
  }

  /// The same as one JSON object.
  var json: String {
    JSONBuilder.object([
      "bytes": "\(System.size(of: path) ?? 0)",
      "classes": JSONBuilder.array(classes.map(\.json)),
    ]) + "\n"
  }
}
