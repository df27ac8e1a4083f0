import Cairn

/// Observers of a store of ships. They check that each change set turns the old elements into the
/// new ones and that no change is missing.
final class FleetObservers {
  private var tokens: [NotificationToken] = []
  /// Checks for missing notifications, each returning its failure.
  private var checks: [() -> String?] = []

  init(_ store: FleetStore) {
    for (results, question) in store.living { observe(results, "\(question)") }
    let ships = store.realm.objects(Ship.self)
    observe(ships.sorted(byKeyPath: "name").sorted(byKeyPath: "tons", ascending: false), "sorted")
    observe(store.realm.objects(Sailor.self))
    for ship in store.ships.prefix(3) {
      observe(ship)
      let observed = ObservedShip(ship)
      checks.append { observed.check() }
    }
  }

  /// The first wrong or missing notification. Read this after the realm has notified its observers.
  var failure: String? {
    for check in checks { if let failure = check() { return failure } }
    return nil
  }

  private func observe(_ ships: Results<Ship>, _ name: String) {
    observe(ships, "ships, \(name)", as: ShipContent.init, identity: \.id)
  }

  private func observe(_ sailors: Results<Sailor>) {
    observe(
      sailors, "sailors", as: { SailorContent($0, depth: 1) }, identity: \.row)
  }

  private func observe(_ ship: Ship) {
    let name = "ship \(ship.id)"
    // Replacing an element of a list is a modification.
    observe(ship.crew, "\(name), crew", as: { SailorContent($0, depth: 0) }, identity: nil)
    observe(ship.log, "\(name), log", as: { $0 }, identity: nil)
    observe(ship.flags, "\(name), flags", as: { $0 }, identity: nil)
    observe(
      ship.cabins, "\(name), cabins",
      as: { FleetState.Cabin(beds: $0.beds, guests: $0.guests.map(\.tag)) }, identity: nil)
  }

  private func observe<C: RealmCollection, Content: Equatable>(
    _ collection: C, _ name: String, as content: @escaping (C.Element) -> Content,
    identity: ((Content) -> Int)?
  ) {
    let elements = ObservedElements<Content>(name, identity: identity)
    // The collection of a deleted object is reported as empty.
    func now(_ collection: C) -> [Content] {
      collection.isInvalidated ? [] : collection.map(content)
    }
    tokens.append(
      collection.observe { change in
        switch change {
        case .initial(let collection): elements.begin(now(collection))
        case .update(let collection, let deletions, let insertions, let modifications):
          elements.update(now(collection), deletions, insertions, modifications)
        case .error: break
        }
      })
    checks.append {
      elements.check(now(collection))
      return elements.failure
    }
  }
}

/// The observed content of a ship: its own values and those of its linked sailors.
private struct ShipContent: Equatable {
  let id: Int
  let ship: FleetState.Ship
  let sailors: [SailorContent]

  init(_ ship: Ship) {
    id = ship.id
    var content = FleetState.Ship(ship)
    content.extra = content.extra.withoutSailors
    self.ship = content
    let mates = ship.mates.compactMap(\.value)
    let guests = ship.cabins.flatMap { Array($0.guests) }
    sailors =
      ([ship.captain].compactMap { $0 } + Array(ship.crew) + mates + guests)
      .map { SailorContent($0, depth: 1) }
  }
}

private struct SailorContent: Equatable {
  /// The identity of the row, which is never reused.
  let row: Int
  let tag: Int
  let name: String
  let friend: [SailorContent]

  init(_ sailor: Sailor, depth: Int) {
    row = sailor.freeze().hashValue
    tag = sailor.tag
    name = sailor.name
    friend = depth > 0 ? sailor.friend.map { [SailorContent($0, depth: depth - 1)] } ?? [] : []
  }
}

extension FleetState.Extra {
  /// The value without linked objects, which mixed values do not report.
  fileprivate var withoutSailors: Self {
    switch self {
    case .sailor: .none
    case .list(let list): .list(list.map(\.withoutSailors))
    case .map(let map): .map(map.mapValues(\.withoutSailors))
    default: self
    }
  }
}

/// An observer of one ship and its map. It checks that notifications name exactly the changed
/// properties.
final class ObservedShip {
  private let ship: Ship
  private var known: FleetState.Ship
  private var cargo: [String: Int]?
  private var sawDeletion = false
  private var tokens: [NotificationToken] = []
  private var failure: String?

  init(_ ship: Ship) {
    self.ship = ship
    known = FleetState.Ship(ship)
    tokens = [
      ship.observe { [unowned self] (change: ObjectChange<Ship>) in receive(change) },
      ship.cargo.observe { [unowned self] change in receive(change) },
    ]
  }

  /// The first wrong or missing notification.
  func check() -> String? {
    if failure == nil, ship.isInvalidated != sawDeletion {
      failure = "its deletion was not reported"
    }
    if failure == nil, !ship.isInvalidated {
      let now = FleetState.Ship(ship)
      if !known.differing(from: now).isEmpty { failure = "unreported change: \(known) to \(now)" }
      if cargo != now.cargo { failure = "reported the cargo \(cargo ?? [:]), found \(now.cargo)" }
    }
    return failure.map { "an observed ship: \($0)" }
  }

  private func receive(_ change: ObjectChange<Ship>) {
    switch change {
    case .error: failure = "an error"
    case .deleted: sawDeletion = true
    case .change(let ship, let changes):
      let now = FleetState.Ship(ship)
      let names = Set(changes.map(\.name)).intersection(FleetState.Ship.ownValues)
      let expected = known.differing(from: now)
      // Equal values that were written are reported as well.
      if !expected.isSubset(of: names), failure == nil {
        failure = "expected changes of \(expected), found \(names)"
      }
      for change in changes where change.name == "tons" && failure == nil {
        if change.oldValue as? Int != known.tons || change.newValue as? Int != now.tons {
          failure =
            "expected a change from \(known.tons ?? -1) to \(now.tons ?? -1), found \(change)"
        }
      }
      known = now
    }
  }

  private func receive(_ change: RealmMapChange<Map<String, Int>>) {
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
  /// The properties without links.
  static let ownValues: Set<String> = ["name", "tons", "position", "log", "flags", "cargo"]

  /// The names of the properties without links that differ.
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

/// The elements of an observed collection, maintained from its change sets.
final class ObservedElements<Element: Equatable> {
  private let name: String
  /// The identity of an element apart from its content, or nil if elements are values.
  private let identity: ((Element) -> Int)?
  private var elements: [Element]?
  /// The first wrong change set.
  private(set) var failure: String?

  init(_ name: String, identity: ((Element) -> Int)?) {
    self.name = name
    self.identity = identity
  }

  func begin(_ new: [Element]) { elements = new }

  /// Applies a change set and compares the result with the current elements.
  func update(_ new: [Element], _ gone: [Int], _ come: [Int], _ changed: [Int]) {
    guard let old = elements else { return fail("an update before the initial notification") }
    elements = new
    for places in [gone, come, changed] where !zip(places, places.dropFirst()).allSatisfy(<) {
      return fail("indexes are not ascending: \(places)")
    }
    guard !gone.isEmpty || !come.isEmpty || !changed.isEmpty else {
      return fail("an empty change set")
    }
    guard (gone + changed).allSatisfy(old.indices.contains), come.allSatisfy(new.indices.contains),
      Set(gone).isDisjoint(with: changed)
    else { return fail("\(gone) \(come) \(changed) of \(old.count) and \(new.count)") }
    // The remaining elements, and whether their content may differ.
    var stayed = old.indices.filter { !gone.contains($0) }.map { index in
      (element: old[index], isChanged: changed.contains(index))
    }
    for index in come {
      guard index <= stayed.count else { return fail("\(come) leave a gap") }
      stayed.insert((new[index], true), at: index)
    }
    guard stayed.count == new.count else {
      return fail("\(old.count) elements - \(gone) + \(come) do not yield \(new.count)")
    }
    for (index, (element, isChanged)) in stayed.enumerated() {
      if let identity, identity(element) != identity(new[index]) {
        return fail("expected \(element) at \(index), found \(new[index])")
      }
      if !isChanged, element != new[index] {
        return fail("unreported change at \(index): \(element) to \(new[index])")
      }
    }
  }

  /// Checks that every change was reported.
  func check(_ now: [Element]) {
    guard let elements, failure == nil else { return }
    if elements.count != now.count {
      return fail("reported \(elements.count) elements, found \(now.count)")
    }
    for (old, new) in zip(elements, now) where old != new {
      return fail("unreported change: \(old) to \(new)")
    }
  }

  private func fail(_ reason: String) { if failure == nil { failure = "\(name): \(reason)" } }
}
