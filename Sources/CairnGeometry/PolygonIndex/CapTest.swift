/// A cap of the sphere of at most a quarter turn, or the complement of such a cap.
struct CapTest: Sendable {
  let longitude: Double
  let latitude: Double
  /// The radius of the cap in radians, 0 ... pi / 2.
  let radius: Double
  /// Whether the region is the complement of the open cap.
  let isComplement: Bool
  /// The haversine of the radius, the greatest one inside.
  let limit: Double
  private let cosLatitude: Double

  /// Classifies points in E7 fixed point.
  let filter: CapFilter

  /// Returns nil for a radius that covers the whole sphere.
  init?(_ circle: GeoCircle) {
    let center = circle.center
    guard circle.radiusInRadians < .pi else { return nil }
    isComplement = circle.radiusInRadians > .pi / 2
    if isComplement {
      radius = .pi - circle.radiusInRadians
      latitude = -center.latitude
      longitude = Sphere.opposite(center.longitude)
    } else {
      radius = circle.radiusInRadians
      latitude = center.latitude
      longitude = center.longitude
    }
    limit = Sphere.haversine(ofAngle: radius)
    cosLatitude = cosine(degrees: latitude)
    filter = CapFilter(longitude: longitude, latitude: latitude, radius: radius, slack: 1e-13)
  }

  /// Whether a location is in the region: compares its haversine with the limit.
  func contains(_ longitude: Double, latitude: Double) -> Bool {
    let haversine = haversine(longitude, latitude: latitude)
    return isComplement ? haversine >= limit : haversine <= limit
  }

  private func haversine(_ longitude: Double, latitude: Double) -> Double {
    let north = sine(((latitude - self.latitude) / 2).inRadians)
    let east = sine((wrapped(longitude - self.longitude) / 2).inRadians)
    return Sphere.haversine(
      north: north, east: east, cosines: cosine(degrees: latitude) * cosLatitude)
  }
}

extension CapTest {
  /// A bitmap of those of up to 64 locations in E7 fixed point that are in the region.
  func select(
    _ xs: UnsafePointer<Int32>, ys: UnsafePointer<Int32>, count: Int
  ) -> UInt64 {
    guard count == 64 else {
      return gather(count) { contains(E7.degrees(xs[$0]), latitude: E7.degrees(ys[$0])) }
    }
    let (inside, open) = filter.select(xs, latitudes: ys)
    let sure = isComplement ? ~(inside | open) : inside
    guard open != 0 else { return sure }
    return sure | gather(open) { contains(E7.degrees(xs[$0]), latitude: E7.degrees(ys[$0])) }
  }

  /// A bitmap of those of up to 64 locations in degrees that are in the region.
  func select(
    _ xs: UnsafePointer<Double>, ys: UnsafePointer<Double>, count: Int
  ) -> UInt64 {
    guard count == 64 else { return gather(count) { contains(xs[$0], latitude: ys[$0]) } }
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 128) { steps in
      guard let columns = steps.baseAddress else { return 0 }
      let rows = columns + 64
      for index in 0..<64 { columns[index] = E7.near(xs[index]) }
      for index in 0..<64 { rows[index] = E7.near(ys[index]) }
      // 1e-7 degree is 1.8e-9 radians.
      let filter = CapFilter(
        longitude: longitude, latitude: latitude, radius: radius, slack: 5e-9)
      let (inside, open) = filter.select(columns, latitudes: rows)
      let sure = isComplement ? ~(inside | open) : inside
      return sure | gather(open) { contains(xs[$0], latitude: ys[$0]) }
    }
  }
}

/// Divides points into those surely inside of a cap, those surely outside, and the few that
/// rounding leaves open. It computes in single precision, four points at a time.
struct CapFilter: Sendable {
  /// The radians of 1e-7 degree.
  private static let radiansPerUnit = Float(Double.pi / 180 / E7.perDegree)
  /// The error bound of single precision, relative to the radius.
  private static let tolerance = 2e-6

  /// The sign and offset of the centre: whole units of 1e-7 degree, and the remainder.
  private let mirror: Int32
  private let longitude: Int32
  private let latitude: Int32
  private let longitudeRest: Float
  private let latitudeRest: Float
  private let cosLatitude: Float
  private let inner: Float
  private let outer: Float

  /// Creates the filter of a cap around a location in degrees; `radius` is in radians. `slack` is
  /// the largest distance in radians between a point and its fixed point coordinates.
  init(longitude: Double, latitude: Double, radius: Double, slack: Double) {
    let (x, y) = (longitude * E7.perDegree, latitude * E7.perDegree)
    mirror = x < 0 ? -1 : 0
    self.longitude = Int32(abs(x).rounded())
    self.latitude = Int32(y.rounded())
    longitudeRest = Float(abs(x) - abs(x).rounded())
    latitudeRest = Float(y - y.rounded())
    cosLatitude = Float(cosine(degrees: latitude))
    let margin = radius * Self.tolerance + slack
    inner = radius > margin ? Float(Sphere.haversine(ofAngle: radius - margin)) : -1
    outer = Float(Sphere.haversine(ofAngle: radius + margin))
  }

  /// The bitmaps of those of 64 points that are surely inside, and of those that are open.
  func select(
    _ longitudes: UnsafePointer<Int32>, latitudes: UnsafePointer<Int32>
  ) -> (inside: UInt64, open: UInt64) {
    var inside = SIMDMask64()
    var reached = SIMDMask64()
    for part in 0..<16 {
      let haversine = haversine(longitudes.four(part * 4), y: latitudes.four(part * 4))
      inside.insert(haversine .<= SIMD4(repeating: inner), part: part)
      reached.insert(haversine .<= SIMD4(repeating: outer), part: part)
    }
    return (inside.word, reached.word & ~inside.word)
  }

  @inline(__always)
  private func haversine(_ x: SIMD4<Int32>, y: SIMD4<Int32>) -> SIMD4<Float> {
    let north = Self.square(
      (SIMD4<Float>(y &- latitude) - latitudeRest) * Self.radiansPerUnit)
    let east = Self.square(
      (SIMD4<Float>(offset(x)) - longitudeRest) * Self.radiansPerUnit)
    let size = y.replacing(with: 0 &- y, where: y .< 0)
    let colatitude = SIMD4<Float>(E7.quarterTurn &- size) * Self.radiansPerUnit
    return Self.halfSineSquared(north)
      + Self.sine(colatitude) * cosLatitude * Self.halfSineSquared(east)
  }

  /// The difference to the centre, brought into half a turn either way. It is exact, though the
  /// sums in between may overflow.
  @inline(__always)
  private func offset(_ x: SIMD4<Int32>) -> SIMD4<Int32> {
    let mirrored = (x ^ mirror) &- mirror
    let difference = mirrored &- longitude
    let isFar = mirrored .< SIMD4(repeating: longitude - E7.halfTurn)
    let turn = Int32(truncatingIfNeeded: 2 * Int64(E7.halfTurn))
    return difference.replacing(with: difference &+ turn, where: isFar)
  }

  @inline(__always)
  private static func square(_ x: SIMD4<Float>) -> SIMD4<Float> { x * x }

  /// The square of the sine of half an angle of up to half a turn, from the angle's square, within
  /// 5e-8.
  @inline(__always)
  private static func halfSineSquared(_ t: SIMD4<Float>) -> SIMD4<Float> {
    var sum = t * -8.81241791e-10 + 1.35951094e-07
    sum = sum * t + -1.23910090e-05
    sum = sum * t + 6.94420372e-04
    sum = sum * t + -2.08333111e-02
    return (sum * t + 0.249999997) * t
  }

  /// The sine of an angle of up to a quarter turn, within 2e-8.
  @inline(__always)
  private static func sine(_ x: SIMD4<Float>) -> SIMD4<Float> {
    let t = x * x
    var sum = t * 2.60190307e-06 + -1.98074187e-04
    sum = sum * t + 8.33302514e-03
    sum = sum * t + -0.166666567
    return (sum * t + 0.999999995) * x
  }
}
