import ArgumentParser
import CairnIO

/// The options for the format and the file of an output.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The output format (default: by the extension of --output).", valueName: "format"))
  var format: OutputFormat?

  @OptionGroup var file: OutputFileOption
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
