/// Sites on the sphere in the plane of the stereographic projection from the first of them.
///
/// The plane points are taken as exact: the test has the sign of its exact value, but in one case of many
/// billions. Therefore all answers agree with each other, also for sites on one circle; they are right for
/// sites that are moved by rounding.
struct SitePlane {
  private let points: [PlanePoint]

  /// - Parameter sites: Unit vectors.
  init(_ sites: [Vector]) {
    // Not a direction that sites have: on a circle through the first site, rounding then moves them off
    // their line.
    let frame = SiteFrame(sites[0], axis: Vector(x: 0.364, y: -0.523, z: 0.771).unit)
    points = sites.map { site in
      let way = frame.way(to: site)
      let scale = 2 / max(way.square, 1e-300)
      return PlanePoint(x: -way.x * scale, y: way.y * scale)
    }
  }

  /// Whether a site, not the first, is inside the circle through the corners of a triangle, which are
  /// anticlockwise as seen from outside of the sphere.
  func isInside(_ a: Int32, _ b: Int32, _ c: Int32, _ site: Int32) -> Bool {
    if a == 0 { return isBeyond(b, c, site) }
    if b == 0 { return isBeyond(c, a, site) }
    if c == 0 { return isBeyond(a, b, site) }
    return isInCircle(points[Int(a)], points[Int(b)], points[Int(c)], points[Int(site)])
  }

  /// Whether a site is left of the line through two others, or on it between them.
  private func isBeyond(_ a: Int32, _ b: Int32, _ site: Int32) -> Bool {
    let (a, b, point) = (points[Int(a)], points[Int(b)], points[Int(site)])
    let side = orientation(a, b: b, c: point)
    if side != 0 { return side > 0 }
    return (a.x - point.x) * (b.x - point.x) + (a.y - point.y) * (b.y - point.y) < 0
  }

  /// Whether a point is inside the circle through three others, which are anticlockwise.
  private func isInCircle(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint)
    -> Bool
  {
    let (ax, ay) = (a.x - d.x, a.y - d.y)
    let (bx, by) = (b.x - d.x, b.y - d.y)
    let (cx, cy) = (c.x - d.x, c.y - d.y)
    let (aSquare, bSquare, cSquare) = (ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy)
    let determinant =
      aSquare * (bx * cy - cx * by) + bSquare * (cx * ay - ax * cy) + cSquare * (ax * by - bx * ay)
    let size =
      aSquare * (abs(bx * cy) + abs(cx * by)) + bSquare * (abs(cx * ay) + abs(ax * cy))
      + cSquare * (abs(ax * by) + abs(bx * ay))
    if abs(determinant) > 1.2e-15 * size { return determinant > 0 }
    return isInCirclePrecisely(a, b, c, d)
  }

  /// The same with twice the digits.
  private func isInCirclePrecisely(
    _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint
  ) -> Bool {
    let (ax, ay) = (LongDouble(a.x, minus: d.x), LongDouble(a.y, minus: d.y))
    let (bx, by) = (LongDouble(b.x, minus: d.x), LongDouble(b.y, minus: d.y))
    let (cx, cy) = (LongDouble(c.x, minus: d.x), LongDouble(c.y, minus: d.y))
    let determinant =
      (ax * ax + ay * ay) * (bx * cy - cx * by) + (bx * bx + by * by) * (cx * ay - ax * cy)
      + (cx * cx + cy * cy) * (ax * by - bx * ay)
    return determinant.high > 0
  }
}

/// A number with about 32 digits, as the sum of two doubles.
///
/// Source: Theodorus Dekker, "A floating-point technique for extending the available precision" (1971).
private struct LongDouble {
  let high: Double
  private let low: Double

  private init(high: Double, low: Double) {
    self.high = high
    self.low = low
  }

  /// The exact difference of two doubles.
  init(_ a: Double, minus b: Double) {
    high = a - b
    let part = high - a
    low = (a - (high - part)) - (b + part)
  }

  /// The sum of a double and a smaller one.
  private init(_ high: Double, plus low: Double) {
    self.high = high + low
    self.low = low - (self.high - high)
  }

  static func + (a: LongDouble, b: LongDouble) -> LongDouble {
    let sum = LongDouble(a.high, minus: -b.high)
    return LongDouble(sum.high, plus: sum.low + (a.low + b.low))
  }

  static func - (a: LongDouble, b: LongDouble) -> LongDouble {
    a + LongDouble(high: -b.high, low: -b.low)
  }

  static func * (a: LongDouble, b: LongDouble) -> LongDouble {
    let product = a.high * b.high
    let rest = (-product).addingProduct(a.high, b.high)
    return LongDouble(product, plus: rest + (a.high * b.low + a.low * b.high))
  }
}
