extension GeoPoint {
  private static let geohashDigits = Array("0123456789bcdefghjkmnpqrstuvwxyz")

  /// Returns the geohash of the location: the cell of the grid by Gustavo Niemeyer that contains it, as
  /// letters and digits of 5 bits each. Points with a common beginning are close to each other.
  ///
  /// A location on the border of two cells belongs to the one in the east or north.
  ///
  /// - Parameter length: the number of letters and digits. Numbers below 1 count as 1, and those above
  ///   12, which is a cell of 4 cm by 2 cm, as 12.
  public func geohash(length: Int) -> String {
    var (west, east, south, north) = (-180.0, 180.0, -90.0, 90.0)
    var hash = ""
    var isLongitude = true
    for _ in 0..<max(1, min(12, length)) {
      var digit = 0
      for _ in 0..<5 {
        let middle = isLongitude ? (west + east) / 2 : (south + north) / 2
        let isUpper = (isLongitude ? longitude : latitude) >= middle
        switch (isLongitude, isUpper) {
        case (true, true): west = middle
        case (true, false): east = middle
        case (false, true): south = middle
        case (false, false): north = middle
        }
        digit = digit * 2 + (isUpper ? 1 : 0)
        isLongitude.toggle()
      }
      hash.append(Self.geohashDigits[digit])
    }
    return hash
  }
}
