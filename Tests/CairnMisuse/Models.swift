import Cairn
import CairnModelTestSupport
import Foundation

/// A class with collections of every kind.
class Train: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "train"
  @Persisted var length = 1
  @Persisted var speed: Double?
  @Persisted var home: Station?
  @Persisted var stops: List<Station>
  @Persisted var skipped: MutableSet<Station>
  @Persisted var stopsByDay: Map<String, Station?>
  @Persisted var numbers: List<Int>
  @Persisted var colours: MutableSet<String>
  @Persisted var loads: Map<String, Int>
  @Persisted var freight: AnyRealmValue
  @Persisted var carriages: List<Carriage>
  @Persisted var parts: List<Train>

  /// Not stored, but made from a property.
  var initial: String { String(name.prefix(1)) }
}

class Carriage: EmbeddedObject {
  @Persisted var seats: Int
}

/// A class without a primary key and with several locations.
class Station: Object {
  @Persisted var name = ""
  @Persisted var tracks = 1
  @Persisted var weight: Double?
  @Persisted var position: GeoPoint?
  @Persisted var entrance: GeoPoint?
  @Persisted var outline: GeoPolygon?
  @Persisted var kiosk: Kiosk?
  @Persisted(originProperty: "stops") var trains: LinkingObjects<Train>

  /// Not stored, and made from no property.
  var unstored: Int { 1 }
}

class Kiosk: EmbeddedObject {
  @Persisted var door: GeoPoint?
}

/// A class with a required location and a required geometry.
class Signal: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var position: GeoPoint
  @Persisted var view: Geometry
}

/// A site, stored as a location.
struct Site: CustomPersistable {
  var point: GeoPoint
  init(persistedValue: GeoPoint) { point = persistedValue }
  var persistableValue: GeoPoint { point }
}

class Beacon: Object {
  @Persisted var site: Site
}

/// A class whose primary key may be null.
class Ticket: Object {
  @Persisted(primaryKey: true) var number: Int?
}

class Reservation: Object {
  @Persisted var id: ObjectId
}

/// A class whose link is not optional, which is an error.
class Pass: Object {
  @Persisted var name = ""
  @Persisted var station: Station
}

/// A class before a migration.
enum Before {
  static let types: [ObjectBase.Type] = [Engine.self, Boiler.self]

  class Engine: Object {
    @Persisted var boiler: Boiler?
  }

  class Boiler: EmbeddedObject {
    @Persisted var volume = 0
  }
}

/// The class afterwards.
enum After {
  class Engine: Object {
    @Persisted var built = 1970
  }
}

/// A realm of a store that remains until the process ends.
func newRealm() throws -> Realm { try TemporaryStore.untilExit().realm() }

/// A realm in memory with a queue of its own.
struct QueuedRealm {
  private let queue = DispatchQueue(label: "cairn.misuse.queue")
  private let configuration = inMemory()

  func callAsFunction<R>(_ body: (Realm) throws -> R) throws -> R {
    try queue.sync { try body(Realm(configuration: configuration, queue: queue)) }
  }
}

/// A configuration of a new realm in memory.
func inMemory() -> Realm.Configuration {
  Realm.Configuration(inMemoryIdentifier: "misuse \(ObjectId.generate())")
}
