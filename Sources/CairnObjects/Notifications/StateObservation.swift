import CairnStorage

/// Somebody who is told what is different from the state that was told of last.
class StateObservation: Observation {
  /// The state that was told of last; kept, to be compared, until nothing more can be told.
  private var told: Snapshot?
  /// Whether the state that the observer found is still to be told of.
  private var isNew: Bool

  /// - Parameter told: the state that is known already; nil for the present one.
  init(_ session: Session, told: Snapshot?, hasBeginning: Bool) {
    self.told = told ?? session.snapshot
    isNew = hasBeginning
    super.init(session)
  }

  override var isDue: Bool {
    isNew || told.map { $0.version != session.snapshot.version } ?? false
  }

  /// What is to be told of the session's state; nil where nothing is.
  final func advance<Change>(_ tracker: Tracker<Change>) -> Change? {
    guard let known = told else { return nil }
    let present = session.snapshot
    told = present
    defer { if tracker.isOver { told = nil } }
    do {
      if isNew {
        isNew = false
        return try tracker.begin()
      }
      if known.version == present.version { return nil }
      return try tracker.change(session.observers.step(from: known, to: present))
    } catch {
      tracker.isOver = true
      return .failure(error)
    }
  }

  /// Goes on to the session's state without a word, unless the block was never called: then it is, with that state.
  final func pass<Change>(_ tracker: Tracker<Change>) {
    if !isNew { _ = advance(tracker) }
  }
}
