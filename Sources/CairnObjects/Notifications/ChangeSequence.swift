import CairnStorage

/// An asynchronous sequence of the changes of something in a realm.
///
///     for await change in dogs.changes { … }
///
/// Each step refreshes the realm, unless its ``Realm/autorefresh`` is off, and waits until there is
/// a change. All commits since the step before form one change. The sequence ends with its task,
/// and when the observed object or collection is deleted.
///
/// The loop runs in the isolation of the realm: on its actor, or in its task.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct ChangeSequence<Change>: AsyncSequence {
  private let source: () -> SubscriptionIterator<Change>

  init(_ source: @escaping () -> SubscriptionIterator<Change>) { self.source = source }

  /// Returns an iterator, which begins with the present snapshot.
  public func makeAsyncIterator() -> Iterator { Iterator(source()) }

  /// An iterator over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: SubscriptionIterator<Change>

    init(_ source: SubscriptionIterator<Change>) { self.source = source }

    /// Returns the next change as soon as there is one; nil when no other can follow.
    public mutating func next(isolation: isolated (any Actor)?) async -> Change? {
      await source.next(isolation)
    }

    /// Returns the next change, for callers that do not pass their isolation. The search for
    /// changes runs in the isolation of the realm.
    public mutating func next() async -> Change? {
      let source = UncheckedTransfer(source)
      return await source.value.nextForOwner().value
    }
  }
}

extension ThreadConfined {
  /// The changes of the receiver, as an asynchronous sequence.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  package func changeSequence<Observed: ObservedChange, Change>(
    _ track: @escaping (Self) -> Tracker<Observed>, as transform: @escaping (Observed) -> Change
  ) -> ChangeSequence<Change> {
    let session = observableSession()
    return ChangeSequence { SubscriptionIterator(session, tracker: track(self), as: transform) }
  }
}

/// The state of one loop over changes.
final class SubscriptionIterator<Change> {
  private let subscription: IteratorSubscription
  /// Returns the change that is due; nil if nothing changed.
  private let take: () -> Change?
  private let isOver: () -> Bool

  init<Observed: ObservedChange>(
    _ session: Session, tracker: Tracker<Observed>, as transform: @escaping (Observed) -> Change
  ) {
    let subscription = IteratorSubscription(session, hasBeginning: tracker.hasBeginning)
    self.subscription = subscription
    isOver = { tracker.isOver }
    take = { subscription.advance(tracker).map(transform) }
    session.observers.add(subscription)
    subscription.watch()
  }

  /// Returns the next change, found on the realm's actor, or here if the realm has no actor.
  func nextForOwner() async -> UncheckedTransfer<Change?> {
    let session = subscription.session
    let owner: (any Actor)? = session.confinement == .main ? MainActor.shared : session.actor
    // Sendable: the caller waits, and `source` is used on the owner of its session, as elsewhere.
    nonisolated(unsafe) let source = self
    return await source.nextTransferred(owner)
  }

  private func nextTransferred(_ isolation: isolated (any Actor)?) async -> UncheckedTransfer<
    Change?
  > {
    UncheckedTransfer(await next(isolation))
  }

  /// Returns the next change as soon as there is one; nil when no other can follow.
  func next(_ isolation: isolated (any Actor)?) async -> Change? {
    let signal = subscription.signal
    while !Task.isCancelled, !isOver(), !subscription.isEnded {
      subscription.session.checkThread()
      if subscription.refresh(), let change = take() { return change }
      await withTaskCancellationHandler {
        await signal.wait()
      } onCancel: {
        signal.raise()
      }
    }
    return nil
  }
}

/// The subscription of a loop, which fetches changes itself and needs only to be woken.
final class IteratorSubscription: SnapshotSubscription {
  /// Raised when there may be a change.
  let signal = Signal()
  private var commits: CommitWatch?
  /// The version of the snapshot that the signal was last raised for.
  private var raisedFor: UInt64?

  init(_ session: Session, hasBeginning: Bool) {
    super.init(session, delivered: nil, hasBeginning: hasBeginning)
  }

  override var isDue: Bool { super.isDue && raisedFor != session.snapshot.version }

  override func deliver() {
    raisedFor = session.snapshot.version
    signal.raise()
  }

  /// Does nothing: a loop has no token by which a write could exclude it.
  override func skip() {}

  /// Watches for commits from now on.
  func watch() {
    let signal = signal
    commits = session.store.watch { _ in signal.raise() }
  }

  /// Advances the session to the last commit if its autorefresh is on; returns false while the
  /// session does not show a commit.
  func refresh() -> Bool {
    guard session.transaction == nil,
      session.pendingWrite?.outcome.present != nil || session.pendingWrite == nil
    else { return false }
    // If the store cannot be read now, there is nothing new to report.
    if session.autorefresh { _ = try? session.refresh() } else { try? session.finishPendingWrite() }
    return session.showsCommit
  }
}
