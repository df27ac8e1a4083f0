import Cairn

/// A class with one property of every kind, for random operations.
class Ship: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var tons: Int?
  @Persisted var position: GeoPoint?
  @Persisted var berth: Berth?
  @Persisted var captain: Sailor?
  @Persisted var crew: List<Sailor>
  @Persisted var watch: MutableSet<Sailor>
  @Persisted var mates: Map<String, Sailor?>
  @Persisted var log: List<String>
  @Persisted var flags: MutableSet<Int>
  @Persisted var cargo: Map<String, Int>
  @Persisted var cabins: List<Cabin>
  @Persisted var extra: AnyRealmValue
}

/// A class without a primary key whose objects link to each other. The test identifies them by
/// `tag`.
class Sailor: Object {
  @Persisted(indexed: true) var tag = 0
  @Persisted var name = "nobody"
  @Persisted var friend: Sailor?
  @Persisted(originProperty: "crew") var ships: LinkingObjects<Ship>
}

/// An embedded location in the form of a GeoJSON Point.
class Berth: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
  @Persisted var note: String?
}

/// An embedded object with links.
class Cabin: EmbeddedObject {
  @Persisted var beds = 1
  @Persisted var guests: List<Sailor>
}

/// The sailor in an operation: an existing or a new one.
indirect enum SailorDraft: Sendable {
  /// An existing sailor, by index in the order of tags, modulo their number.
  case existing(Int)
  /// A new sailor; nil leaves the property out.
  case new(tag: Int, name: String?, friend: SailorDraft?)
}

/// The values for a ship in an operation; nil leaves the property out.
struct ShipDraft: Sendable {
  var name: String?
  var tons: Int??
  var position: FleetState.Place??
  var berth: BerthDraft??
  var captain: SailorDraft??
  var crew: [SailorDraft]?
  var watch: [SailorDraft]?
  var mates: [String: SailorDraft?]?
  var log: [String]?
  var flags: [Int]?
  var cargo: [String: Int]?
  var cabins: [CabinDraft]?
  var extra: ExtraDraft?
}

struct BerthDraft: Sendable {
  var type: String?
  var coordinates: [Double]?
  var note: String?
}

struct CabinDraft: Sendable {
  var beds: Int?
  var guests: [SailorDraft]?
}

indirect enum ExtraDraft: Sendable {
  case none, int(Int), text(String), flag(Bool)
  /// An existing sailor, by index.
  case sailor(Int)
  case list([ExtraDraft]), map([String: ExtraDraft])
}

extension ShipDraft: CustomStringConvertible {
  /// The properties that the draft sets.
  var description: String {
    let parts = Mirror(reflecting: self).children.compactMap { child -> String? in
      guard let label = child.label else { return nil }
      let value = Mirror(reflecting: child.value)
      guard value.displayStyle != .optional || value.children.count > 0 else { return nil }
      return "\(label): \(value.children.first?.value ?? child.value)"
    }
    return "(\(parts.joined(separator: ", ")))"
  }
}

/// One operation on a store of ships. Numbers that select an existing object are taken modulo the
/// count, so any operations are valid in any order, and a failing run can be reduced to the few
/// that matter.
enum FleetOperation: Sendable {
  /// Adds an unmanaged object, or updates the ship with its primary key.
  case add(ship: Int, ShipDraft, all: Bool)
  /// Creates a ship from a dictionary, or updates the one with its primary key.
  case create(ship: Int, ShipDraft, all: Bool)
  case enlist(SailorDraft)
  /// Sets properties of one ship individually.
  case set(ship: Int, ShipDraft)
  /// Sets a property of all ships with at least a number of tons.
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
  /// Adds to a list or a map in a mixed property.
  case extra(ship: Int, key: String, ExtraDraft)
  case sink(ship: Int)
  case sinkAll(name: String)
  case dismiss(sailor: Int)
  case dismissCrew(ship: Int)
  case deleteAll
  case ask(FleetQuery)
  /// Compares the whole store with the plain state.
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

/// A query for ships; the answer is their primary keys.
enum FleetQuery: Sendable {
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
