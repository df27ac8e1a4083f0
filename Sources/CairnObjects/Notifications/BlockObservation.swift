import CairnStorage

/// A block that is called with what becomes of something.
final class BlockObservation<Change: ObservedChange>: StateObservation {
  private let tracker: Tracker<Change>
  private let block: (Change) -> Void
  private var isBeingCalled = false

  init(
    _ session: Session, told: Snapshot? = nil, _ tracker: Tracker<Change>,
    _ block: @escaping (Change) -> Void
  ) {
    self.tracker = tracker
    self.block = block
    super.init(session, told: told, hasBeginning: tracker.hasBeginning)
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
