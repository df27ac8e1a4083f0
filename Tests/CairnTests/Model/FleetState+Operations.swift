/// Operations on plain Swift values.
extension FleetState {
  mutating func apply(_ operation: FleetOperation) {
    let before = self
    switch operation {
    case .add(let ship, let draft, let isAll):
      write(draft, to: ship, isAll || ships[ship] == nil ? .fresh : .wholly, resets: true)
    case .create(let ship, let draft, let isAll):
      write(draft, to: ship, isAll || ships[ship] == nil ? .fresh : .partly)
    case .enlist(let draft): _ = sailor(draft, among: before)
    case .set(let ship, let draft):
      if let id = chosenShip(ship) { write(draft, to: id, .fresh) }
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

  /// Changes of collections.
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
