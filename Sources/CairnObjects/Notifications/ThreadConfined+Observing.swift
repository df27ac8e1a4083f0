import CairnStorage
import Dispatch

/// How observers are made: here, on a queue, or on an actor.
extension ThreadConfined {
  /// Calls the block with what becomes of this: where it is confined, or on a queue.
  ///
  /// - Parameter track: makes what finds that out.
  package func beObserved<Change>(
    on queue: DispatchQueue?, _ track: @escaping (Self) -> Tracker<Change>,
    _ block: @escaping (Change) -> Void
  ) -> NotificationToken {
    let session = observableSession()
    let token = NotificationToken()
    // Made at once, so that mistakes in what is asked for are known here.
    let tracker = track(self)
    if let queue {
      let journey = Journey(self, session.configuration, token, track)
      let arrive = Handover { journey.arrive(on: queue, block) }
      queue.async { arrive.value() }
    } else {
      session.checkScheduled()
      token.hold(BlockObservation(session, tracker, block))
    }
    return token
  }

  /// Calls the block on an actor with what becomes of this; returns once it surely will.
  ///
  /// - Parameter shown: what is found out, as the block gets it.
  package func beObserved<A: Actor, Found, Change>(
    on actor: A, _isolation: isolated (any Actor)?,
    _ track: @escaping (Self) -> Tracker<Found>, as shown: @escaping (Found) -> Change,
    _ block: @escaping @Sendable (isolated A, Change) -> Void
  ) async -> NotificationToken {
    let session = observableSession()
    let token = NotificationToken()
    _ = track(self)
    let journey = Journey(self, session.configuration, token, track)
    let shown = Handover(shown)
    // A task that is cancelled on the way gets a token that has ended, and its block is never called.
    await withTaskCancellationHandler {
      await journey.arrive(at: actor, shown, block)
    } onCancel: {
      token.invalidate()
    }
    return token
  }

  /// The session that this belongs to; where that cannot be observed it is a programming error.
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
  /// Ends the program where nothing is told of the session's changes.
  func checkObservable() {
    if isFrozen {
      programmingError("Frozen Realms do not change and do not have change notifications.")
    }
    if transaction != nil {
      programmingError("Cannot register notification blocks from within write transactions.")
    }
  }

  /// Ends the program where there is no way back to the session's owner.
  func checkScheduled() {
    if waker.scheduler == nil {
      programmingError(
        "Can only observe where changes can be delivered: on an actor, on the dispatch queue that the realm was opened for, "
          + "or on the main thread. Pass a queue or an actor to observe(on:).")
    }
  }
}

/// Something on its way to the queue or the actor that observes it. It travels as it is now, so that nothing that becomes
/// of it on the way is missed.
private struct Journey<Traveller: ThreadConfined, Change: ObservedChange>: @unchecked Sendable {
  // Sendable: the traveller is frozen, and who sent it off does not use the rest any more.
  private let traveller: Traveller
  private let configuration: Realm.Configuration
  private weak var token: NotificationToken?
  private let track: (Traveller) -> Tracker<Change>

  init(
    _ traveller: Traveller, _ configuration: Realm.Configuration, _ token: NotificationToken,
    _ track: @escaping (Traveller) -> Tracker<Change>
  ) {
    self.traveller = traveller._forAnyThread()
    self.configuration = configuration
    self.token = token
    self.track = track
  }

  func arrive(on queue: DispatchQueue, _ block: @escaping (Change) -> Void) {
    observe(block) {
      try SessionRegistry.session(configuration, SessionOwner(queue))
    }
  }

  func arrive<A: Actor, Shown>(
    at actor: isolated A, _ shown: Handover<(Change) -> Shown>,
    _ block: @escaping @Sendable (isolated A, Shown) -> Void
  ) {
    let show = shown.value
    // The actor may hold the token, and with it this block.
    observe({ [weak actor] change in
      nonisolated(unsafe) let change = show(change)
      actor?.assumeIsolated { block($0, change) }
    }) {
      try SessionRegistry.session(configuration, SessionOwner(actor))
    }
  }

  private func observe(_ block: @escaping (Change) -> Void, in session: () throws -> Session) {
    guard let token, !token.hasEnded else { return }
    do {
      let session = try session()
      guard let here = Realm(session).counterpart(of: traveller) else {
        Change.disappearance.map(block)
        return
      }
      let tracker = track(here)
      let known = tracker.hasBeginning ? nil : traveller.realm?.session.snapshot
      token.hold(BlockObservation(session, told: known, tracker, block))
    } catch {
      Change.failure(error).map(block)
    }
  }
}
