import ArgumentParser
import CairnQuery

/// The options of `watch`.
struct WatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The columns to print, as for query (default: all).", valueName: "col,..."),
    completion: StoreCompletion.selection)
  var select: [String] = []

  @Option(
    help: ArgumentHelp(
      "Report which rows enter and leave the geometries of another class.", valueName: "class"),
    completion: StoreCompletion.classes)
  var fences: String?

  @Flag(help: "Print the rows that match at the beginning, with the event initial.")
  var initial = false

  @Option(
    help: ArgumentHelp(
      "Begin with the changes since a cursor that an earlier run printed.", valueName: "cursor"),
    transform: CommitCursor.init(argument:))
  var since: CommitCursor?

  @Option(
    help: ArgumentHelp(
      "Run a shell command for each event, with the object as its input, instead of printing it.",
      valueName: "command"))
  var exec: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after n events.", valueName: "n"), transform: NumberText.count)
  var limit: Int?

  @Flag(help: "Do not print cursors at the beginning and at the end.")
  var quiet = false

  func validate() throws {
    if initial, since != nil {
      throw ValidationError("--initial prints all rows, and --since only changes; choose one")
    }
  }
}

extension CommitCursor {
  /// Parses the value of an option.
  fileprivate init(argument text: String) throws {
    guard let cursor = CommitCursor(text) else {
      throw OptionError("expected a cursor that an earlier run printed, as in 17-2c4a1")
    }
    self = cursor
  }
}
