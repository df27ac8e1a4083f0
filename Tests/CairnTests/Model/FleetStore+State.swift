import Cairn

/// What the store holds, read object by object.
extension FleetStore {
  /// Sailors are known by their tags.
  var state: FleetState {
    var state = FleetState()
    for sailor in realm.objects(Sailor.self) {
      state.sailors[sailor.tag] = FleetState.Sailor(
        tag: sailor.tag, name: sailor.name, friend: sailor.friend?.tag)
    }
    for ship in realm.objects(Ship.self) { state.ships[ship.id] = FleetState.Ship(ship) }
    return state
  }

  /// What is wrong apart from the values of the properties.
  var disorder: String? {
    let ships = Array(realm.objects(Ship.self))
    let cabins = ships.reduce(0) { $0 + $1.cabins.count }
    if realm.dynamicObjects("Cabin").count != cabins {
      return "\(realm.dynamicObjects("Cabin").count) cabins are stored, \(cabins) are in ships"
    }
    let berths = ships.count { $0.berth != nil }
    if realm.dynamicObjects("Berth").count != berths {
      return "\(realm.dynamicObjects("Berth").count) berths are stored, \(berths) are in ships"
    }
    for sailor in realm.objects(Sailor.self) {
      let expected = ships.flatMap { ship in
        ship.crew.filter { $0.tag == sailor.tag }.map { _ in ship.id }
      }
      if sailor.ships.map(\.id).sorted() != expected.sorted() {
        return "sailor \(sailor.tag) is in the crews of \(sailor.ships.map(\.id)), not \(expected)"
      }
    }
    for ship in ships where ship.cargo.keys != ship.cargo.keys.sorted() {
      return "the cargo of ship \(ship.id) is in no order: \(ship.cargo.keys)"
    }
    return nil
  }
}

extension FleetState.Ship {
  init(_ ship: Ship) {
    name = ship.name
    tons = ship.tons
    position = ship.position.map {
      FleetState.Place(latitude: $0.latitude, longitude: $0.longitude)
    }
    berth = ship.berth.map {
      FleetState.Berth(type: $0.type, coordinates: Array($0.coordinates), note: $0.note)
    }
    captain = ship.captain?.tag
    crew = ship.crew.map(\.tag)
    watch = Set(ship.watch.map(\.tag))
    for entry in ship.mates { mates[entry.key] = .some(entry.value?.tag) }
    log = Array(ship.log)
    flags = Set(ship.flags)
    for entry in ship.cargo { cargo[entry.key] = entry.value }
    cabins = ship.cabins.map {
      FleetState.Cabin(beds: $0.beds, guests: $0.guests.map(\.tag))
    }
    extra = FleetState.Extra(ship.extra)
  }
}

extension FleetState.Extra {
  init(_ value: AnyRealmValue) {
    switch value {
    case .int(let number): self = .int(number)
    case .string(let text): self = .text(text)
    case .bool(let flag): self = .flag(flag)
    case .object(let object): self = .sailor((object as? Sailor)?.tag ?? -1)
    case .list(let list): self = .list(list.map(FleetState.Extra.init))
    case .dictionary(let map):
      self = .map(
        Dictionary(map.map { ($0.key, FleetState.Extra($0.value)) }) { first, _ in first })
    default: self = .none
    }
  }
}
