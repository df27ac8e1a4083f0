import CairnStorage
import CairnSystem

/// The oldest state of a store that a reader of any process holds, although there were commits since.
///
/// It keeps the pages that those commits have freed from being reused, so that the file grows.
public struct HeldState: Sendable {
  /// The process that holds it.
  public let process: Int32
  /// The seconds since the service first saw it.
  public let seconds: Double
  /// The number of commits since.
  public let commits: Int
  /// The bytes of the file that cannot be reused.
  public let bytes: Int
  /// A sentence for the log, if the state is so old and costly that somebody has to look after it; nil
  /// otherwise, and until the cost has doubled after the last one.
  public let warning: String?

  fileprivate init(_ sighting: SnapshotMonitor.Sighting, path: String) {
    let snapshot = sighting.snapshot
    (process, seconds) = (snapshot.process, sighting.seconds)
    (commits, bytes) = (Int(clamping: snapshot.commits), snapshot.heldBytes)
    warning = sighting.isWarningDue ? "\(path): \(sighting.warning)" : nil
  }
}

extension Service {
  /// Looks for the oldest state that a reader of the store holds; returns nil if all read the last one.
  ///
  /// Ages count from the first call that sees a state, so call this every few seconds.
  public func oldestHeldState() async -> HeldState? {
    try? await threads.run { [self] () -> HeldState? in
      let store = try store.store()
      return try monitor.withLock { try $0.look(at: store) }
        .map { HeldState($0, path: self.store.path) }
    }
  }
}
