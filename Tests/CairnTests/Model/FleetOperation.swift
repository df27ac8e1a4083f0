/// One thing done to a store of ships. Numbers that choose among what is there count round and round, so that any
/// operations make sense in any order: a run that fails is cut down to the few that matter.
enum FleetOperation: Sendable {
  /// An object of its own is added, or updates the ship with its primary key.
  case add(ship: Int, ShipDraft, all: Bool)
  /// A dictionary makes a ship, or updates the one with its primary key.
  case create(ship: Int, ShipDraft, all: Bool)
  case enlist(SailorDraft)
  /// Properties of one ship are set one by one.
  case set(ship: Int, ShipDraft)
  /// A property of all ships with at least so many tons.
  case setAll(tons: Int, BulkDraft)
  case move(ship: Int, FleetState.Place?)
  case sail(berth: Int, [Double])
  case befriend(sailor: Int, SailorDraft?)
  case rename(sailor: Int, String)
  case crew(ship: Int, SequenceChange<SailorDraft>)
  case log(ship: Int, SequenceChange<String>)
  case cabins(ship: Int, SequenceChange<CabinDraft>)
  case guests(ship: Int, cabin: Int, SequenceChange<SailorDraft>)
  case watch(ship: Int, SetChange<SailorDraft>)
  case flags(ship: Int, SetChange<Int>)
  case mates(ship: Int, MapChange<SailorDraft?>)
  case cargo(ship: Int, MapChange<Int>)
  /// A list or a map in a mixed property grows.
  case extra(ship: Int, key: String, ExtraDraft)
  case sink(ship: Int)
  case sinkAll(name: String)
  case dismiss(sailor: Int)
  case dismissCrew(ship: Int)
  case deleteAll
  case ask(FleetQuestion)
  /// Everything is held against the plain state.
  case check
}

enum BulkDraft: Sendable {
  case name(String), tons(Int?), position(FleetState.Place?), captain(SailorDraft?)
  case flags([Int]), berths(String?)
}

enum SequenceChange<Element> {
  case append([Element])
  case insert(Element, at: Int)
  case replace(at: Int, Element)
  case remove(at: Int)
  case removeRange(Int, Int)
  case move(Int, Int)
  case swap(Int, Int)
  case assign([Element])
  case removeAll
}

enum SetChange<Element> {
  case insert([Element]), remove(Element), formUnion([Element]), subtract([Element])
  case formIntersection([Element]), removeAll
}

enum MapChange<Value> {
  case set(String, Value), remove(String), merge([String: Value]), removeAll
}

/// What is asked of the ships; the answer is their primary keys.
enum FleetQuestion: Sendable {
  case inCircle(FleetState.Place, kilometers: Double)
  case inBox(FleetState.Place, FleetState.Place)
  case berthInCircle(FleetState.Place, kilometers: Double)
  case named(String)
  case heavier(Int)
  case withCrewNamed(String)
  case withCrewOf(Int)
  case withCaptainNamed(String)
  case withCargo(String)
  case withExtra(Int)
  case watchedBy(Int)
}

extension SequenceChange: Sendable where Element: Sendable {}
extension SetChange: Sendable where Element: Sendable {}
extension MapChange: Sendable where Value: Sendable {}
