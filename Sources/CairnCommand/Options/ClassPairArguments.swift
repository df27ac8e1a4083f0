import ArgumentParser

/// The arguments for a store and two of its classes.
struct ClassPairArguments: ParsableArguments {
  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The left class; 'cairn schema' lists them.", valueName: "left"),
    completion: StoreCompletion.classes)
  var left: String

  @Argument(
    help: ArgumentHelp("The right class, which may be the same.", valueName: "right"),
    completion: StoreCompletion.classes)
  var right: String
}
