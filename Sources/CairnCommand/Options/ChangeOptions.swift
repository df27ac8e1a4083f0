import ArgumentParser

/// The options of the commands that change the rows or the classes of a store.
struct ChangeOptions: ParsableArguments {
  @Flag(help: "Say what would be changed, but do not write anything.")
  var dryRun = false

  @Flag(help: "Do not print a summary.")
  var quiet = false

  func validate() throws {
    if dryRun, quiet {
      throw ValidationError("--dry-run and --quiet contradict each other; choose one")
    }
  }
}

/// The store and the class that a command changes.
struct ClassArguments: ParsableArguments {
  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The class; 'cairn schema' lists them.", valueName: "class"),
    completion: StoreCompletion.classes)
  var className: String
}
