/// What the walk round a ring says about the poles.
struct RingOutline {
  private var turned = 0.0
  private var steps: [(from: Double, to: Double, step: Double)] = []
  private var touchesNorth = false
  private var touchesSouth = false

  /// The ring has a vertex on a pole.
  mutating func touchesPole(isNorth: Bool) {
    if isNorth { touchesNorth = true } else { touchesSouth = true }
  }

  /// A geodesic between two latitudes over a step of longitude, in degrees.
  mutating func append(from start: Double, to end: Double, step: Double) {
    turned += step
    steps.append((start, end, step))
  }

  /// Whether the smaller side of the ring holds the south pole, or for a ring through that pole,
  /// whether the seam leaves the pole into the ring: then the ring crosses the seam oddly.
  func holdsSouthPole(crossesSeamOddly isOdd: Bool) -> Bool {
    if touchesSouth { return isOdd }
    guard !touchesNorth, (turned / 360).rounded() != 0 else { return false }
    return abs(northArea) > 2 * .pi
  }

  /// The solid angle between the ring and the north pole, signed by the direction.
  private var northArea: Double {
    steps.reduce(0) { area, edge in
      let product = tangent((90 - edge.from).inRadians / 2) * tangent((90 - edge.to).inRadians / 2)
      let angle = edge.step.inRadians
      return area + 2 * arcTangent(product * sine(angle), 1 + product * cosine(angle))
    }
  }
}
