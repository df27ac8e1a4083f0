/// How far a long piece of work is.
struct WorkProgress {
  /// What is being done, as `importing`.
  var phase: String
  /// Bytes done in this phase, and in all; 0: not known.
  var bytes = 0
  var bytesTotal = 0
  /// Rows done in this phase.
  var rows = 0
}

/// Tells on standard error how a long command is getting on, and what came of it.
///
/// Confined to the thread that runs the command.
protocol ProgressReporter: AnyObject {
  /// Called as often as one likes.
  func show(_ progress: WorkProgress)
  /// Takes away what stands on the screen for the moment.
  func clear()
  /// The work is done.
  func finish(_ summary: WorkSummary)
}

/// What came of a long piece of work: words for people, members of an object for programs.
struct WorkSummary {
  let text: String
  /// The values are JSON already.
  let members: KeyValuePairs<String, String>
}

/// Says nothing on the way.
final class SilentProgress: ProgressReporter {
  private let hasSummary: Bool

  init(hasSummary: Bool) { self.hasSummary = hasSummary }

  func show(_ progress: WorkProgress) {}
  func clear() {}

  func finish(_ summary: WorkSummary) {
    if hasSummary { Console.say(summary.text) }
  }
}
