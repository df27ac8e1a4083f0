import Cairn
import Foundation

// The classes of the geometry jobs as `cairn import` creates them, with the properties that the jobs
// read.

final class Cell: Object {
  @Persisted var id: Int?
  @Persisted var geometry: Geometry?
}

final class Track: Object {
  @Persisted var id: Int?
  @Persisted var geometry: Geometry?
}

final class Country: Object {
  @Persisted var adm0_a3: String?
  @Persisted var geometry: Geometry?
}

final class Building: Object {
  @Persisted var b_buildingkey: Int?
  @Persisted var geometry: Geometry?
}

final class Point: Object {
  @Persisted var id: Int?
  @Persisted var location: GeoPoint?
}

final class Trip: Object {
  @Persisted var t_tripkey: Int?
  @Persisted var t_pickuptime: Date?
  @Persisted var t_dropofftime: Date?
  @Persisted var t_fare: Double?
  @Persisted var t_distance: Double?
  @Persisted var pickup: GeoPoint?
  @Persisted var dropoff: GeoPoint?
}
