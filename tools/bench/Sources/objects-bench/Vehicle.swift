import Cairn
import GRDB

/// A moving object, with which writing is measured.
final class Vehicle: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var speed = 0.0
  @Persisted var location: GeoPoint?
}

/// A vehicle as a GRDB record.
struct VehicleRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "vehicle"
  var id: Int
  var name: String
  var speed: Double
  var latitude: Double
  var longitude: Double
}
