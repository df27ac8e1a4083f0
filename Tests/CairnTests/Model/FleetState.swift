/// What a store of ships holds, in plain Swift. Sailors are told apart by numbers.
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

  /// What a mixed property holds.
  indirect enum Extra: Equatable {
    case none, int(Int), text(String), flag(Bool), sailor(Int), list([Extra]), map([String: Extra])
  }

  /// By primary key.
  var ships: [Int: Ship] = [:]
  var sailors: [Int: Sailor] = [:]
  /// The number that the next sailor gets.
  var next = 0
}

extension FleetState {
  /// The same with every sailor known by the tag, as a store is read.
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

  /// The first thing in which another state differs.
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

  /// The same without a sailor.
  func without(_ lost: Int) -> Self {
    switch self {
    case .sailor(lost): .none
    case .list(let list): .list(list.map { $0.without(lost) })
    case .map(let map): .map(map.mapValues { $0.without(lost) })
    default: self
    }
  }
}
