import CairnGeometry
import CairnIO
import CairnValues

/// The parameter `bbox`, as a shape.
enum BoxParameter {
  /// The number of segments of each edge of a box in another coordinate system, where an edge is
  /// not a meridian or a parallel.
  private static let segments = 32

  /// Parses four numbers, or six with heights, which are ignored.
  static func shape(_ text: String, in system: ServedSystem) throws -> Shape {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0.filter { $0 != " " }) }
    guard numbers.count == parts.count, numbers.allSatisfy(\.isFinite),
      [4, 6].contains(numbers.count)
    else { throw Problem.badRequest("bbox: expected four or six numbers, found '\(text)'") }
    let corners =
      numbers.count == 4 ? numbers : [numbers[0], numbers[1], numbers[3], numbers[4]]
    guard let transform = try system.transform() else {
      return .box(try box(corners))
    }
    let ordered =
      transform.beginsWithNorth ? [corners[1], corners[0], corners[3], corners[2]] : corners
    if system.code == "EPSG:4326" { return .box(try box(ordered)) }
    guard ordered[0] <= ordered[2], ordered[1] <= ordered[3] else {
      throw Problem.badRequest("bbox: the first corner must be the lower one in both coordinates")
    }
    if system.code == "EPSG:3857" { return .box(try mercator(ordered, transform)) }
    return try polygon(ordered, transform)
  }

  private static func box(_ corners: [Double]) throws(Problem) -> GeoBox {
    let (west, east) = (corners[0], corners[2])
    let south = max(-90, corners[1])
    let north = min(90, corners[3])
    guard south <= north else {
      throw .badRequest("bbox: the southern edge \(corners[1]) is not below \(corners[3])")
    }
    let isWorldwide = east - west >= 360
    let (left, right) = isWorldwide ? (-180, 180) : (wrapped(west), wrapped(east))
    guard let box = GeoBox(bottomLeft: (south, left), topRight: (north, right)) else {
      throw .badRequest("bbox: \(corners) is not on the earth")
    }
    return box
  }

  /// The longitude between -180 and 180.
  private static func wrapped(_ longitude: Double) -> Double {
    guard abs(longitude) > 180 else { return longitude }
    let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
    return turned < 0 ? turned + 180 : turned - 180
  }

  /// A box of Web Mercator, whose edges are meridians and parallels. A map that repeats the world
  /// asks for copies of it beyond the ends of the projection.
  private static func mercator(
    _ corners: [Double], _ transform: CoordinateTransform
  ) throws -> GeoBox {
    // The projection ends at this distance from its origin.
    let end = 20_037_508.342_789_244
    let (south, north) = (max(-end, min(end, corners[1])), max(-end, min(end, corners[3])))
    return try box([
      corners[0] / end * 180, try transform.toWGS84(x: 0, y: south).latitude,
      corners[2] / end * 180, try transform.toWGS84(x: 0, y: north).latitude,
    ])
  }

  private static func polygon(
    _ corners: [Double], _ transform: CoordinateTransform
  ) throws -> Shape {
    let ring = [
      (corners[0], corners[1]), (corners[2], corners[1]), (corners[2], corners[3]),
      (corners[0], corners[3]), (corners[0], corners[1]),
    ]
    var points: [GeoPoint] = []
    for (start, end) in zip(ring, ring.dropFirst()) {
      for step in 0..<segments {
        let share = Double(step) / Double(segments)
        let point = try transform.toWGS84(
          x: start.0 + (end.0 - start.0) * share, y: start.1 + (end.1 - start.1) * share)
        guard let place = GeoPoint(latitude: point.latitude, longitude: point.longitude) else {
          throw Problem.badRequest("bbox: \(corners) is not on the earth")
        }
        points.append(place)
      }
    }
    points.append(points[0])
    // Neighbours are near one another, so a longer way leads over the antimeridian.
    for (point, next) in zip(points, points.dropFirst())
    where abs(next.longitude - point.longitude) > 180 {
      throw Problem.badRequest(
        "bbox: the box crosses the antimeridian; use longitudes and latitudes")
    }
    let shape = Shape.polygon(try GeoPolygon(polygons: [[points]], edges: .planar))
    try shape.validate()
    return shape
  }
}
