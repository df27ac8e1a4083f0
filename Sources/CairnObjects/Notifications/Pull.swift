import CairnStorage

/// What one loop over changes knows.
final class Pull<Change> {
  private let observation: PullObservation
  /// The change that is due; nil where none is.
  private let take: () -> Change?
  private let isOver: () -> Bool

  init<Observed: ObservedChange>(
    _ session: Session, _ tracker: Tracker<Observed>, as told: @escaping (Observed) -> Change
  ) {
    let observation = PullObservation(session, hasBeginning: tracker.hasBeginning)
    self.observation = observation
    isOver = { tracker.isOver }
    take = { observation.advance(tracker).map(told) }
    session.observers.add(observation)
    observation.watch()
  }

  /// The next change, found on the actor that the realm belongs to, or else here.
  func nextForOwner() async -> Handover<Change?> {
    let session = observation.session
    let owner: (any Actor)? = session.confinement == .main ? MainActor.shared : session.actor
    nonisolated(unsafe) let pull = self
    return await pull.handedOver(owner)
  }

  private func handedOver(_ isolation: isolated (any Actor)?) async -> Handover<Change?> {
    Handover(await next(isolation))
  }

  /// The next change, once there is one; nil when no other can follow.
  func next(_ isolation: isolated (any Actor)?) async -> Change? {
    let signal = observation.signal
    while !Task.isCancelled, !isOver(), !observation.isEnded {
      observation.session.checkThread()
      if observation.refresh(), let change = take() { return change }
      await withTaskCancellationHandler {
        await signal.wait()
      } onCancel: {
        signal.raise()
      }
    }
    return nil
  }
}

/// A loop that asks for changes itself, and only has to know when to.
final class PullObservation: StateObservation {
  /// Raised when there may be something new.
  let signal = Signal()
  private var commits: CommitWatch?
  /// The state that the signal was raised for.
  private var raisedFor: UInt64?

  init(_ session: Session, hasBeginning: Bool) {
    super.init(session, told: nil, hasBeginning: hasBeginning)
  }

  override var isDue: Bool { super.isDue && raisedFor != session.snapshot.version }

  override func deliver() {
    raisedFor = session.snapshot.version
    signal.raise()
  }

  /// Hears of commits from now on.
  func watch() {
    let signal = signal
    commits = session.store.watch { _ in signal.raise() }
  }

  /// Lets the session go on to the last commit, where it does so by itself; false while it shows no commit.
  func refresh() -> Bool {
    guard session.transaction == nil,
      session.sealed?.outcome.present != nil || session.sealed == nil
    else { return false }
    // Where the store cannot be read now there is nothing new.
    if session.autorefresh { _ = try? session.refresh() } else { try? session.settle() }
    return session.isAtRest
  }
}
