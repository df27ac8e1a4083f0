/// Ships as operations create them.
extension FleetState {
  /// Writes the values of a draft into a ship, in the order of the properties.
  ///
  /// - Parameter resets: whether missing properties are reset to their default values.
  mutating func write(
    _ draft: ShipDraft, to id: Int, _ mode: UpdateMode, resets: Bool = false
  ) {
    let before = self
    let old = ships[id] ?? Ship()
    var ship = resets ? Ship() : old
    if let name = draft.name { ship.name = name }
    if let tons = draft.tons { ship.tons = tons }
    if let position = draft.position { ship.position = position }
    if let berth = draft.berth { ship.berth = berth.map { made($0, over: old.berth, mode) } }
    if let captain = draft.captain {
      ship.captain = captain.flatMap { sailor($0, over: old.captain, mode, among: before) }
    }
    if let crew = draft.crew { ship.crew = sailors(crew, over: old.crew, mode, among: before) }
    if let watch = draft.watch { ship.watch = Set(sailors(watch, among: before)) }
    if let mates = draft.mates {
      ship.mates = mates.mappedInOrder { key, mate in
        mate.flatMap { sailor($0, over: old.mates[key] ?? nil, mode, among: before) }
      }
    }
    if let log = draft.log { ship.log = log }
    if let flags = draft.flags { ship.flags = Set(flags) }
    if let cargo = draft.cargo { ship.cargo = cargo }
    if let cabins = draft.cabins {
      ship.cabins = cabins.enumerated().map { place, cabin in
        made(cabin, over: place < old.cabins.count ? old.cabins[place] : nil, mode, among: before)
      }
    }
    if let extra = draft.extra { ship.extra = made(extra, before) }
    ships[id] = ship
  }

  private func made(_ draft: BerthDraft, over present: Berth?, _ mode: UpdateMode) -> Berth {
    var berth = mode == .merge ? present ?? Berth() : Berth()
    if let type = draft.type { berth.type = type }
    if let coordinates = draft.coordinates { berth.coordinates = coordinates }
    if let note = draft.note { berth.note = note }
    return berth
  }

  mutating func made(
    _ draft: CabinDraft, over present: Cabin? = nil, _ mode: UpdateMode = .new,
    among choice: FleetState
  ) -> Cabin {
    var cabin = mode == .merge ? present ?? Cabin() : Cabin()
    if let beds = draft.beds { cabin.beds = beds }
    if let guests = draft.guests {
      cabin.guests = sailors(guests, over: present?.guests ?? [], mode, among: choice)
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
  /// The value with one more element: appended to a list, under a key of a map, or instead of any
  /// other value.
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

/// Sailors and ships as operations select and create them. With `.modified`, a new sailor at the
/// position of an existing one updates that one.
extension FleetState {
  /// The sailor that a number selects, in the order of tags.
  func chosen(_ number: Int) -> Int? {
    let order = sailors.keys.sorted { sailors[$0]!.tag < sailors[$1]!.tag }
    return order.isEmpty ? nil : order[number % order.count]
  }

  func chosenShip(_ number: Int) -> Int? {
    let order = ships.keys.sorted()
    return order.isEmpty ? nil : order[number % order.count]
  }

  /// The way in which sailors are created from drafts.
  enum UpdateMode {
    /// Creates new sailors.
    case new
    /// Updates the existing sailors and leaves missing properties unchanged.
    case merge
    /// Updates the existing sailors and resets missing properties to their default values.
    case replace
  }

  /// The sailor for a draft, or nil if the draft needs an existing sailor and the store has none.
  mutating func sailor(
    _ draft: SailorDraft, over present: Int? = nil, _ mode: UpdateMode = .new,
    among choice: FleetState
  ) -> Int? {
    guard case .new(let tag, let name, let friend) = draft else {
      if case .existing(let number) = draft { return choice.chosen(number) }
      return nil
    }
    guard let present, mode != .new, sailors[present] != nil else {
      let number = next
      next += 1
      sailors[number] = Sailor(tag: tag, name: name ?? "nobody")
      let friend = friend.flatMap { sailor($0, among: choice) }
      sailors[number]?.friend = friend
      return number
    }
    sailors[present]?.tag = tag
    if let name { sailors[present]?.name = name }
    if mode == .replace, name == nil { sailors[present]?.name = "nobody" }
    if let friend {
      // A dictionary is read completely before the first value is written.
      let old = mode == .merge ? choice.sailors[present]?.friend : sailors[present]?.friend
      let new = sailor(friend, over: old, mode, among: choice)
      sailors[present]?.friend = new
    } else if mode == .replace {
      sailors[present]?.friend = nil
    }
    return present
  }

  /// The sailors for drafts, updating those at the same positions. Drafts for missing sailors are
  /// left out.
  mutating func sailors(
    _ drafts: [SailorDraft], over present: [Int] = [], _ mode: UpdateMode = .new,
    among choice: FleetState
  ) -> [Int] {
    var found: [Int] = []
    for draft in drafts.present(choice) {
      let over = found.count < present.count ? present[found.count] : nil
      if let sailor = sailor(draft, over: over, mode, among: choice) { found.append(sailor) }
    }
    return found
  }

  mutating func forget(_ lost: Int) {
    sailors[lost] = nil
    for number in sailors.keys where sailors[number]?.friend == lost {
      sailors[number]?.friend = nil
    }
    for id in ships.keys { ships[id]?.forget(lost) }
  }
}

extension [SailorDraft] {
  /// The drafts for existing and new sailors.
  func present(_ state: FleetState) -> [SailorDraft] {
    filter { draft in
      if case .existing = draft { !state.sailors.isEmpty } else { true }
    }
  }
}

extension FleetState.Ship {
  fileprivate mutating func forget(_ lost: Int) {
    if captain == lost { captain = nil }
    crew.removeAll { $0 == lost }
    watch.remove(lost)
    for (key, mate) in mates where mate == lost { mates[key] = .some(nil) }
    for index in cabins.indices { cabins[index].guests.removeAll { $0 == lost } }
    extra = extra.without(lost)
  }
}
