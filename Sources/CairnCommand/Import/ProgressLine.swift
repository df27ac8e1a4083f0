import CairnFormats

/// One line on the terminal that says how far an import is, drawn anew a few times a second.
final class ProgressLine {
  private static let pause = 0.1

  private let isShown: Bool
  private let start = System.now()
  private var lastShown = 0.0
  private var isOnScreen = false

  init(isShown: Bool) { self.isShown = isShown }

  /// Since the line was made.
  var seconds: Double { System.now() - start }

  func show(_ progress: ImportProgress) {
    guard isShown, seconds - lastShown >= Self.pause else { return }
    lastShown = seconds
    isOnScreen = true
    Console.draw("\r\u{1B}[K" + text(progress))
  }

  /// Leaves the line blank for what comes next.
  func clear() {
    guard isOnScreen else { return }
    isOnScreen = false
    Console.draw("\r\u{1B}[K")
  }

  private func text(_ progress: ImportProgress) -> String {
    let share =
      progress.bytesTotal > 0
      ? " \(min(100, progress.bytesRead * 100 / progress.bytesTotal)) %" : ""
    return switch progress.phase {
    case .inspecting: "Reading types\(share)"
    case .importing: "Importing\(share), \(Quantity.grouped(progress.rows)) rows"
    case .indexing: "Indexing \(Quantity.grouped(progress.rows)) rows"
    }
  }
}
