import CairnSystem
import CairnValues

/// The token of an observer, whose block is called as long as the token is held.
///
///     token = dogs.observe { changes in … }
///
/// A token keeps its realm alive. The block is no longer called once the token is released or
/// invalidated.
public final class NotificationToken: @unchecked Sendable {
  // Sendable: the state is protected by a lock, and its content is released in the realm's
  // isolation.
  private enum State {
    /// The observer has not reached its queue yet.
    case waiting
    case active(Subscription)
    case ended
  }

  private let state = Mutex(State.waiting)

  /// Creates a token without an observer.
  public init() {}

  deinit { invalidate() }

  /// Ends the calls of the block. Any thread may call this. Outside of the realm's isolation, a
  /// call of the block may still be in progress.
  ///
  /// - Returns: Whether the block was still observing.
  @discardableResult
  public func invalidate() -> Bool {
    let subscription = UncheckedTransfer(
      state.withLock { state in
        defer { state = .ended }
        guard case .active(let subscription) = state else { return nil as Subscription? }
        return subscription
      })
    subscription.value?.end()
    return subscription.value != nil
  }

  /// Holds a subscription, or ends it if the token has ended.
  func hold(_ subscription: Subscription) {
    let isHeld = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .active(subscription)
      return true
    }
    if isHeld { subscription.join() } else { subscription.end() }
  }

  /// Whether the block is no longer called.
  var hasEnded: Bool {
    if case .ended = state.withLock({ $0 }) { true } else { false }
  }

  /// The subscription that the token holds.
  var subscription: Subscription? {
    guard case .active(let subscription) = state.withLock({ $0 }) else { return nil }
    return subscription
  }
}

extension NotificationToken: Hashable {
  /// Returns whether both are the same token.
  public static func == (a: NotificationToken, b: NotificationToken) -> Bool { a === b }

  /// Hashes the token consistently with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
