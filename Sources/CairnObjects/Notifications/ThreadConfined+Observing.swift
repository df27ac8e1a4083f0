import CairnStorage
import Dispatch

/// The creation of observers: here, on a queue, or on an actor.
extension ThreadConfined {
  /// Calls the block with the changes of the receiver, in its own isolation or on a queue.
  ///
  /// - Parameter track: creates the tracker that computes the changes.
  package func subscribe<Change>(
    on queue: DispatchQueue?, _ track: @escaping (Self) -> Tracker<Change>,
    block: @escaping (Change) -> Void
  ) -> NotificationToken {
    let session = observableSession()
    let token = NotificationToken()
    // The tracker is created at once, so that mistakes in the arguments are reported here.
    let tracker = track(self)
    if let queue {
      let deferred = DeferredObservation(
        self, configuration: session.configuration, token: token, track: track)
      let subscribe = UncheckedTransfer { deferred.subscribe(on: queue, block) }
      queue.async { subscribe.value() }
    } else {
      session.checkScheduled()
      token.hold(BlockSubscription(session, tracker: tracker, block: block))
    }
    return token
  }

  /// Calls the block on an actor with the changes of the receiver. Returns once the subscription
  /// exists.
  ///
  /// - Parameter shown: converts a tracked change to the form that the block receives.
  package func subscribe<A: Actor, Found, Change>(
    on actor: A, _isolation: isolated (any Actor)?,
    _ track: @escaping (Self) -> Tracker<Found>, as shown: @escaping (Found) -> Change,
    block: @escaping @Sendable (isolated A, Change) -> Void
  ) async -> NotificationToken {
    let session = observableSession()
    let token = NotificationToken()
    _ = track(self)
    let deferred = DeferredObservation(
      self, configuration: session.configuration, token: token, track: track)
    let shown = UncheckedTransfer(shown)
    // If the task is cancelled meanwhile, its token has ended and the block is never called.
    await withTaskCancellationHandler {
      await deferred.subscribe(at: actor, shown, block: block)
    } onCancel: {
      token.invalidate()
    }
    return token
  }

  /// The session that the receiver belongs to; one that cannot be observed is a programming error.
  func observableSession() -> Session {
    guard let session = realm?.session else {
      programmingError(
        self is ObjectBase
          ? "Only objects which are managed by a Realm support change notifications"
          : "This method may only be called on \(Self.self) instances retrieved from a Realm.")
    }
    session.checkThread()
    session.checkObservable()
    if isInvalidated { programmingError("Object has been deleted or invalidated.") }
    return session
  }
}

extension Session {
  /// Ends the program if the session cannot be observed.
  func checkObservable() {
    if isFrozen {
      programmingError("Frozen Realms do not change and do not have change notifications.")
    }
    if transaction != nil {
      programmingError("Cannot register notification blocks from within write transactions.")
    }
  }

  /// Ends the program if deliveries cannot be scheduled in the session's isolation.
  func checkScheduled() {
    if waker.scheduler == nil {
      programmingError(
        "Can only observe where changes can be delivered: on an actor, on the dispatch queue that "
          + "the realm was opened for, or on the main thread. Pass a queue or an actor to "
          + "observe(on:).")
    }
  }
}

/// An observation that is registered on another queue or actor. The observed object travels frozen,
/// so that no change on the way is missed.
private struct DeferredObservation<Observed: ThreadConfined, Change: ObservedChange>:
  @unchecked Sendable
{
  // Sendable: the observed object is frozen, and the sender no longer uses the other properties.
  private let observed: Observed
  private let configuration: Realm.Configuration
  private weak var token: NotificationToken?
  private let track: (Observed) -> Tracker<Change>

  init(
    _ observed: Observed, configuration: Realm.Configuration, token: NotificationToken,
    track: @escaping (Observed) -> Tracker<Change>
  ) {
    self.observed = observed._forAnyThread()
    self.configuration = configuration
    self.token = token
    self.track = track
  }

  func subscribe(on queue: DispatchQueue, _ block: @escaping (Change) -> Void) {
    observe(block) {
      try SessionRegistry.session(configuration, owner: SessionOwner(queue))
    }
  }

  func subscribe<A: Actor, Shown>(
    at actor: isolated A, _ shown: UncheckedTransfer<(Change) -> Shown>,
    block: @escaping @Sendable (isolated A, Shown) -> Void
  ) {
    let show = shown.value
    // Weak, because the actor may hold the token, and the token holds this block.
    observe({ [weak actor] change in
      // Sendable: the actor is the session's owner, so the code around runs in its isolation already.
      nonisolated(unsafe) let change = show(change)
      actor?.assumeIsolated { block($0, change) }
    }) {
      try SessionRegistry.session(configuration, owner: SessionOwner(actor))
    }
  }

  private func observe(_ block: @escaping (Change) -> Void, in session: () throws -> Session) {
    guard let token, !token.hasEnded else { return }
    do {
      let session = try session()
      guard let counterpart = Realm(session).counterpart(of: observed) else {
        Change.disappearance.map(block)
        return
      }
      let tracker = track(counterpart)
      let snapshot = tracker.hasBeginning ? nil : observed.realm?.session.snapshot
      token.hold(BlockSubscription(session, delivered: snapshot, tracker: tracker, block: block))
    } catch {
      Change.failure(error).map(block)
    }
  }
}
