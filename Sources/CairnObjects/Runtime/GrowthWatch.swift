import CairnStorage
import CairnSystem

/// Looks, while a session writes, for a reader that keeps the space of old versions from being reused,
/// and warns of it.
struct GrowthWatch {
  /// When a warning is due.
  struct Limits {
    /// The age in seconds from which on a version counts as held.
    var seconds = 60.0
    /// The bytes that it must cost.
    var bytes = 64_000_000
  }

  private var monitor: SnapshotMonitor
  /// The seconds between two looks, so that they cost nothing.
  private let interval: Double
  private var nextLook = 0.0

  init(_ limits: Limits) {
    monitor = SnapshotMonitor(minSeconds: limits.seconds, minBytes: limits.bytes)
    interval = limits.seconds / 6
  }

  /// Returns the oldest version of a store if a warning of it is due.
  mutating func look(at store: Store) -> SnapshotMonitor.Sighting? {
    let time = MonotonicClock.seconds
    guard time >= nextLook else { return nil }
    nextLook = time + interval
    // A failure has no consequence: the next look tries again.
    guard let sighting = try? monitor.look(at: store), sighting.isWarningDue else { return nil }
    return sighting
  }
}

/// The version of the store that a session holds, for other threads.
final class HeldVersion: Sendable {
  private let version = Mutex<UInt64?>(nil)

  var value: UInt64? { version.withLock { $0 } }
  func set(_ new: UInt64?) { version.withLock { $0 = new } }
}

extension Session {
  /// Warns, through the log and the events, if a reader keeps the store from reusing its space.
  func warnOfGrowth() {
    guard let sighting = growthWatch.look(at: store) else { return }
    let growth = Realm.Event.Growth(
      bytes: sighting.snapshot.heldBytes, commits: Int(sighting.snapshot.commits),
      holders: holders(of: sighting.snapshot))
    let event = Realm.Event(
      kind: .growing(growth), store: configuration.storeName, duration: .seconds(sighting.seconds))
    Logger.log(.warn, category: Category.Storage.all, message: event.description)
    configuration.events?(event)
  }

  /// The readers that hold a version, as far as they are known.
  private func holders(of oldest: OldestSnapshot) -> [String] {
    guard oldest.process == getpid() else { return ["process \(oldest.process)"] }
    return SessionRegistry.owners(reading: oldest.version, of: configuration)
  }
}
