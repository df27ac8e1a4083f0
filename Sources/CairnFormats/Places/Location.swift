/// A point as it stands in a file.
struct Location {
  var longitude = 0.0
  var latitude = 0.0
  var altitude: Double?
}
