import CairnSystem

/// The azimuthal equidistant projection around a pole. The plane is in degrees, with the pole at the
/// origin; Greenwich is below the North Pole and above the South Pole.
struct PolarProjection {
  let isNorth: Bool

  /// Points farther from the pole than this are not drawn.
  static let reach = 100.0
  /// Longer steps in longitude are divided, because a parallel is a curve.
  private static let longestStep = 3.0

  /// Returns the projection for a map with these bounds; nil if it is not near a pole, or narrow.
  init?(_ meridians: (west: Double, east: Double), parallels: (low: Double, high: Double)) {
    isNorth = parallels.low + parallels.high > 0
    let nearest = isNorth ? parallels.low : -parallels.high
    let farthest = isNorth ? parallels.high : -parallels.low
    let isWide = meridians.east - meridians.west > 180
    guard nearest >= 40, farthest > 84 || isWide && farthest > 66 else { return nil }
  }

  /// The angle from the pole in degrees.
  func distance(_ latitude: Double) -> Double { isNorth ? 90 - latitude : 90 + latitude }

  /// Returns a point in the plane.
  func point(_ longitude: Double, latitude: Double) -> (x: Double, y: Double) {
    let (radius, angle) = (distance(latitude), longitude * .pi / 180)
    return (radius * sin(angle), radius * (isNorth ? -cos(angle) : cos(angle)))
  }

  /// Returns a ring in the plane, or nothing if it is far from the pole. The pole itself is not part of
  /// the edge of an area that goes all round it.
  func ring(_ vertices: [(longitude: Double, latitude: Double)]) -> [(x: Double, y: Double)] {
    let longitudes = vertices.map(\.longitude)
    guard let west = longitudes.min(), let east = longitudes.max(), east - west >= 360 else {
      return line(vertices)
    }
    var edge: [(longitude: Double, latitude: Double)] = []
    for vertex in vertices where distance(vertex.latitude) > 1e-6 {
      // Edges that met at the pole now meet at the antimeridian.
      let isSame = edge.last.map {
        $0.latitude == vertex.latitude && abs($0.longitude - vertex.longitude) >= 360
      }
      // The first step of this length is the parallel itself.
      if isSame != true || edge.count == 1 { edge.append(vertex) }
    }
    return line(edge)
  }

  /// Returns the line in the plane, or nothing if it is far from the pole.
  func line(_ vertices: [(longitude: Double, latitude: Double)]) -> [(x: Double, y: Double)] {
    guard vertices.contains(where: { distance($0.latitude) < Self.reach }) else { return [] }
    var points: [(x: Double, y: Double)] = []
    for (index, vertex) in vertices.enumerated() {
      let last = vertices[max(0, index - 1)]
      let across = vertex.longitude - last.longitude
      let steps = max(1, Int((abs(across) / Self.longestStep).rounded(.up)))
      for step in 1...steps {
        let part = Double(step) / Double(steps)
        points.append(
          point(
            last.longitude + across * part,
            latitude: last.latitude + (vertex.latitude - last.latitude) * part))
      }
    }
    return points
  }

  /// The region in words, such as `north of 62°N`.
  func words(within radius: Double) -> String {
    "\(isNorth ? "north" : "south") of \(max(0, Int((90 - radius).rounded())))°\(isNorth ? "N" : "S")"
  }
}
