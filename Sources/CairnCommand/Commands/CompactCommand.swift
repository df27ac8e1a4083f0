import ArgumentParser
import CairnStorage

/// `cairn compact STORE`
struct CompactCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "compact",
      abstract: "Rewrite a store without what was deleted, and in the order of its locations.",
      discussion: """
        Nobody else may have the store open. The new file is written beside the old one,
        checked, and takes its place at once; until then nothing is changed. Damaged indexes
        come out whole.

        EXAMPLES:
          cairn compact world.cairn
          cairn compact world.cairn --quiet && cairn verify world.cairn
        """)
  }

  @Argument(help: "The store, a file.", completion: .file())
  var store: String

  @Flag(help: "No summary.")
  var quiet = false

  func run() throws {
    CrashGuard.watch(store)
    let summary = try Store.compact(store)
    if !quiet { Console.say(CompactionReport(summary, of: store).text) }
  }
}
