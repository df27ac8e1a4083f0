import Foundation

/// The content of a store of ships in plain Swift. Sailors are identified by numbers.
struct FleetState: Equatable {
  struct Ship: Equatable {
    var name = ""
    var tons: Int?
    var position: Place?
    var berth: Berth?
    var captain: Int?
    var crew: [Int] = []
    var watch: Set<Int> = []
    var mates: [String: Int?] = [:]
    var log: [String] = []
    var flags: Set<Int> = []
    var cargo: [String: Int] = [:]
    var cabins: [Cabin] = []
    var extra = Extra.none
  }

  struct Sailor: Equatable {
    var tag: Int
    var name = "nobody"
    var friend: Int?
  }

  struct Place: Equatable, Sendable {
    var latitude: Double
    var longitude: Double
  }

  struct Berth: Equatable {
    var type = "Point"
    var coordinates: [Double] = []
    var note: String?
  }

  struct Cabin: Equatable {
    var beds = 1
    var guests: [Int] = []
  }

  /// The value of a mixed property.
  indirect enum Extra: Equatable {
    case none, int(Int), text(String), flag(Bool), sailor(Int), list([Extra]), map([String: Extra])
  }

  /// The ships by primary key.
  var ships: [Int: Ship] = [:]
  var sailors: [Int: Sailor] = [:]
  /// The number for the next sailor.
  var next = 0
}

extension FleetState {
  /// The same state with sailors identified by their tags, as read from a store.
  var byTag: FleetState {
    let tag = sailors.mapValues(\.tag)
    var state = FleetState()
    for ship in ships { state.ships[ship.key] = ship.value.renamed { tag[$0] ?? -1 } }
    for sailor in sailors.values {
      var sailor = sailor
      sailor.friend = sailor.friend.map { tag[$0] ?? -1 }
      state.sailors[sailor.tag] = sailor
    }
    return state
  }

  /// The first difference from another state.
  func difference(from other: FleetState) -> String? {
    for id in Set(ships.keys).union(other.ships.keys).sorted() where ships[id] != other.ships[id] {
      return "ship \(id):\n  expected \(ships[id].shown)\n  found    \(other.ships[id].shown)"
    }
    for tag in Set(sailors.keys).union(other.sailors.keys).sorted()
    where sailors[tag] != other.sailors[tag] {
      return
        "sailor \(tag):\n  expected \(sailors[tag].shown)\n  found    \(other.sailors[tag].shown)"
    }
    return nil
  }
}

extension Optional {
  fileprivate var shown: String { map { "\($0)" } ?? "none" }
}

extension FleetState.Ship {
  fileprivate func renamed(_ name: (Int) -> Int) -> Self {
    var ship = self
    ship.captain = captain.map(name)
    ship.crew = crew.map(name)
    ship.watch = Set(watch.map(name))
    ship.mates = mates.mapValues { $0.map(name) }
    ship.extra = extra.renamed(name)
    for index in cabins.indices { ship.cabins[index].guests = cabins[index].guests.map(name) }
    return ship
  }
}

extension FleetState.Extra {
  fileprivate func renamed(_ name: (Int) -> Int) -> Self {
    switch self {
    case .sailor(let sailor): .sailor(name(sailor))
    case .list(let list): .list(list.map { $0.renamed(name) })
    case .map(let map): .map(map.mapValues { $0.renamed(name) })
    default: self
    }
  }

  /// The same value without a sailor.
  func without(_ lost: Int) -> Self {
    switch self {
    case .sailor(lost): .none
    case .list(let list): .list(list.map { $0.without(lost) })
    case .map(let map): .map(map.mapValues { $0.without(lost) })
    default: self
    }
  }
}

/// Operations applied to plain Swift values.
extension FleetState {
  mutating func apply(_ operation: FleetOperation) {
    let before = self
    switch operation {
    case .add(let ship, let draft, let isAll):
      write(draft, to: ship, isAll || ships[ship] == nil ? .new : .replace, resets: true)
    case .create(let ship, let draft, let isAll):
      write(draft, to: ship, isAll || ships[ship] == nil ? .new : .merge)
    case .enlist(let draft): _ = sailor(draft, among: before)
    case .set(let ship, let draft):
      if let id = chosenShip(ship) { write(draft, to: id, .new) }
    case .setAll(let tons, let bulk):
      for id in ships.keys where (ships[id]?.tons ?? -1) >= tons { set(bulk, in: id, before) }
    case .move(let ship, let place): edit(ship) { $0.position = place }
    case .sail(let ship, let coordinates):
      edit(ship) { if $0.berth != nil { $0.berth?.coordinates = coordinates } }
    case .befriend(let number, let friend):
      if let number = chosen(number) {
        let friend = friend.flatMap { sailor($0, among: before) }
        sailors[number]?.friend = friend
      }
    case .rename(let number, let name):
      if let number = chosen(number) { sailors[number]?.name = name }
    case .sink(let ship): if let id = chosenShip(ship) { ships[id] = nil }
    case .sinkAll(let name): ships = ships.filter { $0.value.name != name }
    case .dismiss(let number): if let number = chosen(number) { forget(number) }
    case .dismissCrew(let ship):
      for lost in Set(chosenShip(ship).flatMap { ships[$0]?.crew } ?? []) { forget(lost) }
    case .deleteAll:
      ships = [:]
      sailors = [:]
    case .ask, .check: break
    default: change(operation, before)
    }
  }

  /// Applies a change to a collection.
  private mutating func change(_ operation: FleetOperation, _ before: FleetState) {
    switch operation {
    case .crew(let ship, let change):
      guard let id = chosenShip(ship), !change.isIdle(in: ships[id]!.crew.count) else { return }
      let change = change.mapped { sailors($0, among: before) }
      change?.apply(to: &ships[id]!.crew)
    case .log(let ship, let change): edit(ship) { change.apply(to: &$0.log) }
    case .cabins(let ship, let change):
      guard let id = chosenShip(ship), !change.isIdle(in: ships[id]!.cabins.count) else { return }
      let change = change.mapped { $0.map { made($0, among: before) } }
      change?.apply(to: &ships[id]!.cabins)
    case .guests(let ship, let cabin, let change):
      guard let id = chosenShip(ship), let count = ships[id]?.cabins.count, count > 0 else {
        return
      }
      if change.isIdle(in: ships[id]!.cabins[cabin % count].guests.count) { return }
      let change = change.mapped { sailors($0, among: before) }
      change?.apply(to: &ships[id]!.cabins[cabin % count].guests)
    case .watch(let ship, let change):
      guard let id = chosenShip(ship) else { return }
      let change = change.sailors { sailors($0, among: before) }
      change?.apply(to: &ships[id]!.watch)
    case .flags(let ship, let change): edit(ship) { change.apply(to: &$0.flags) }
    case .mates(let ship, let change):
      guard let id = chosenShip(ship) else { return }
      let change = change.mapped { $0.flatMap { sailor($0, among: before) } }
      change.apply(to: &ships[id]!.mates)
    case .cargo(let ship, let change): edit(ship) { change.apply(to: &$0.cargo) }
    case .extra(let ship, let key, let extra):
      let more = made(extra, before)
      edit(ship) { $0.extra = $0.extra.adding(more, key) }
    default: break
    }
  }

  private mutating func edit(_ ship: Int, _ body: (inout Ship) -> Void) {
    if let id = chosenShip(ship), ships[id] != nil { body(&ships[id]!) }
  }

  private mutating func set(_ bulk: BulkDraft, in id: Int, _ before: FleetState) {
    switch bulk {
    case .name(let name): ships[id]?.name = name
    case .tons(let tons): ships[id]?.tons = tons
    case .position(let position): ships[id]?.position = position
    case .captain(let captain):
      let captain = captain.flatMap { sailor($0, among: before) }
      ships[id]?.captain = captain
    case .flags(let flags): ships[id]?.flags = Set(flags)
    case .berths(let note): ships[id]?.berth = note.map { Berth(note: $0) }
    }
  }
}

/// Queries over plain Swift values.
extension FleetState {
  /// The keys of the matching ships in ascending order.
  func answer(to question: FleetQuery) -> [Int] {
    ships.keys.sorted().filter { ships[$0].map { answers($0, question) } == true }
  }

  private func answers(_ ship: Ship, _ question: FleetQuery) -> Bool {
    switch question {
    case .inCircle(let place, let kilometers):
      ship.position.map { $0.distance(to: place) <= kilometers * 1000 } ?? false
    case .inBox(let a, let b): ship.position.map { $0.isBetween(a, b) } ?? false
    case .berthInCircle(let place, let kilometers):
      ship.berth?.place.map { $0.distance(to: place) <= kilometers * 1000 } ?? false
    case .named(let name): ship.name == name
    case .heavier(let tons): ship.tons.map { $0 > tons } ?? false
    case .withCrewNamed(let name): ship.crew.contains { sailors[$0]?.name == name }
    case .withCrewOf(let count): ship.crew.count == count
    case .withCaptainNamed(let name): ship.captain.map { sailors[$0]?.name == name } ?? false
    case .withCargo(let key): ship.cargo[key] != nil
    case .withExtra(let number): ship.extra.equals(number)
    case .watchedBy(let number): chosen(number).map(ship.watch.contains) ?? false
    }
  }
}

extension FleetState.Place {
  /// The distance on the sphere in meters.
  fileprivate func distance(to other: Self) -> Double {
    let (a, b) = (latitude * .pi / 180, other.latitude * .pi / 180)
    let d = (longitude - other.longitude) * .pi / 180
    let h = pow(sin((a - b) / 2), 2) + cos(a) * cos(b) * pow(sin(d / 2), 2)
    return 2 * 6_378_100 * asin(sqrt(h))
  }

  fileprivate func isBetween(_ a: Self, _ b: Self) -> Bool {
    min(a.latitude, b.latitude)...max(a.latitude, b.latitude) ~= latitude
      && min(a.longitude, b.longitude)...max(a.longitude, b.longitude) ~= longitude
  }
}

extension FleetState.Berth {
  /// The location in the form of a GeoJSON Point.
  fileprivate var place: FleetState.Place? {
    guard type == "Point", coordinates.count >= 2 else { return nil }
    return FleetState.Place(latitude: coordinates[1], longitude: coordinates[0])
  }
}

extension FleetState.Extra {
  /// Whether the value equals a number; Booleans equal 1 or 0.
  fileprivate func equals(_ number: Int) -> Bool {
    switch self {
    case .int(let own): own == number
    case .flag(let flag): (flag ? 1 : 0) == number
    default: false
    }
  }
}
