import Cairn
import GRDB

/// Something that moves: the object that writing is measured with.
final class Vehicle: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var speed = 0.0
  @Persisted var location: GeoPoint?
}

/// The same as a record of GRDB's.
struct VehicleRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "vehicle"
  var id: Int
  var name: String
  var speed: Double
  var latitude: Double
  var longitude: Double
}
