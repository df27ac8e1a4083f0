/// When to speak again, and how fast the work of the present phase goes.
struct ProgressPace {
  private let pause: Double
  private let start = System.now()
  private var lastShown = -Double.infinity
  private var phase = ""
  private var phaseStart = 0.0

  /// - Parameter pause: seconds between two reports of one phase.
  init(pause: Double) { self.pause = pause }

  /// Since the work began.
  var seconds: Double { System.now() - start }

  /// What to say of the progress; nil: it is too early to speak again.
  mutating func report(_ progress: WorkProgress) -> Report? {
    let now = System.now()
    if progress.phase != phase {
      phase = progress.phase
      phaseStart = now
      lastShown = -.infinity
    }
    guard now - lastShown >= pause else { return nil }
    lastShown = now
    return Report(progress, phaseSeconds: now - phaseStart, seconds: now - start)
  }

  /// Progress with what follows from it.
  struct Report {
    let progress: WorkProgress
    let seconds: Double
    /// nil while that is a guess.
    let rowsPerSecond: Double?
    let bytesPerSecond: Double?
    let secondsLeft: Double?

    /// Too short a time tells no rate.
    private static let leastSeconds = 0.3

    init(_ progress: WorkProgress, phaseSeconds: Double, seconds: Double) {
      self.progress = progress
      self.seconds = seconds
      let isKnown = phaseSeconds >= Self.leastSeconds
      rowsPerSecond = isKnown && progress.rows > 0 ? Double(progress.rows) / phaseSeconds : nil
      let rate = isKnown && progress.bytes > 0 ? Double(progress.bytes) / phaseSeconds : nil
      bytesPerSecond = rate
      secondsLeft =
        progress.bytesTotal > 0
        ? rate.map { Double(max(0, progress.bytesTotal - progress.bytes)) / $0 } : nil
    }

    /// The part of the phase that is done, from 0 to 1; nil: not known.
    var share: Double? {
      guard progress.bytesTotal > 0 else { return nil }
      return min(1, Double(progress.bytes) / Double(progress.bytesTotal))
    }
  }
}
