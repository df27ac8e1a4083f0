/// Ships as operations make them.
extension FleetState {
  /// Writes what a draft says into a ship, in the order of the properties.
  ///
  /// - Parameter resets: whether what is left out becomes what it begins with.
  mutating func write(
    _ draft: ShipDraft, to id: Int, _ manner: Manner, resets: Bool = false
  ) {
    let before = self
    let old = ships[id] ?? Ship()
    var ship = resets ? Ship() : old
    if let name = draft.name { ship.name = name }
    if let tons = draft.tons { ship.tons = tons }
    if let position = draft.position { ship.position = position }
    if let berth = draft.berth { ship.berth = berth.map { made($0, over: old.berth, manner) } }
    if let captain = draft.captain {
      ship.captain = captain.flatMap { sailor($0, over: old.captain, manner, among: before) }
    }
    if let crew = draft.crew { ship.crew = sailors(crew, over: old.crew, manner, among: before) }
    if let watch = draft.watch { ship.watch = Set(sailors(watch, among: before)) }
    if let mates = draft.mates {
      ship.mates = mates.mappedInOrder { key, mate in
        mate.flatMap { sailor($0, over: old.mates[key] ?? nil, manner, among: before) }
      }
    }
    if let log = draft.log { ship.log = log }
    if let flags = draft.flags { ship.flags = Set(flags) }
    if let cargo = draft.cargo { ship.cargo = cargo }
    if let cabins = draft.cabins {
      ship.cabins = cabins.enumerated().map { place, cabin in
        made(cabin, over: place < old.cabins.count ? old.cabins[place] : nil, manner, among: before)
      }
    }
    if let extra = draft.extra { ship.extra = made(extra, before) }
    ships[id] = ship
  }

  private func made(_ draft: BerthDraft, over present: Berth?, _ manner: Manner) -> Berth {
    var berth = manner == .partly ? present ?? Berth() : Berth()
    if let type = draft.type { berth.type = type }
    if let coordinates = draft.coordinates { berth.coordinates = coordinates }
    if let note = draft.note { berth.note = note }
    return berth
  }

  mutating func made(
    _ draft: CabinDraft, over present: Cabin? = nil, _ manner: Manner = .fresh,
    among choice: FleetState
  ) -> Cabin {
    var cabin = manner == .partly ? present ?? Cabin() : Cabin()
    if let beds = draft.beds { cabin.beds = beds }
    if let guests = draft.guests {
      cabin.guests = sailors(guests, over: present?.guests ?? [], manner, among: choice)
    }
    return cabin
  }

  func made(_ draft: ExtraDraft, _ choice: FleetState) -> Extra {
    switch draft {
    case .none: .none
    case .int(let number): .int(number)
    case .text(let text): .text(text)
    case .flag(let flag): .flag(flag)
    case .sailor(let number): choice.chosen(number).map { .sailor($0) } ?? .none
    case .list(let list): .list(list.map { made($0, choice) })
    case .map(let map): .map(map.mapValues { made($0, choice) })
    }
  }
}

extension FleetState.Extra {
  /// The same with one more: behind the last of a list, under a key of a map, in place of anything else.
  func adding(_ more: Self, _ key: String) -> Self {
    switch self {
    case .list(let list):
      guard case .list? = list.last else { return .list(list + [more]) }
      return .list(list.dropLast() + [list[list.count - 1].adding(more, key)])
    case .map(var map):
      map[key] = more
      return .map(map)
    default: return more
    }
  }
}
