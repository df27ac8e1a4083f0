import Cairn

/// Observers of a store of ships: what they are told makes the new elements of the old ones, and nothing that changes goes
/// without a word.
final class FleetObservers {
  private var tokens: [NotificationToken] = []
  /// Looks whether everything was told; gives what is wrong.
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

  /// What is wrong with what was told, once the realm has told all.
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
    // What is put in the place of another element of a list is a modification.
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
    // The collection of an object that was deleted is told to be empty.
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

/// What a ship shows: its own values, and those of the sailors that it leads to.
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
  /// The row, by what never becomes another's.
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
  /// Mixed values do not tell of the objects that they lead to.
  fileprivate var withoutSailors: Self {
    switch self {
    case .sailor: .none
    case .list(let list): .list(list.map(\.withoutSailors))
    case .map(let map): .map(map.mapValues(\.withoutSailors))
    default: self
    }
  }
}
