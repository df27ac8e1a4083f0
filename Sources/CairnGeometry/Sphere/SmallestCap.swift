/// The centre of the smallest cap around points on the sphere, by Welzl's incremental algorithm.
struct SmallestCap {
  /// The relative tolerance for rounding when a point is compared with the rim.
  private static let tolerance = 1e-10

  private(set) var center: Vector
  private var chordSquared: Double

  /// Finds the smallest cap that contains all points. Returns nil if they do not fit into an open
  /// hemisphere.
  init?(_ points: [Vector]) {
    guard let first = points.first else { return nil }
    center = first
    chordSquared = 0
    if let middle = Self.middle(of: points) {
      center = middle
      return
    }
    grow(Self.shuffled(points))
    let center = center
    guard points.allSatisfy({ $0.dot(center) > Gnomonic.horizon }) else { return nil }
  }

  /// The mean direction, where it is good enough: most polygons are small.
  private static func middle(of points: [Vector]) -> Vector? {
    let sum = points.dropFirst().reduce(Vector(x: 0, y: 0, z: 0)) { $0 + $1 }
    guard sum.length > 1e-12 else { return nil }
    let middle = sum.unit
    return points.allSatisfy { $0.dot(middle) > 0.5 } ? middle : nil
  }

  /// The points in an order that no ring has, so that the expected time is linear.
  private static func shuffled(_ points: [Vector]) -> [Vector] {
    var points = points
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for index in points.indices.reversed().dropLast() {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      points.swapAt(index, Int((state >> 33) % UInt64(index + 1)))
    }
    return points
  }

  private func contains(_ point: Vector) -> Bool {
    let way = point - center
    return way.dot(way) <= chordSquared * (1 + Self.tolerance) + 1e-30
  }

  private mutating func set(_ middle: Vector, through point: Vector) {
    guard middle.length > 1e-15 else { return }
    center = middle.unit
    let way = point - center
    chordSquared = way.dot(way)
  }

  private mutating func grow(_ points: [Vector]) {
    for (index, point) in points.enumerated() where !contains(point) {
      set(point, through: point)
      grow(points[..<index], rim: point)
    }
  }

  private mutating func grow(_ points: ArraySlice<Vector>, rim: Vector) {
    for (index, point) in points.enumerated() where !contains(point) {
      set(point + rim, through: point)
      grow(points[..<index], rim: rim, other: point)
    }
  }

  private mutating func grow(_ points: ArraySlice<Vector>, rim: Vector, other: Vector) {
    for point in points where !contains(point) {
      let middle = (rim - point).cross(other - point)
      set(middle.dot(point) < 0 ? middle * -1 : middle, through: point)
    }
  }
}
