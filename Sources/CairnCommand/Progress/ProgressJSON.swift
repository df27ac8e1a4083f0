/// Progress for programs: one JSON object a line, on standard error, with `event` first.
final class ProgressJSON: ProgressReporter {
  private var pace = ProgressPace(pause: 0.5)

  func show(_ progress: WorkProgress) {
    guard let report = pace.report(progress) else { return }
    Console.say(
      JSONBuilder.object([
        "event": JSONBuilder.string("progress"),
        "phase": JSONBuilder.string(progress.phase),
        "rows": "\(progress.rows)",
        "bytes": "\(progress.bytes)",
        "bytesTotal": progress.bytesTotal > 0 ? "\(progress.bytesTotal)" : "null",
        "seconds": Self.number(report.seconds),
        "rowsPerSecond": Self.number(report.rowsPerSecond),
        "bytesPerSecond": Self.number(report.bytesPerSecond),
        "secondsLeft": Self.number(report.secondsLeft),
      ]))
  }

  func clear() {}

  func finish(_ summary: WorkSummary) {
    let members = summary.members.map { ",\(JSONBuilder.string($0.key)):\($0.value)" }
    Console.say("{\"event\":\"done\"" + members.joined() + "}")
  }

  private static func number(_ number: Double?) -> String {
    number.map { "\(($0 * 1000).rounded() / 1000)" } ?? "null"
  }
}
