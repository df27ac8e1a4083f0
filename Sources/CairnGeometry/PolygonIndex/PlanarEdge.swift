import CairnSystem

/// A straight line in longitude and latitude, from its southern to its northern end.
struct PlanarEdge: RegionEdge {
  let x: Double
  let south: Double
  let topX: Double
  let north: Double

  init(_ one: GeoPoint, other: GeoPoint) {
    let (low, high) = one.latitude <= other.latitude ? (one, other) : (other, one)
    (x, south) = (low.longitude, low.latitude)
    (topX, north) = (high.longitude, high.latitude)
  }

  func span(south low: Double, north high: Double) -> (west: Double, east: Double) {
    let (one, other) = (longitude(at: low), longitude(at: high))
    guard north > south else { return (min(x, topX), max(x, topX)) }
    return (min(one, other), max(one, other))
  }

  private func longitude(at latitude: Double) -> Double {
    if latitude <= south { return x }
    if latitude >= north { return topX }
    return x + (topX - x) * ((latitude - south) / (north - south))
  }

  static func probe(_ longitude: Double, latitude: Double) -> (x: Double, y: Double) {
    (longitude, latitude)
  }

  static func roughProbe(_ longitude: Double, latitude: Double) -> (x: Double, y: Double)? { nil }

  @inline(__always)
  func side(of point: (x: Double, y: Double)) -> EdgeSide {
    if point.y < south || point.y > north { return .apart }
    let crossing: EdgeSide = point.y < north ? .west : .apart
    let rise = (topX - x) * (point.y - south)
    let run = (point.x - x) * (north - south)
    let determinant = rise - run
    if abs(determinant) > orientationErrorBound * (abs(rise) + abs(run)) {
      return determinant > 0 ? .east : crossing
    }
    if point.x < min(x, topX) { return .east }
    return point.x > max(x, topX) ? crossing : .near
  }
}

/// The position of a point relative to an edge, along the point's own parallel.
enum EdgeSide {
  /// The edge does not reach the point's latitude.
  case apart
  /// The edge crosses the parallel west of the point.
  case west
  /// The edge crosses the parallel east of the point.
  case east
  /// The point lies on the edge, or too close to it for rounding to tell.
  case near
}

/// An edge of a region along which longitude is a function of latitude, or latitude is constant.
protocol RegionEdge: Sendable {
  /// The values that are computed once for each point.
  associatedtype Probe

  /// The latitude of the southern end in degrees.
  var south: Double { get }
  /// The latitude of the northern end in degrees.
  var north: Double { get }

  /// The longitudes of the edge between two latitudes in degrees, apart from rounding.
  func span(south: Double, north: Double) -> (west: Double, east: Double)

  /// The probe of a point in degrees.
  static func probe(_ longitude: Double, latitude: Double) -> Probe

  /// A cheaper probe, for which `near` only means that the exact one has to decide; nil if there is
  /// none.
  static func roughProbe(_ longitude: Double, latitude: Double) -> Probe?

  /// The side of a point. A crossing at the southern end counts, one at the northern end does not.
  func side(of point: Probe) -> EdgeSide
}

extension BandIndex where Edge == PlanarEdge {
  /// Creates the index of polygons with straight edges in longitude and latitude. GEOS decides on
  /// their boundaries.
  convenience init(planar polygon: GeoPolygon) {
    var edges: [PlanarEdge] = []
    var polygons: [UInt32] = []
    for (index, rings) in polygon.polygons.enumerated() {
      for ring in rings {
        for (one, other) in zip(ring, ring.dropFirst())
        where one.longitude != other.longitude || one.latitude != other.latitude {
          edges.append(PlanarEdge(one, other: other))
          polygons.append(UInt32(index))
        }
      }
    }
    let fallback = ExactFallback(polygon.polygons)
    self.init(edges, polygons: polygons) { fallback.covers(polygon: $0, x: $1, y: $2) }
  }
}

/// An exact fallback: asks GEOS about the rare points so close to a planar edge that rounding could
/// decide.
final class ExactFallback: @unchecked Sendable {
  // Sendable: GEOS objects are only touched under `lock`.
  private let polygons: [[[GeoPoint]]]
  private let lock = Lock()
  private var prepared: [Int: GEOSPreparedPolygon] = [:]

  init(_ polygons: [[[GeoPoint]]]) { self.polygons = polygons }

  /// Whether a point is inside a polygon or on its boundary.
  ///
  /// `validate` reports a missing library before any query. Without GEOS a point this close counts
  /// as on the boundary.
  func covers(polygon: Int, x: Double, y: Double) -> Bool {
    lock.withLock {
      (try? prepare(polygon).covers(x: x, y: y)) ?? true
    }
  }

  private func prepare(_ index: Int) throws(GeometryError) -> GEOSPreparedPolygon {
    if let made = prepared[index] { return made }
    let image = PlaneImage(planar: polygons[index])
    let made = try GEOSPreparedPolygon(GEOSPolygon(image.rings, in: GEOSContext()))
    prepared[index] = made
    return made
  }
}
