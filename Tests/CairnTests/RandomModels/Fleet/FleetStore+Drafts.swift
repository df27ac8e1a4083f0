import Cairn

/// Objects and dictionaries created from drafts.
extension FleetStore {
  /// The existing or unmanaged object for a draft, or nil if the draft needs an existing object and
  /// the store has none.
  func sailor(_ draft: SailorDraft) -> Sailor? {
    switch draft {
    case .existing(let number): return chosen(number)
    case .new(let tag, let name, let friend):
      let sailor = Sailor()
      sailor.tag = tag
      if let name { sailor.name = name }
      sailor.friend = friend.flatMap(self.sailor)
      return sailor
    }
  }

  func sailors(_ drafts: [SailorDraft]) -> [Sailor] { drafts.compactMap(sailor) }

  func berth(_ draft: BerthDraft) -> Berth {
    let berth = Berth()
    if let type = draft.type { berth.type = type }
    berth.coordinates.append(objectsIn: draft.coordinates ?? [])
    berth.note = draft.note
    return berth
  }

  func cabin(_ draft: CabinDraft) -> Cabin {
    let cabin = Cabin()
    if let beds = draft.beds { cabin.beds = beds }
    cabin.guests.append(objectsIn: sailors(draft.guests ?? []))
    return cabin
  }

  func extra(_ draft: ExtraDraft) -> AnyRealmValue {
    switch draft {
    case .none: .none
    case .int(let number): .int(number)
    case .text(let text): .string(text)
    case .flag(let flag): .bool(flag)
    case .sailor(let number): chosen(number).map { .object($0) } ?? .none
    case .list(let list): .fromArray(list.map(extra))
    case .map(let map): .fromDictionary(map.mapValues(extra))
    }
  }

  /// Sets the properties of a ship from a draft.
  func write(_ draft: ShipDraft, to ship: Ship) {
    if let name = draft.name { ship.name = name }
    if let tons = draft.tons { ship.tons = tons }
    if let position = draft.position { ship.position = position?.point }
    if let berth = draft.berth { ship.berth = berth.map(self.berth) }
    if let captain = draft.captain { ship.captain = captain.flatMap(sailor) }
    if let crew = draft.crew {
      let sailors = sailors(crew)
      ship.crew.removeAll()
      ship.crew.append(objectsIn: sailors)
    }
    if let watch = draft.watch {
      let set = MutableSet<Sailor>()
      set.insert(objectsIn: sailors(watch))
      ship.watch = set
    }
    if let mates = draft.mates {
      let map = Map<String, Sailor?>()
      for (key, mate) in mates { map.updateValue(mate.flatMap(sailor), forKey: key) }
      ship.mates = map
    }
    if let log = draft.log { ship["log"] = log }
    if let flags = draft.flags { ship["flags"] = flags }
    if let cargo = draft.cargo { ship.setValue(cargo, forKey: "cargo") }
    if let cabins = draft.cabins {
      let list = List<Cabin>()
      list.append(objectsIn: cabins.map(cabin))
      ship.cabins = list
    }
    if let extra = draft.extra { ship.extra = self.extra(extra) }
  }
}

/// Dictionaries in the form of decoded JSON.
extension FleetStore {
  func values(_ draft: ShipDraft, id: Int) -> [String: Any] {
    var values: [String: Any] = ["id": id]
    values["name"] = draft.name
    if let tons = draft.tons { values["tons"] = tons.orNull }
    if let position = draft.position { values["position"] = position.map(\.point).orNull }
    if let berth = draft.berth { values["berth"] = berth.map(self.values).orNull }
    if let captain = draft.captain { values["captain"] = captain.flatMap(value).orNull }
    values["crew"] = draft.crew.map { $0.compactMap(value) }
    values["watch"] = draft.watch.map { $0.compactMap(value) }
    values["mates"] = draft.mates.map { $0.mapValues { $0.flatMap(self.value).orNull } }
    values["log"] = draft.log
    values["flags"] = draft.flags
    values["cargo"] = draft.cargo
    values["cabins"] = draft.cabins.map { $0.map(self.values) }
    values["extra"] = draft.extra.map(extra)
    return values
  }

  private func value(_ draft: SailorDraft) -> Any? {
    guard case .new(let tag, let name, let friend) = draft else { return sailor(draft) }
    var values: [String: Any] = ["tag": tag]
    values["name"] = name
    if let friend { values["friend"] = value(friend).orNull }
    return values
  }

  private func values(_ draft: BerthDraft) -> [String: Any] {
    var values: [String: Any] = [:]
    values["type"] = draft.type
    values["coordinates"] = draft.coordinates
    values["note"] = draft.note
    return values
  }

  private func values(_ draft: CabinDraft) -> [String: Any] {
    var values: [String: Any] = [:]
    values["beds"] = draft.beds
    values["guests"] = draft.guests.map { $0.compactMap(value) }
    return values
  }
}

extension Optional {
  /// The value as `Any`, with nil for null.
  fileprivate var orNull: Any { self as Any }
}
