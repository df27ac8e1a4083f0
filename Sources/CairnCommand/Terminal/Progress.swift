import CairnSystem

/// The progress of a long operation.
struct WorkProgress {
  /// The name of the phase, such as `importing`.
  var phase: String
  /// The bytes processed in this phase.
  var bytes = 0
  /// All bytes of this phase; 0 if unknown.
  var bytesTotal = 0
  /// The rows processed in this phase.
  var rows = 0
}

/// Reports the progress and the result of a long command on standard error.
///
/// Confined to the thread that runs the command.
protocol ProgressReporter: AnyObject {
  /// Reports progress. Calls may come at any rate; the reporter limits its output.
  func show(_ progress: WorkProgress)
  /// Erases the progress that is on the screen.
  func clear()
  /// Reports the end of the work.
  func finish(_ summary: WorkSummary)
}

/// The result of a long operation: text for people, and members of a JSON object for programs.
struct WorkSummary {
  let text: String
  /// The members of the object, with values in JSON.
  let members: [(key: String, value: String)]

  init(text: String, members: KeyValuePairs<String, String>) {
    self.init(text: text, members: Array(members))
  }

  init(text: String, members: [(key: String, value: String)]) {
    self.text = text
    self.members = members
  }

  /// The summary with that of another part of the work.
  func adding(_ other: WorkSummary?) -> WorkSummary {
    guard let other else { return self }
    return WorkSummary(text: "\(text); \(other.text)", members: members + other.members)
  }
}

/// Reports no progress, and at the end a summary if requested.
final class SilentProgress: ProgressReporter {
  private let hasSummary: Bool

  init(hasSummary: Bool) { self.hasSummary = hasSummary }

  func show(_ progress: WorkProgress) {}
  func clear() {}

  func finish(_ summary: WorkSummary) {
    if hasSummary { Console.printMessage(summary.text) }
  }
}

/// Limits the rate of progress reports, and computes the speed of the current phase.
struct ProgressPace {
  private let pause: Double
  private let start = MonotonicClock.seconds
  private var lastShown = -Double.infinity
  private var phase = ""
  private var phaseStart = 0.0

  /// - Parameter pause: The seconds between two reports of one phase.
  init(pause: Double) { self.pause = pause }

  /// The seconds since the work began.
  var seconds: Double { MonotonicClock.seconds - start }

  /// The next report; nil if it is too early for one.
  mutating func report(_ progress: WorkProgress) -> Report? {
    let now = MonotonicClock.seconds
    if progress.phase != phase {
      phase = progress.phase
      phaseStart = now
      lastShown = -.infinity
    }
    guard now - lastShown >= pause else { return nil }
    lastShown = now
    return Report(progress, phaseSeconds: now - phaseStart, seconds: now - start)
  }

  /// Progress with the rates computed from it.
  struct Report {
    let progress: WorkProgress
    let seconds: Double
    /// The rows per second; nil while too little time has passed for an estimate.
    let rowsPerSecond: Double?
    let bytesPerSecond: Double?
    let secondsLeft: Double?

    /// The shortest time from which a rate is computed.
    private static let minSeconds = 0.3

    init(_ progress: WorkProgress, phaseSeconds: Double, seconds: Double) {
      self.progress = progress
      self.seconds = seconds
      let isKnown = phaseSeconds >= Self.minSeconds
      rowsPerSecond = isKnown && progress.rows > 0 ? Double(progress.rows) / phaseSeconds : nil
      let rate = isKnown && progress.bytes > 0 ? Double(progress.bytes) / phaseSeconds : nil
      bytesPerSecond = rate
      secondsLeft =
        progress.bytesTotal > 0
        ? rate.map { Double(max(0, progress.bytesTotal - progress.bytes)) / $0 } : nil
    }

    /// The completed fraction of the phase, from 0 to 1; nil if unknown.
    var share: Double? {
      guard progress.bytesTotal > 0 else { return nil }
      return min(1, Double(progress.bytes) / Double(progress.bytesTotal))
    }
  }
}

/// A progress line on the terminal, redrawn up to ten times a second.
final class ProgressLine: ProgressReporter {
  private var pace = ProgressPace(pause: 0.1)
  private var isOnScreen = false
  private let width: Int

  /// - Parameter width: The columns of the terminal.
  init(width: Int = System.columns(of: System.standardError) ?? 80) { self.width = width }

  func show(_ progress: WorkProgress) {
    guard let report = pace.report(progress) else { return }
    isOnScreen = true
    Console.draw("\r\u{1B}[K" + Self.text(report, width: width))
  }

  func clear() {
    guard isOnScreen else { return }
    isOnScreen = false
    Console.draw("\r\u{1B}[K")
  }

  func finish(_ summary: WorkSummary) {
    clear()
    Console.printMessage(summary.text)
  }

  /// The line with as many parts as fit, the most important first. A line that wraps could not be
  /// erased.
  static func text(_ report: ProgressPace.Report, width: Int) -> String {
    var line = report.progress.phase.prefix(1).uppercased() + report.progress.phase.dropFirst()
    for part in parts(report) {
      guard line.count + part.count + 2 < width else { break }
      line += "  " + part
    }
    return line
  }

  private static func parts(_ report: ProgressPace.Report) -> [String] {
    let progress = report.progress
    var parts: [String] = []
    if let share = report.share {
      parts.append(bar(share) + " " + pad("\(Int(share * 100))", width: 3) + " %")
    }
    if let left = report.secondsLeft { parts.append("\(Quantity.clock(left)) left") }
    if progress.rows > 0 { parts.append("\(Quantity.counted(progress.rows, noun: "row"))") }
    if let rate = report.rowsPerSecond {
      parts.append("\(Quantity.grouped(Quantity.rounded(rate))) rows/s")
    }
    if progress.bytesTotal > 0 {
      parts.append(
        "\(Quantity.bytes(progress.bytes)) of \(Quantity.bytes(progress.bytesTotal))")
    }
    if let rate = report.bytesPerSecond { parts.append("\(Quantity.bytes(Int(rate)))/s") }
    return parts
  }

  private static func bar(_ share: Double) -> String {
    let full = Int(share * 20)
    return String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
  }

  private static func pad(_ text: String, width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// Progress for programs: JSON objects on standard error, one a line, with `event` first.
final class ProgressJSON: ProgressReporter {
  private var pace = ProgressPace(pause: 0.5)

  func show(_ progress: WorkProgress) {
    guard let report = pace.report(progress) else { return }
    Console.printMessage(
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
    Console.printMessage("{\"event\":\"done\"" + members.joined() + "}")
  }

  private static func number(_ number: Double?) -> String {
    number.map { "\(($0 * 1000).rounded() / 1000)" } ?? "null"
  }
}
