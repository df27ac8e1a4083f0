import CairnSystem

/// Different locations on the sphere. Locations within about a centimetre of each other count as one.
struct SphereSites {
  /// The unit vectors.
  private(set) var directions: [Vector] = []
  /// Numbers whose order brings neighbours together.
  private(set) var codes: [Int64] = []
  /// The site of each location.
  private(set) var siteOfLocation: [Int] = []

  /// - Parameter locations: Longitudes and latitudes in degrees.
  init(_ locations: [PlanePoint]) {
    var sites: [PlanePoint: Int] = [:]
    let grid = GeohashGrid(length: GeohashGrid.lengths.upperBound)
    siteOfLocation.reserveCapacity(locations.count)
    for location in locations {
      let site = Self.rounded(location)
      if let known = sites[site] {
        siteOfLocation.append(known)
        continue
      }
      siteOfLocation.append(directions.count)
      sites[site] = directions.count
      directions.append(Vector(longitude: site.x, latitude: site.y))
      codes.append(grid?.code(longitude: site.x, latitude: site.y) ?? 0)
    }
  }

  /// The location rounded to 1e-7 degrees, of longitude to more towards the poles, so that different
  /// sites are 5 mm apart at least. A meridian and a pole have one longitude.
  private static func rounded(_ location: PlanePoint) -> PlanePoint {
    let latitude = (location.y * 1e7).rounded() / 1e7
    guard abs(latitude) < 90 else { return PlanePoint(x: 0, y: latitude) }
    // A divisor of a whole turn, 2^10 * 3^2 * 5^8 units.
    var units = 1
    let least = 0.5 / cosine(degrees: latitude)
    while Double(units) < least, units < 1024 { units *= 2 }
    while Double(units) < least, units < 400_000_000 { units *= 5 }
    var steps = Int((location.x * 1e7 / Double(units)).rounded())
    if 2 * steps == -3_600_000_000 / units { steps = -steps }
    return PlanePoint(x: Double(steps * units) / 1e7, y: latitude)
  }
}
