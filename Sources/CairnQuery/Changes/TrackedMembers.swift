import CairnStorage

/// Results that stand by rising key.
final class TrackedMembers: Tracked {
  private var members: MemberSet

  init(_ execution: Execution) { members = MemberSet(execution) }

  override var count: Int { members.count }
  override var keys: [Int] { members.keys }
  override func key(at place: Int) -> Int { members.key(at: place) }

  override func update(_ step: TrackingStep) throws -> Changes {
    let matching = try step.matching().keys
    let asked = KeyRuns(rising: matching)
    let gone = members.members(among: step.rows.deleted.union(step.reread.subtracting(asked)))
    let new = matching.filter { !members.contains($0) }
    var changes = Changes()
    changes.deletedKeys = gone
    changes.deletions = members.places(of: gone)
    changes.insertedKeys = new
    changes.modifiedKeys = members.members(among: step.observed.subtracting(KeyRuns(rising: gone)))
    changes.modifications = members.places(of: changes.modifiedKeys)
    for key in gone { members.remove(key) }
    for key in new { members.insert(key) }
    changes.insertions = members.places(of: new)
    return changes
  }
}
