import CPROJ

extension GeoPoint {
  /// The length of the geodesic to another point on the WGS 84 ellipsoid, in metres, to some nanometres.
  ///
  /// `distance(to:)` measures on the sphere, as circles do; this is the surveyor's distance, and up to
  /// 0.5 % different. Altitudes are left out.
  ///
  /// Source: Charles Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), as PROJ has it.
  ///
  /// - Throws: `GeometryError` when PROJ is not installed.
  public func ellipsoidalDistance(to other: GeoPoint) throws(GeometryError) -> Double {
    let library = try PROJLibrary.shared()
    var ellipsoid = cairn_proj_ellipsoid()
    library.initialiseGeodesic(&ellipsoid, 6_378_137, 1 / 298.257_223_563)
    var metres = 0.0
    library.inverseGeodesic(
      &ellipsoid, latitude, longitude, other.latitude, other.longitude, &metres, nil, nil)
    return metres
  }
}
