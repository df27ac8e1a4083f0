/// A closed rectangle of a plane.
struct PlanarBox {
  /// West, south, -east, -north: union and comparison take one instruction each.
  var lanes: SIMD4<Double>

  /// The rectangle that contains nothing.
  static var empty: PlanarBox { PlanarBox(lanes: SIMD4(repeating: .infinity)) }

  @inline(__always)
  init(lanes: SIMD4<Double>) { self.lanes = lanes }

  /// The smallest rectangle around two points.
  @inline(__always)
  init(_ a: PlanePoint, b: PlanePoint) {
    lanes = Self.least(SIMD4(a.x, a.y, -a.x, -a.y), SIMD4(b.x, b.y, -b.x, -b.y))
  }

  /// The rectangle of a point and everything east of it on its parallel.
  @inline(__always)
  init(eastOf point: PlanePoint) {
    lanes = SIMD4(point.x, point.y, -.infinity, -point.y)
  }

  var west: Double { lanes.x }
  var south: Double { lanes.y }
  var east: Double { -lanes.z }
  var north: Double { -lanes.w }

  /// Whether the rectangle contains nothing.
  var isEmpty: Bool { lanes.x > -lanes.z }

  /// Whether the two have a point in common.
  @inline(__always)
  func meets(_ other: PlanarBox) -> Bool {
    let limits = SIMD4(-other.lanes.z, -other.lanes.w, -other.lanes.x, -other.lanes.y)
    return all(lanes .<= limits)
  }

  /// Whether the interiors of the two have a point in common.
  func overlaps(_ other: PlanarBox) -> Bool {
    let limits = SIMD4(-other.lanes.z, -other.lanes.w, -other.lanes.x, -other.lanes.y)
    return all(lanes .< limits)
  }

  /// Whether the other rectangle lies in this one.
  @inline(__always)
  func contains(_ other: PlanarBox) -> Bool { all(other.lanes .>= lanes) }

  @inline(__always)
  func contains(_ point: PlanePoint) -> Bool {
    all(SIMD4(point.x, point.y, -point.x, -point.y) .>= lanes)
  }

  @inline(__always)
  mutating func insert(_ point: PlanePoint) {
    lanes = Self.least(lanes, SIMD4(point.x, point.y, -point.x, -point.y))
  }

  @inline(__always)
  mutating func insert(_ other: PlanarBox) { lanes = Self.least(lanes, other.lanes) }

  /// The lesser number of each lane; `pointwiseMin` compares them one by one.
  @inline(__always)
  private static func least(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    a.replacing(with: b, where: b .< a)
  }

  /// The rectangle in E7 fixed point, rounded outward and clamped to the world.
  var envelope: Envelope {
    guard !isEmpty else { return .empty }
    return Envelope(
      west: max(-180, min(180, west)), south: max(-90, min(90, south)),
      east: max(-180, min(180, east)), north: max(-90, min(90, north)))
  }
}
