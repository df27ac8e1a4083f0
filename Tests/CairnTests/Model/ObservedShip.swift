import Cairn

/// What is told of one ship, its map included: every property that holds something else is named, and no other.
final class ObservedShip {
  private let ship: Ship
  private var known: FleetState.Ship
  private var cargo: [String: Int]?
  private var wasTold = false
  private var tokens: [NotificationToken] = []
  private var failure: String?

  init(_ ship: Ship) {
    self.ship = ship
    known = FleetState.Ship(ship)
    tokens = [
      ship.observe { [unowned self] (change: ObjectChange<Ship>) in told(change) },
      ship.cargo.observe { [unowned self] change in told(change) },
    ]
  }

  /// What was told wrongly, or not at all.
  func check() -> String? {
    if failure == nil, ship.isInvalidated != wasTold { failure = "its end was not told" }
    if failure == nil, !ship.isInvalidated {
      let now = FleetState.Ship(ship)
      if !known.differing(from: now).isEmpty { failure = "\(known) became \(now) without a word" }
      if cargo != now.cargo { failure = "its cargo \(now.cargo) was told to be \(cargo ?? [:])" }
    }
    return failure.map { "an observed ship: \($0)" }
  }

  private func told(_ change: ObjectChange<Ship>) {
    switch change {
    case .error: failure = "an error"
    case .deleted: wasTold = true
    case .change(let ship, let changes):
      let now = FleetState.Ship(ship)
      let names = Set(changes.map(\.name)).intersection(FleetState.Ship.ownValues)
      let expected = known.differing(from: now)
      if names != expected, failure == nil { failure = "\(names) were named, not \(expected)" }
      for change in changes where change.name == "tons" && failure == nil {
        if change.oldValue as? Int != known.tons || change.newValue as? Int != now.tons {
          failure = "\(change), not from \(known.tons ?? -1) to \(now.tons ?? -1)"
        }
      }
      known = now
    }
  }

  private func told(_ change: RealmMapChange<Map<String, Int>>) {
    guard failure == nil else { return }
    switch change {
    case .error: failure = "an error"
    case .initial(let map): cargo = map.plain
    case .update(let map, let deletions, let insertions, let modifications):
      let (old, now) = (cargo ?? [:], map.plain)
      cargo = now
      let gone = Set(old.keys).subtracting(now.keys)
      let come = Set(now.keys).subtracting(old.keys)
      let changed = old.keys.filter { now[$0] != nil && now[$0] != old[$0] }
      if Set(deletions) != gone || Set(insertions) != come || Set(modifications) != Set(changed) {
        failure = "\(old) became \(now) by \(deletions) \(insertions) \(modifications)"
      }
    }
  }
}

extension Map where Key == String, Value == Int {
  fileprivate var plain: [String: Int] {
    isInvalidated ? [:] : Dictionary(map { ($0.key, $0.value) }) { first, _ in first }
  }
}

extension FleetState.Ship {
  /// The properties that lead to nothing else.
  static let ownValues: Set<String> = ["name", "tons", "position", "log", "flags", "cargo"]

  /// Those of them that are different.
  func differing(from other: Self) -> Set<String> {
    var names: Set<String> = []
    if name != other.name { names.insert("name") }
    if tons != other.tons { names.insert("tons") }
    if position != other.position { names.insert("position") }
    if log != other.log { names.insert("log") }
    if flags != other.flags { names.insert("flags") }
    if cargo != other.cargo { names.insert("cargo") }
    return names
  }
}
