import ArgumentParser
import CairnIO
import CairnStorage

/// The options for the format and the file of an output.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The output format (default: by the extension of --output).", valueName: "format"))
  var format: OutputFormat?

  @OptionGroup var file: OutputFileOption
}

/// The option for the class that takes the rows of an output.
struct NewClassOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make a class of the rows, in this store or in another one, instead of printing them.",
      valueName: "[store:]class"))
  var into: String?

  /// The class; nil if the rows are printed.
  ///
  /// - Parameter path: The store of the rows.
  func target(besides path: String) throws -> NewClass? {
    try into.map { try NewClass($0, besides: path) }
  }

  /// Throws for options of printed rows that are used beside `--into`.
  func reject(_ others: [(name: String, isUsed: Bool)]) throws {
    guard into != nil, let (name, _) = others.first(where: \.isUsed) else { return }
    throw ValidationError("\(name) does not apply to --into, which prints no rows")
  }
}

/// The options for where rows go that a command computes: to standard output, a file or a new class.
struct DestinationOptions: ParsableArguments {
  @OptionGroup var output: OutputOptions
  @OptionGroup var newClass: NewClassOption
  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    try newClass.reject([
      ("--output", output.file.path != nil), ("--format", output.format != nil),
    ])
  }

  /// The mode in which the store of the rows is opened.
  func sourceMode(_ store: String) throws -> Store.Mode {
    try newClass.target(besides: store)?.sourceMode(store) ?? .readOnly
  }
}

/// The option for the file of an output.
struct OutputFileOption: ParsableArguments {
  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp(
      "Write to a file; its extension selects the format; - for standard output.",
      valueName: "file"),
    completion: .file())
  var path: String?
}
