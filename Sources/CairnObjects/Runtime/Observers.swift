import CairnQuery
import CairnStorage
import CairnSystem
import CairnValues

/// The session's observers, in registration order.
final class Observers {
  private struct Entry {
    weak var subscription: Subscription?
  }

  private var entries: [Entry] = []
  /// Whether the realm shows a snapshot that its own observers have not been notified of.
  var hasChanged = false
  /// The difference between two snapshots, shared by all observers during a delivery. It keeps both
  /// snapshots alive.
  private var cachedChanges: ObjectChanges?
  /// The older of the two snapshots, frozen, once an observer has asked for it.
  private var frozenOld: Session?
  private var isDelivering = false
  /// The reverse links that were looked up, kept from step to step.
  private let links = ReverseLinkLookup()

  /// The subscriptions that have not ended.
  private var active: [Subscription] {
    entries.compactMap { entry in entry.subscription.flatMap { $0.isEnded ? nil : $0 } }
  }

  var isEmpty: Bool { entries.isEmpty || active.isEmpty }

  func add(_ subscription: Subscription) {
    entries.removeAll { $0.subscription?.isEnded ?? true }
    entries.append(Entry(subscription: subscription))
  }

  /// Notifies the observers that are due, as long as none of them begins a write.
  func deliver(_ session: Session) {
    guard !entries.isEmpty else { return }
    let isOuter = !isDelivering
    isDelivering = true
    defer {
      if isOuter {
        isDelivering = false
        cachedChanges = nil
        frozenOld = nil
      }
    }
    for subscription in active where subscription.isDue {
      guard session.showsCommit else { return }
      if !subscription.isEnded { subscription.deliver() }
    }
  }

  /// Whether an observer has not been notified of the present snapshot.
  var hasDue: Bool { !entries.isEmpty && active.contains { $0.isDue } }

  /// Notifies the observers of the realm as a whole.
  func notify(_ notification: Realm.Notification, except excluded: [Subscription] = []) {
    guard !entries.isEmpty else { return }
    for subscription in active where !excluded.contains(where: { $0 === subscription }) {
      if !subscription.isEnded { subscription.receive(notification) }
    }
  }

  /// Ends all subscriptions.
  func endAll() {
    for subscription in active { subscription.end() }
    entries = []
  }

  /// The state before a step, frozen, shared by all observers of a delivery.
  func frozen(_ old: Snapshot, of session: Session) -> Session {
    if let frozenOld, frozenOld.frozenVersion == old.version { return frozenOld }
    let frozen = orFatal { try Session(freezing: old, of: session) }
    if isDelivering { frozenOld = frozen }
    return frozen
  }

  /// The difference between two snapshots, shared by all observers of the same step.
  func step(from old: Snapshot, to new: Snapshot) -> ObjectChanges {
    if let cachedChanges, cachedChanges.log.old.version == old.version,
      cachedChanges.log.new.version == new.version
    {
      return cachedChanges
    }
    let step = ObjectChanges(new.changes(since: old), links: links)
    if isDelivering { cachedChanges = step }
    return step
  }
}

/// Schedules runs in a session's isolation, in which the session advances to the last commit and
/// notifies observers. Any thread may wake it.
final class Waker: @unchecked Sendable {
  // Sendable: only the owner uses the session, and the flag for a pending run is protected by a
  // lock.
  private weak var session: Session?
  private let owner: Owner
  private let isPending = Mutex(false)

  /// The owner of the session.
  private enum Owner {
    case nowhere
    case queue(Scheduler)
    /// An actor, referred to weakly so that the session does not keep it alive.
    case actor(WeakActor)
  }

  private struct WeakActor {
    weak var actor: (any Actor)?
  }

  init(_ session: Session) {
    self.session = session
    switch session.scheduler {
    case .actor(let actor): owner = .actor(WeakActor(actor: actor))
    case .queue(let queue): owner = .queue(.queue(queue))
    case nil: owner = .nowhere
    }
  }

  /// The way to run code in the owner's isolation; nil if the owner cannot be scheduled or no
  /// longer exists.
  var scheduler: Scheduler? {
    switch owner {
    case .nowhere: nil
    case .queue(let scheduler): scheduler
    case .actor(let weak): weak.actor.map(Scheduler.actor)
    }
  }

  /// Schedules a run, unless one is already pending.
  func wake() {
    guard let scheduler, claim() else { return }
    scheduler.run { self.deliverChanges() }
  }

  private func claim() -> Bool {
    isPending.withLock { isPending in
      defer { isPending = true }
      return !isPending
    }
  }

  private func deliverChanges() {
    isPending.withLock { $0 = false }
    session?.deliverChanges()
  }
}
