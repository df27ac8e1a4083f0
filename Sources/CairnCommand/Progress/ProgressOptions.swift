import ArgumentParser

/// What a long command says of itself on standard error while it runs, and in the end.
struct ProgressOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How progress is told: auto, a line on a terminal; json, a line for programs; none.",
      valueName: "style"))
  var progress: ProgressStyle = .auto

  @Flag(help: "No progress and no summary.")
  var quiet = false

  func validate() throws {
    if quiet, progress == .json {
      throw ValidationError("--quiet and --progress json are opposites; choose one.")
    }
  }

  /// Who is told.
  ///
  /// - Parameter hasSummary: whether there is a summary where no progress is shown.
  func reporter(hasSummary: Bool = true) -> any ProgressReporter {
    if quiet { return SilentProgress(hasSummary: false) }
    switch progress {
    case .json: return ProgressJSON()
    case .auto where Console.isInteractive: return ProgressLine()
    case .auto, .none: return SilentProgress(hasSummary: hasSummary)
    }
  }
}

/// `--progress auto|json|none`
enum ProgressStyle: String, WordArgument {
  case auto
  case json
  case none
}
