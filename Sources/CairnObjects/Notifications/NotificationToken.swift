import CairnValues

/// What an observer is told by: as long as it is held, its block is called.
///
///     token = dogs.observe { changes in … }
///
/// It keeps its realm alive. Once it is released or invalidated the block is called no more.
public final class NotificationToken: @unchecked Sendable {
  // Sendable: what it holds is under a lock, and is let go of where it belongs.
  private enum State {
    /// The observer is still on its way to its queue.
    case waiting
    case telling(Observation)
    case ended
  }

  private let state = Mutex(State.waiting)

  /// A token that no block is called for.
  public init() {}

  deinit { invalidate() }

  /// Ends the calls of the block. Any thread may do so; elsewhere than in the realm of the observer a call may be under
  /// way.
  public func invalidate() {
    let observation = Handover(
      state.withLock { state in
        defer { state = .ended }
        guard case .telling(let observation) = state else { return nil as Observation? }
        return observation
      })
    observation.value?.end()
  }

  /// Keeps an observer, unless the token has ended.
  func hold(_ observation: Observation) {
    let isHeld = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .telling(observation)
      return true
    }
    if isHeld { observation.join() } else { observation.end() }
  }

  /// Whether the block is called no more.
  var hasEnded: Bool {
    if case .ended = state.withLock({ $0 }) { true } else { false }
  }

  /// The observer that it keeps.
  var observation: Observation? {
    guard case .telling(let observation) = state.withLock({ $0 }) else { return nil }
    return observation
  }
}

extension NotificationToken: Hashable {
  /// Whether both are one token.
  public static func == (a: NotificationToken, b: NotificationToken) -> Bool { a === b }

  /// The same for one token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
