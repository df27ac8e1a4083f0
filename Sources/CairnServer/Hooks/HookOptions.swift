/// The settings of the delivery to hooks.
public struct HookOptions: Sendable {
  /// The file with the cursor of each hook, from which a later delivery continues.
  public var statePath: String
  /// The seconds before the second attempt. The pause doubles with each further one.
  public var firstPause = 1.0
  /// The longest pause in seconds.
  public var maxPause = 60.0
  /// The seconds for which the state of the store before an event is kept while its receiver fails,
  /// so that the file cannot reuse the pages that changed since. Afterwards only the change log, which
  /// is limited, remembers what the receiver misses.
  public var maxHoldSeconds = 3600.0
  /// The seconds that the attempt in progress may take after the delivery was cancelled.
  public var stopSeconds = 5.0

  /// Creates the default settings.
  public init(statePath: String) { self.statePath = statePath }
}

/// A report of a delivery.
public enum HookReport: Sendable {
  /// A receiver has taken a batch.
  case delivered(HookBatch)
  /// An attempt failed; the next one follows after some seconds.
  case failed(Hook, reason: String, pause: Double)
  /// Events are missing, because the change log no longer has the changes since a cursor. The receiver
  /// gets an event that says so.
  case gap(Hook, since: String)

  /// The hook.
  public var hook: Hook {
    switch self {
    case .delivered(let batch): batch.hook
    case .failed(let hook, _, _), .gap(let hook, _): hook
    }
  }
}
