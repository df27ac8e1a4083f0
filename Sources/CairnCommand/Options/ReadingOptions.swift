import ArgumentParser
import CairnIO

/// The option for rows of a database with a value that cannot be read.
struct ReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "If a value of a row of a database cannot be read: fail, or skip the row.",
      valueName: "action"))
  var onError: RejectOption = .fail

  /// Whether such rows are left out.
  var leavesOut: Bool { onError == .skip }

  /// The arguments with the treatment of such rows.
  func applied(to arguments: RowArguments) -> RowArguments {
    var arguments = arguments
    arguments.leavesOut = leavesOut
    return arguments
  }
}

/// The value of `--on-error fail|skip`.
enum RejectOption: String, WordArgument {
  case fail
  case skip

  var policy: RejectPolicy {
    switch self {
    case .fail: .fail
    case .skip: .skip
    }
  }
}
