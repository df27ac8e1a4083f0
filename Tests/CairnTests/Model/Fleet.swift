import Cairn

/// A class with one of every sort of property, for random operations.
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

/// A class without a primary key, whose objects lead to one another; `tag` tells them apart for the test.
class Sailor: Object {
  @Persisted(indexed: true) var tag = 0
  @Persisted var name = "nobody"
  @Persisted var friend: Sailor?
  @Persisted(originProperty: "crew") var ships: LinkingObjects<Ship>
}

/// An embedded location in GeoJSON's shape.
class Berth: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
  @Persisted var note: String?
}

/// An embedded object that leads to others.
class Cabin: EmbeddedObject {
  @Persisted var beds = 1
  @Persisted var guests: List<Sailor>
}
