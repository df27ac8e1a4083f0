import CairnGeometry
import CairnSystem

/// Conditions on a place of each side in the functions that people use in an engine. Where an engine has
/// no such function, the members return nil.
extension SQLPlacePair {
  /// A relation along the edges of the engine: planar ones, but for geographies.
  func idiom(_ relation: SQLJoin.Relation, isGeodesic: Bool) -> SQLCondition? {
    let onSphere = isGeodesic && dialect == .postgis
    // Planar edges would leave long geodesic ones.
    guard let spatial = relation.spatial,
      !isGeodesic || onSphere || dialect.hasOnlyGeographies
    else { return nil }
    let (first, second) = onSphere ? geodesic : planar
    let isInside = one.location != nil && spatial == .within
    guard let holds = dialect.holds(isInside ? .intersects : spatial, first, second) else {
      return nil
    }
    return SQLCondition(holds, difference: difference(isGeodesic: isGeodesic))
  }

  private func difference(isGeodesic: Bool) -> String {
    !isGeodesic && dialect.hasOnlyGeographies
      ? "\(names) are compared along geodesic edges by \(dialect), not planar ones"
      : "\(names) close to a boundary are rounded by \(dialect)"
  }

  /// The condition that the two are at most an angle apart, in metres.
  func isNearIdiom(radians: Double) -> SQLCondition? {
    guard radians > 0, radians < 3 else { return nil }
    let measures =
      "distances of \(names) are those of \(dialect), up to 0.7 % from those of Cairn's sphere"
    let (a, b) = geodesic
    if dialect == .postgis || dialect.hasOnlyGeographies {
      return SQLCondition("ST_DWithin(\(a), \(b), \(metres: radians))", difference: measures)
    }
    guard let left = one.location, let right = other.location else { return nil }
    if dialect == .databricks {
      return SQLCondition(
        "ST_DistanceSphere(\(a), \(b)) <= \(metres: radians)", difference: measures)
    }
    let degrees = radians * 180 / .pi * 1.01
    let latitudes: SQLFragment =
      "abs(\(left.coordinates.latitude) - \(right.coordinates.latitude)) <= \(digits: degrees)"
    let haversine = left.haversine(to: right)
    return SQLCondition(
      SQLCondition.all([
        latitudes,
        "2 * \(digits: Sphere.radius) * asin(sqrt(\(haversine))) <= \(metres: radians)",
      ]),
      difference: "\(names) within a millimetre of the distance are rounded by \(dialect)")
  }

  /// The condition that the two are at most so many degrees apart in the plane.
  func isNearIdiom(degrees: Double) -> SQLCondition? {
    guard !dialect.hasOnlyGeographies else { return nil }
    let (a, b) = planar
    return SQLCondition(
      "ST_DWithin(\(a), \(b), \(digits: degrees))",
      difference: "\(names) close to the distance are rounded by \(dialect)")
  }

  private var geodesic: (SQLFragment, SQLFragment) {
    (one.geodesic(dialect), other.geodesic(dialect))
  }
}

extension SQLJoin.Relation {
  /// The relation of shapes; nil for a distance.
  fileprivate var spatial: SpatialRelation? {
    switch self {
    case .within: .within
    case .intersects: .intersects
    case .contains: .contains
    case .touches: .touches
    case .crosses: .crosses
    case .overlaps: .overlaps
    case .equals: .equals
    case .distance: nil
    }
  }
}
