import CairnQuery
import CairnStorage

/// Those who are told when a session goes on to another state, in the order in which they came.
final class Observers {
  private struct Entry {
    weak var observation: Observation?
  }

  private var entries: [Entry] = []
  /// Whether the realm shows a state that was not told of as such.
  var hasChanged = false
  /// What happened between two states, for all who ask while they are told; it keeps both.
  private var known: ObjectChanges?
  private var isTelling = false
  /// Who links to whom, as far as it was asked for: kept from step to step.
  private let links = BackLinks()

  /// Those who still want to be told.
  private var living: [Observation] {
    entries.compactMap { entry in entry.observation.flatMap { $0.isEnded ? nil : $0 } }
  }

  var isEmpty: Bool { entries.isEmpty || living.isEmpty }

  func add(_ observation: Observation) {
    entries.removeAll { $0.observation?.isEnded ?? true }
    entries.append(Entry(observation: observation))
  }

  /// Tells everyone what is due, for as long as the session stands still.
  func deliver(_ session: Session) {
    guard !entries.isEmpty else { return }
    let isOuter = !isTelling
    isTelling = true
    defer {
      if isOuter {
        isTelling = false
        known = nil
      }
    }
    for observation in living where observation.isDue {
      guard session.isAtRest else { return }
      if !observation.isEnded { observation.deliver() }
    }
  }

  /// Whether somebody has not been told of the present state.
  var areDue: Bool { !entries.isEmpty && living.contains { $0.isDue } }

  /// Tells everyone what became of the realm as a whole.
  func hear(_ notification: Realm.Notification, except spared: [Observation] = []) {
    guard !entries.isEmpty else { return }
    for observation in living where !spared.contains(where: { $0 === observation }) {
      if !observation.isEnded { observation.hear(notification) }
    }
  }

  /// Ends them all.
  func endAll() {
    for observation in living { observation.end() }
    entries = []
  }

  /// What happened in the store between two states; shared by all who are told of the same step.
  func step(from old: Snapshot, to new: Snapshot) -> ObjectChanges {
    if let known, known.log.old.version == old.version, known.log.new.version == new.version {
      return known
    }
    let step = ObjectChanges(new.changes(since: old), links)
    if isTelling { known = step }
    return step
  }
}
