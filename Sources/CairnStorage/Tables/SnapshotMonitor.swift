import CairnSystem

/// Follows the oldest snapshot of a store from look to look, to warn of one that is old and costly.
///
/// A reader that keeps its snapshot keeps the pages that later commits free from being reused, so the
/// file grows with every commit.
package struct SnapshotMonitor: Sendable {
  /// The oldest snapshot at one look.
  package struct Sighting: Equatable, Sendable {
    /// The snapshot and its cost.
    package let snapshot: OldestSnapshot
    /// The seconds since the first look that saw it.
    package let seconds: Double
    /// Whether a warning is due.
    package let isWarningDue: Bool
  }

  private let minSeconds: Double
  private let minBytes: Int
  /// The snapshot of the last look.
  private var last: Known?

  private struct Known {
    let process: Int32
    let version: UInt64
    /// The time of the first look that saw it.
    let start: Double
    /// The cost from which on the next warning is due.
    var warningBytes: Int
  }

  /// - Parameters:
  ///   - minSeconds: The age from which on there are warnings.
  ///   - minBytes: The cost from which on there is a first warning; another one follows each time that
  ///     it has doubled.
  package init(minSeconds: Double = 60, minBytes: Int = 64_000_000) {
    (self.minSeconds, self.minBytes) = (minSeconds, minBytes)
  }

  /// Looks at a store; returns nil if nobody holds a snapshot of an earlier commit than the last.
  package mutating func look(at store: Store) throws(StoreError) -> Sighting? {
    note(try store.oldestSnapshot(), at: MonotonicClock.seconds)
  }

  /// Notes the oldest snapshot at a time in seconds.
  mutating func note(_ snapshot: OldestSnapshot?, at time: Double) -> Sighting? {
    guard let snapshot else {
      last = nil
      return nil
    }
    var known = Known(
      process: snapshot.process, version: snapshot.version, start: time, warningBytes: minBytes)
    if let last, last.process == known.process, last.version == known.version { known = last }
    let seconds = time - known.start
    let isWarningDue = seconds >= minSeconds && snapshot.heldBytes >= known.warningBytes
    if isWarningDue { known.warningBytes = 2 * snapshot.heldBytes }
    last = known
    return Sighting(snapshot: snapshot, seconds: seconds, isWarningDue: isWarningDue)
  }
}

extension SnapshotMonitor.Sighting {
  /// The text of a warning, without the name of the store.
  package var warning: String {
    let megabytes = snapshot.heldBytes / 1_000_000
    let holder = snapshot.process == getpid() ? "this process" : "process \(snapshot.process)"
    return "\(holder) has read the same state for \(Int(seconds)) s, "
      + "so \(megabytes) MB that \(snapshot.commits) commits have freed cannot be reused; "
      + "the file grows until that read ends"
  }
}
