import Cairn

/// Operations on the objects of a store.
extension FleetStore {
  func apply(_ operation: FleetOperation) {
    muster()
    switch operation {
    case .add(let id, let draft, let isAll):
      let ship = Ship()
      ship.id = id
      write(draft, to: ship)
      realm.add(ship, update: isAll ? .all : .modified)
    case .create(let id, let draft, let isAll):
      realm.create(Ship.self, value: values(draft, id: id), update: isAll ? .all : .modified)
    case .enlist(let draft): if let sailor = sailor(draft) { realm.add(sailor) }
    case .set(let ship, let draft): if let ship = chosenShip(ship) { write(draft, to: ship) }
    case .setAll(let tons, let bulk): set(bulk, in: realm.objects(Ship.self), tons)
    case .move(let ship, let place): chosenShip(ship)?.position = place?.point
    case .sail(let ship, let coordinates):
      chosenShip(ship)?.berth?.setValue(coordinates, forKey: "coordinates")
    case .befriend(let number, let friend):
      if let sailor = chosen(number) { sailor.friend = friend.flatMap(self.sailor) }
    case .rename(let number, let name): chosen(number)?.name = name
    case .sink(let ship): if let ship = chosenShip(ship) { realm.delete(ship) }
    case .sinkAll(let name): realm.delete(realm.objects(Ship.self).where { $0.name == name })
    case .dismiss(let number): if let sailor = chosen(number) { realm.delete(sailor) }
    case .dismissCrew(let ship): if let ship = chosenShip(ship) { realm.delete(ship.crew) }
    case .deleteAll: realm.deleteAll()
    case .ask, .check: break
    default: if let ship = chosenShip(operation.ship) { change(operation, ship) }
    }
  }

  /// Changes of a ship's collections.
  private func change(_ operation: FleetOperation, _ ship: Ship) {
    switch operation {
    case .crew(_, let change): change.mapped(sailors)?.apply(to: ship.crew)
    case .log(_, let change): change.apply(to: ship.log)
    case .cabins(_, let change): change.mapped { $0.map(cabin) }?.apply(to: ship.cabins)
    case .guests(_, let cabin, let change):
      guard ship.cabins.count > 0 else { return }
      change.mapped(sailors)?.apply(to: ship.cabins[cabin % ship.cabins.count].guests)
    case .watch(_, let change): change.sailors(sailors)?.apply(to: ship.watch)
    case .flags(_, let change): change.apply(to: ship.flags)
    case .mates(_, let change): change.mapped { $0.flatMap(sailor) }.apply(to: ship.mates)
    case .cargo(_, let change): change.apply(to: ship.cargo)
    case .extra(_, let key, let draft):
      let more = extra(draft)
      if let rest = ship.extra.add(more, key) { ship.extra = rest }
    default: break
    }
  }

  private func set(_ bulk: BulkDraft, in ships: Results<Ship>, _ tons: Int) {
    let ships = ships.where { $0.tons >= tons }
    switch bulk {
    case .name(let name): ships.setValue(name, forKey: "name")
    case .tons(let tons): ships.setValue(tons, forKey: "tons")
    case .position(let position): ships.setValue(position?.point, forKey: "position")
    case .captain(let captain): ships.setValue(captain.flatMap(sailor), forKey: "captain")
    case .flags(let flags): ships.setValue(flags, forKey: "flags")
    case .berths(let note): ships.setValue(note.map { ["note": $0] }, forKey: "berth")
    }
  }
}

extension FleetOperation {
  /// The number that chooses the ship.
  fileprivate var ship: Int {
    switch self {
    case .crew(let ship, _), .log(let ship, _), .cabins(let ship, _), .guests(let ship, _, _),
      .watch(let ship, _), .flags(let ship, _), .mates(let ship, _), .cargo(let ship, _),
      .extra(let ship, _, _):
      ship
    default: 0
    }
  }
}

extension AnyRealmValue {
  /// Adds to a list or a map; nil then, or what is to be stored in place of anything else.
  fileprivate func add(_ more: AnyRealmValue, _ key: String) -> AnyRealmValue? {
    switch self {
    case .list(let list):
      guard let last = list.last, case .list = last else {
        list.append(more)
        return nil
      }
      if let rest = last.add(more, key) { list[list.count - 1] = rest }
      return nil
    case .dictionary(let map):
      map[key] = more
      return nil
    default: return more
    }
  }
}
