/// One line on the terminal that says how far the work is, drawn anew a few times a second.
final class ProgressLine: ProgressReporter {
  private var pace = ProgressPace(pause: 0.1)
  private var isOnScreen = false
  private let width: Int

  /// - Parameter width: columns of the terminal.
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
    Console.say(summary.text)
  }

  /// As many of the parts, the most telling first, as fit: a line that breaks cannot be taken back.
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
      parts.append(bar(share) + " " + pad("\(Int(share * 100))", 3) + " %")
    }
    if let left = report.secondsLeft { parts.append("\(Quantity.clock(left)) left") }
    if progress.rows > 0 { parts.append("\(Quantity.counted(progress.rows, "row"))") }
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

  private static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
