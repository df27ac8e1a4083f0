import ArgumentParser

/// The store and the class that a command reads, and what its rows must be like.
struct TargetArguments: ParsableArguments {
  @Argument(help: "The store, a file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The class, as 'cairn schema' lists it.", valueName: "class"),
    completion: StoreCompletion.classes)
  var className: String

  @Argument(
    help: "A condition, as in \"population > 1000 AND country == 'FR'\", or @FILE that holds one.")
  var predicate: String?

  @OptionGroup var checking: CheckingOptions
}
