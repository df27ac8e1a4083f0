/// A straight line in longitude and latitude, from its southern to its northern end.
struct PlanarEdge: RegionEdge {
  let x: Double
  let south: Double
  let topX: Double
  let north: Double

  init(_ one: PlanePoint, other: PlanePoint) {
    let (low, high) = one.y <= other.y ? (one, other) : (other, one)
    (x, south) = (low.x, low.y)
    (topX, north) = (high.x, high.y)
  }

  init(_ one: GeoPoint, other: GeoPoint) {
    self.init(
      PlanePoint(x: one.longitude, y: one.latitude),
      other: PlanePoint(x: other.longitude, y: other.latitude))
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
    switch exactSide(of: point) {
    case 1: return .east
    case -1: return crossing
    default: return point.x < min(x, topX) ? .east : point.x > max(x, topX) ? crossing : .near
    }
  }

  /// The side of the edge's line on which a point lies: 1 west, -1 east, 0 on the line.
  @inline(never)
  private func exactSide(of point: (x: Double, y: Double)) -> Int {
    orientation(
      PlanePoint(x: x, y: south), b: PlanePoint(x: topX, y: north),
      c: PlanePoint(x: point.x, y: point.y))
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
  /// Creates the index of polygons with straight edges in longitude and latitude.
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
    self.init(planar: edges, polygons: polygons)
  }

  /// Creates the index of straight edges; `polygons` contains the polygon number of each.
  convenience init(planar edges: [PlanarEdge], polygons: [UInt32]) {
    // The sides of a straight edge are exact, so a point that is near one lies on it.
    self.init(edges, polygons: polygons) { _, _, _ in true }
  }
}
