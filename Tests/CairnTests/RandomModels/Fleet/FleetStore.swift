import Cairn
import Foundation

/// The ships of a store, which receive the same operations as a `FleetState`.
final class FleetStore {
  private var opened: Realm?
  /// Results that live through the whole run, with their queries.
  private(set) var living: [(results: Results<Ship>, FleetQuery)] = []

  /// The sailors that existed before the operation.
  private var choice: [Sailor] = []

  init(_ realm: Realm) { open(realm) }

  var realm: Realm { opened! }

  func close() {
    living = []
    choice = []
    opened = nil
  }

  func open(_ realm: Realm) {
    opened = realm
    live()
  }

  private func live() {
    let middle = FleetState.Place(latitude: 0, longitude: 0.5)
    let questions: [FleetQuery] = [
      .inCircle(middle, kilometers: 300), .berthInCircle(middle, kilometers: 300), .heavier(2),
      .withCrewNamed("Asta"), .named("dora"),
    ]
    living = questions.compactMap { question in
      results(of: question).map { ($0, question) }
    }
  }

  var ships: Results<Ship> { realm.objects(Ship.self).sorted(byKeyPath: "id") }
  var sailors: Results<Sailor> { realm.objects(Sailor.self).sorted(byKeyPath: "tag") }

  /// The ship that a number selects.
  func chosenShip(_ number: Int) -> Ship? {
    let ships = ships
    return ships.isEmpty ? nil : ships[number % ships.count]
  }

  /// The sailor that a number selects, in the order of tags.
  func chosen(_ number: Int) -> Sailor? {
    choice.isEmpty ? nil : choice[number % choice.count]
  }

  /// Records the sailors that numbers select from now on.
  func recordSailors() { choice = Array(sailors) }

  /// The results of a query in the order of the keys.
  func results(of question: FleetQuery) -> Results<Ship>? {
    recordSailors()
    let ships = ships
    switch question {
    case .inCircle(let place, let kilometers):
      let circle = GeoCircle(center: place.point, radius: .kilometers(kilometers)!)
      return ships.where { $0.position.geoWithin(circle) }
    case .inBox(let a, let b):
      let box = GeoBox(
        bottomLeft: (min(a.latitude, b.latitude), min(a.longitude, b.longitude)),
        topRight: (max(a.latitude, b.latitude), max(a.longitude, b.longitude)))!
      return ships.where { $0.position.geoWithin(box) }
    case .berthInCircle(let place, let kilometers):
      let circle = GeoCircle(center: place.point, radius: .kilometers(kilometers)!)
      return ships.filter("berth IN %@", circle)
    case .named(let name): return ships.where { $0.name == name }
    case .heavier(let tons): return ships.where { $0.tons > tons }
    case .withCrewNamed(let name): return ships.filter("ANY crew.name == %@", name)
    case .withCrewOf(let count): return ships.where { $0.crew.count == count }
    case .withCaptainNamed(let name): return ships.where { $0.captain.name == name }
    case .withCargo(let key): return ships.where { $0.cargo.keys == key }
    case .withExtra(let number): return ships.where { $0.extra == .int(number) }
    case .watchedBy(let number): return chosen(number).map { ships.filter("ANY watch == %@", $0) }
    }
  }
}

extension FleetState.Place {
  var point: GeoPoint { GeoPoint(latitude: latitude, longitude: longitude)! }
}

/// Operations applied to the objects of a store.
extension FleetStore {
  func apply(_ operation: FleetOperation) {
    recordSailors()
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

  /// Applies a change to a collection of a ship.
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
  /// The number that selects the ship.
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
  /// Adds to a list or a map in place and returns nil, or returns the value to store instead of any
  /// other value.
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

/// The content of the store, read object by object.
extension FleetStore {
  /// The state of the store, with sailors identified by their tags.
  var state: FleetState {
    var state = FleetState()
    for sailor in realm.objects(Sailor.self) {
      state.sailors[sailor.tag] = FleetState.Sailor(
        tag: sailor.tag, name: sailor.name, friend: sailor.friend?.tag)
    }
    for ship in realm.objects(Ship.self) { state.ships[ship.id] = FleetState.Ship(ship) }
    return state
  }

  /// The first violated invariant apart from the values of the properties.
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
        return
          "crews with sailor \(sailor.tag): expected \(expected), found \(sailor.ships.map(\.id))"
      }
    }
    for ship in ships where ship.cargo.keys != ship.cargo.keys.sorted() {
      return "the cargo of ship \(ship.id) is not sorted: \(ship.cargo.keys)"
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
