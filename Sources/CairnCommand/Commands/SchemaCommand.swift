import ArgumentParser
import CairnStorage

/// `cairn schema STORE [--json]`
struct SchemaCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "schema",
      abstract: "List the classes of a store: rows, properties, types, indexes.",
      discussion: """
        A type with ? may be null.

        EXAMPLES:
          cairn schema world.cairn
          cairn schema world.cairn --json
        """)
  }

  @Argument(help: "The store, a file.", completion: .file())
  var store: String

  @Flag(help: "Write JSON.")
  var json = false

  func run() throws {
    let store = try Source.open(store)
    let listing = SchemaListing(snapshot: try store.snapshot())
    try OutputTarget.print(json ? listing.json : listing.text)
  }
}
