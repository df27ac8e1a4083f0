import CairnFormats
import CairnStorage

/// The classes of a store and their properties, for people and for programs.
struct SchemaListing {
  private let path: String
  private let classes: [ClassListing]

  init(_ store: Store) throws {
    path = store.path
    let snapshot = try store.snapshot()
    let sizes = try snapshot.storedSizes()
    classes = snapshot.schema.tables.map { ClassListing(snapshot.table($0), sizes) }
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
