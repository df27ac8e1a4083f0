import ArgumentParser

/// The options for the progress and the summary of a long command.
struct ProgressOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The form of progress: auto (a line on a terminal), json (lines for programs) or none.",
      valueName: "style"))
  var progress: ProgressStyle = .auto

  @Flag(help: "Do not print progress or a summary.")
  var quiet = false

  func validate() throws {
    if quiet, progress == .json {
      throw ValidationError("--quiet and --progress json contradict each other; choose one")
    }
  }

  /// The reporter for these options.
  ///
  /// - Parameter hasSummary: Whether to print a summary when no progress is shown.
  func reporter(hasSummary: Bool = true) -> any ProgressReporter {
    if quiet { return SilentProgress(hasSummary: false) }
    switch progress {
    case .json: return ProgressJSON()
    case .auto where Console.isInteractive: return ProgressLine()
    case .auto, .none: return SilentProgress(hasSummary: hasSummary)
    }
  }
}

/// The value of `--progress auto|json|none`.
enum ProgressStyle: String, WordArgument {
  case auto
  case json
  case none
}
