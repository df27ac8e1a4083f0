import CairnStorage
import CairnSystem

/// An observer that receives the difference between two snapshots.
class SnapshotSubscription: Subscription {
  /// The snapshot that was last delivered. It is kept for comparison until nothing more can be
  /// delivered.
  private var delivered: Snapshot?
  /// Whether the initial snapshot is yet to be delivered.
  private var isNew: Bool

  /// - Parameter delivered: the snapshot that the observer already knows; nil for the present one.
  init(_ session: Session, delivered: Snapshot?, hasBeginning: Bool) {
    self.delivered = delivered ?? session.snapshot
    isNew = hasBeginning
    super.init(session)
  }

  override var isDue: Bool {
    isNew || delivered.map { $0.version != session.snapshot.version } ?? false
  }

  /// The change up to the session's present snapshot; nil if nothing changed.
  final func advance<Change>(_ tracker: Tracker<Change>) -> Change? {
    guard let lastSnapshot = delivered else { return nil }
    let present = session.snapshot
    delivered = present
    defer { if tracker.isOver { delivered = nil } }
    do {
      if isNew {
        isNew = false
        return try tracker.begin()
      }
      if lastSnapshot.version == present.version { return nil }
      return try tracker.change(session.observers.step(from: lastSnapshot, to: present))
    } catch {
      tracker.isOver = true
      return .failure(error)
    }
  }

  /// Advances to the session's present snapshot without a notification. If the block has never been
  /// called, it receives that snapshot later as the initial one.
  final func pass<Change>(_ tracker: Tracker<Change>) {
    if !isNew { _ = advance(tracker) }
  }
}

/// A subscription that calls a block with each change.
final class BlockSubscription<Change: ObservedChange>: SnapshotSubscription {
  private let tracker: Tracker<Change>
  private let block: (Change) -> Void
  private var isBeingCalled = false

  init(
    _ session: Session, delivered: Snapshot? = nil, tracker: Tracker<Change>,
    block: @escaping (Change) -> Void
  ) {
    self.tracker = tracker
    self.block = block
    super.init(session, delivered: delivered, hasBeginning: tracker.hasBeginning)
  }

  override var isDue: Bool { !isBeingCalled && !tracker.isOver && super.isDue }

  override func deliver() {
    guard let change = advance(tracker) else { return }
    isBeingCalled = true
    defer { isBeingCalled = false }
    block(change)
  }

  override func skip() { pass(tracker) }
}
