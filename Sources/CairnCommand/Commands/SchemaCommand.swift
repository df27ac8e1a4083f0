import ArgumentParser
import CairnFormats

/// `cairn schema STORE [CLASS] [--json] [--untrusted]`
struct SchemaCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "schema",
      abstract:
        "List the classes of a store: rows, properties, types, nulls, ranges, indexes, bytes.",
      discussion: """
        A type with ? may be null.

        EXAMPLES:
          cairn schema world.cairn
          cairn schema world.cairn cities
          cairn schema world.cairn --json
        """)
  }

  @Argument(help: "The store, a file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("This class alone.", valueName: "class"),
    completion: StoreCompletion.classes)
  var className: String?

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var checking: CheckingOptions

  func run() throws {
    let listing = try SchemaListing(
      try Source.open(store, untrusted: checking.untrusted), of: className)
    let target = try OutputTarget(nil)
    if json { target.sink.append(listing.json) } else { try listing.write(to: target) }
    try target.finish()
  }
}
