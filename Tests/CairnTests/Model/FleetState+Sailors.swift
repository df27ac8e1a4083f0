/// Sailors and ships as operations choose and make them. Under `.modified` a new sailor in the place of one that is
/// there is written to that one.
extension FleetState {
  /// The one that a number chooses, in the order of tags.
  func chosen(_ number: Int) -> Int? {
    let order = sailors.keys.sorted { sailors[$0]!.tag < sailors[$1]!.tag }
    return order.isEmpty ? nil : order[number % order.count]
  }

  func chosenShip(_ number: Int) -> Int? {
    let order = ships.keys.sorted()
    return order.isEmpty ? nil : order[number % order.count]
  }

  /// How sailors are made of drafts.
  enum Manner {
    /// As new ones.
    case fresh
    /// As the ones in their places; what is left out stays as it is.
    case partly
    /// The same, but what is left out becomes what it begins with.
    case wholly
  }

  /// The sailor of a draft; nil where one that is there is wanted, and none is.
  mutating func sailor(
    _ draft: SailorDraft, over present: Int? = nil, _ manner: Manner = .fresh,
    among choice: FleetState
  ) -> Int? {
    guard case .new(let tag, let name, let friend) = draft else {
      if case .existing(let number) = draft { return choice.chosen(number) }
      return nil
    }
    guard let present, manner != .fresh, sailors[present] != nil else {
      let number = next
      next += 1
      sailors[number] = Sailor(tag: tag, name: name ?? "nobody")
      let friend = friend.flatMap { sailor($0, among: choice) }
      sailors[number]?.friend = friend
      return number
    }
    sailors[present]?.tag = tag
    if let name { sailors[present]?.name = name }
    if manner == .wholly, name == nil { sailors[present]?.name = "nobody" }
    if let friend {
      // A dictionary is read as a whole before the first value is written.
      let old = manner == .partly ? choice.sailors[present]?.friend : sailors[present]?.friend
      let new = sailor(friend, over: old, manner, among: choice)
      sailors[present]?.friend = new
    } else if manner == .wholly {
      sailors[present]?.friend = nil
    }
    return present
  }

  /// The sailors of drafts, those that are wanted and not there left out, over those in their places.
  mutating func sailors(
    _ drafts: [SailorDraft], over present: [Int] = [], _ manner: Manner = .fresh,
    among choice: FleetState
  ) -> [Int] {
    var found: [Int] = []
    for draft in drafts.present(choice) {
      let over = found.count < present.count ? present[found.count] : nil
      if let sailor = sailor(draft, over: over, manner, among: choice) { found.append(sailor) }
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
  /// Those that are there, or new.
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
