import Cairn

/// A location in the shape of GeoJSON.
final class Spot: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

/// The object that is measured: the one that the figures for Realm's core were taken with.
final class City: Object {
  @Persisted var name = ""
  @Persisted var pop = 0
  @Persisted var location: Spot?
}
