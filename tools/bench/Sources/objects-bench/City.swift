import Cairn

/// A location in the form of a GeoJSON Point.
final class Spot: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

/// The object of the benchmark, the same as in the measurements of Realm's core.
final class City: Object {
  @Persisted var name = ""
  @Persisted var pop = 0
  @Persisted var location: Spot?
}
