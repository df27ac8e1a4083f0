import ArgumentParser

/// The arguments for two classes: a store and two of its classes, or two files of data.
struct ClassPairArguments: ParsableArguments {
  @Argument(
    help: "The store, or a file of data such as cities.csv or FILE:LAYER.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp(
      "The left class; 'cairn schema' lists them. A file needs none.", valueName: "left"),
    completion: StoreCompletion.classes)
  var left: String?

  @Argument(
    help: ArgumentHelp(
      "The right class, which may be the same, or a file.", valueName: "right"),
    completion: StoreCompletion.classes)
  var right: String?

  /// The two classes, and a condition after them.
  func references(
    condition: String? = nil
  ) throws -> (left: ClassReference, right: ClassReference, condition: String?) {
    var words = [store, left, right, condition].compactMap(\.self)[...]
    let left = try ClassReference(from: &words)
    let right = try ClassReference(from: &words, beside: left)
    let condition = words.popFirst()
    try ClassReference.rejectRest(words)
    return (left, right, condition)
  }
}
