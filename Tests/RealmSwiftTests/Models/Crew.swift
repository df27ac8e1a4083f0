import Foundation
import RealmSwift

enum Rank: Int, PersistableEnum {
  case mate = 1
  case captain = 2
  case admiral = 5
}

enum Tongue: String, PersistableEnum {
  case danish, dutch, french
}

/// A watch, stored as its number of minutes.
struct Watch: CustomPersistable {
  var minutes: Double
  init(_ minutes: Double) { self.minutes = minutes }
  init(persistedValue: Double) { minutes = persistedValue }
  var persistableValue: Double { minutes }
}

/// A berth, stored as an embedded object.
struct Berth: CustomPersistable {
  var deck: Int
  var side: String
  init(_ deck: Int, _ side: String) {
    self.deck = deck
    self.side = side
  }
  init(persistedValue: BerthObject) { self.init(persistedValue.deck, persistedValue.side) }
  var persistableValue: BerthObject { BerthObject(value: ["deck": deck, "side": side]) }
}

class BerthObject: EmbeddedObject {
  @Persisted var deck = 0
  @Persisted var side = ""
}

class Sailor: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var name = ""
  @Persisted var rank = Rank.mate
  @Persisted var spare: Rank?
  @Persisted var watch = Watch(0)
  @Persisted var rest: Watch?
  @Persisted var isAboard = false
  @Persisted var isWell: Bool?
  @Persisted var tag: UUID
  @Persisted var ship: Ship?

  convenience init(_ number: Int, _ name: String, _ rank: Rank = .mate, watch: Double = 0) {
    self.init()
    self.number = number
    self.name = name
    self.rank = rank
    self.watch = Watch(watch)
  }
}

class Ship: Object {
  @Persisted var name = ""
  @Persisted var crew: List<Sailor>
  @Persisted var guests: MutableSet<Sailor>
  @Persisted var byDuty: Map<String, Sailor?>
  @Persisted var ranks: List<Rank>
  @Persisted var spares: List<Rank?>
  @Persisted var tongues: MutableSet<Tongue>
  @Persisted var ranksByDuty: Map<String, Rank>
  @Persisted var sparesByDuty: Map<String, Rank?>
  @Persisted var watches: List<Watch>
  @Persisted var watchesByDuty: Map<String, Watch>
  @Persisted var berths: List<Berth>
  @Persisted var knots: List<Int>
  @Persisted var depths: List<Double?>
  @Persisted var ports: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var maybeScores: Map<String, Int?>
  @Persisted var flags: List<Bool>
  @Persisted var anything: List<AnyRealmValue>
  @Persisted var mixed: AnyRealmValue
  @Persisted(originProperty: "ship") var sailors: LinkingObjects<Sailor>

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

class SailorView: Projection<Sailor>, ObjectKeyIdentifiable {
  @Projected(\Sailor.name) var title
  @Projected(\Sailor.rank) var grade
  @Projected(\Sailor.ship?.name) var shipName
}

class ShipView: Projection<Ship> {
  @Projected(\Ship.name) var name
  @Projected(\Ship.crew.projectTo.name) var crewNames: ProjectedCollection<String>
  @Projected(\Ship.guests.projectTo.name) var guestNames: ProjectedCollection<String>
}
