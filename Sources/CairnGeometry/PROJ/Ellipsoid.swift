import CPROJ

/// The WGS 84 ellipsoid, on which areas and lengths are measured. Edges are geodesics, the shortest
/// paths on it; altitudes are ignored. Any number of threads may use it.
///
/// Source: Charles Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), as implemented
/// in PROJ.
package struct Ellipsoid: @unchecked Sendable {
  // Sendable: the memory is never freed, and written only before the ellipsoid is shared.
  private let memory: UnsafePointer<cairn_proj_ellipsoid>
  private let library: PROJLibrary

  private static let loaded = Result { () throws(GeometryError) in
    try Ellipsoid(PROJLibrary.shared())
  }

  /// The ellipsoid. Throws an error that says what to install if PROJ is missing.
  package static func wgs84() throws(GeometryError) -> Ellipsoid { try loaded.get() }

  private init(_ library: PROJLibrary) {
    let memory = UnsafeMutablePointer<cairn_proj_ellipsoid>.allocate(capacity: 1)
    memory.initialize(to: cairn_proj_ellipsoid())
    library.initialiseGeodesic(memory, 6_378_137, 1 / 298.257_223_563)
    self.memory = UnsafePointer(memory)
    self.library = library
  }

  /// The distance between two locations in degrees, in metres.
  func distance(
    _ latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double
  ) -> Double {
    var metres = 0.0
    library.inverseGeodesic(
      memory, latitude, longitude, otherLatitude, otherLongitude, &metres, nil, nil)
    return metres
  }

  /// The direction at the first of two locations of the geodesic to the other, in degrees clockwise
  /// from north, -180 ... 180.
  func azimuth(
    _ latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double
  ) -> Double {
    var azimuth = 0.0
    library.inverseGeodesic(
      memory, latitude, longitude, otherLatitude, otherLongitude, nil, &azimuth, nil)
    return azimuth
  }

  /// The location at a distance in metres along a geodesic that starts in a direction.
  func location(
    _ distance: Double, fromLatitude latitude: Double, longitude: Double, azimuth: Double
  ) -> (latitude: Double, longitude: Double) {
    var (north, east) = (0.0, 0.0)
    library.directGeodesic(
      memory, latitude, longitude, azimuth, distance, &north, &east, nil)
    return (north, east)
  }

  /// The area of the polygons of a geometry without their holes, in square metres; nil if it has no
  /// polygon. The direction of a ring does not matter: its smaller side is inside.
  package func area(of geometry: GeometryView) -> Double? {
    var area: Double?
    for case .polygon(let rings) in geometry.parts {
      var sum = area ?? 0
      var isHole = false
      for ring in rings {
        let inside = self.area(of: ring, in: geometry)
        sum += isHole ? -inside : inside
        isHole = true
      }
      area = sum
    }
    return area
  }

  private func area(of ring: Range<Int>, in geometry: GeometryView) -> Double {
    var polygon = cairn_proj_polygon()
    library.beginPolygon(&polygon, 0)
    for vertex in ring.dropLast() {
      library.addToPolygon(
        memory, &polygon, geometry.latitude(vertex), geometry.longitude(vertex))
    }
    var area = 0.0
    _ = library.measurePolygon(memory, &polygon, 0, 1, &area, nil)
    return abs(area)
  }

  /// The length of the lines of a geometry in metres; nil if it has no line. The outlines of
  /// polygons do not count.
  package func length(of geometry: GeometryView) -> Double? {
    var length: Double?
    for case .line(let vertices) in geometry.parts {
      var sum = length ?? 0
      for vertex in vertices.dropLast() {
        sum += distance(
          geometry.latitude(vertex), longitude: geometry.longitude(vertex),
          otherLatitude: geometry.latitude(vertex + 1),
          otherLongitude: geometry.longitude(vertex + 1))
      }
      length = sum
    }
    return length
  }
}

extension GeoPoint {
  /// The length of the geodesic to another point on the WGS 84 ellipsoid, in metres, accurate to
  /// some nanometres.
  ///
  /// ``distance(to:)`` measures on the sphere, as circles do. This is the distance that surveyors
  /// use, and differs by up to 0.5 %. Altitudes are ignored.
  ///
  /// - Throws: ``GeometryError`` if PROJ is not installed.
  public func ellipsoidalDistance(to other: GeoPoint) throws(GeometryError) -> Double {
    try Ellipsoid.wgs84().distance(
      latitude, longitude: longitude, otherLatitude: other.latitude,
      otherLongitude: other.longitude)
  }

  /// Returns the direction of the geodesic to another point at its start, in degrees clockwise from
  /// north, from 0 to less than 360; 0 if both are the same location.
  ///
  /// The geodesic is the shortest path on the WGS 84 ellipsoid; its direction changes on the way.
  ///
  /// - Throws: ``GeometryError`` if PROJ is not installed.
  public func azimuth(to other: GeoPoint) throws(GeometryError) -> Double {
    guard latitude != other.latitude || longitude != other.longitude else { return 0 }
    let azimuth = try Ellipsoid.wgs84().azimuth(
      latitude, longitude: longitude, otherLatitude: other.latitude,
      otherLongitude: other.longitude)
    let turned = azimuth < 0 ? azimuth + 360 : azimuth + 0
    return turned < 360 ? turned : 0
  }
}
