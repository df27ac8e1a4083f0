/// Sorts points into those surely inside a cap, surely outside, and the few that rounding leaves open:
/// single precision, four at a time.
struct CapFilter: Sendable {
  /// Radians in a step of 1e-7 degrees.
  private static let radiansPerStep = Float(Double.pi / 180 / Step.perDegree)
  /// What single precision may be off by, relative to the radius.
  private static let tolerance = 2e-6

  /// Signs and offsets of the middle: whole steps, and what they leave.
  private let mirror: Int32
  private let longitude: Int32
  private let latitude: Int32
  private let longitudeRest: Float
  private let latitudeRest: Float
  private let flatness: Float
  private let inner: Float
  private let outer: Float

  /// A cap about a place in degrees, `radius` in radians; `slack` is what a point may lie off the
  /// step that it is given by, in radians.
  init(longitude: Double, latitude: Double, radius: Double, slack: Double) {
    let (x, y) = (longitude * Step.perDegree, latitude * Step.perDegree)
    mirror = x < 0 ? -1 : 0
    self.longitude = Int32(abs(x).rounded())
    self.latitude = Int32(y.rounded())
    longitudeRest = Float(abs(x) - abs(x).rounded())
    latitudeRest = Float(y - y.rounded())
    flatness = Float(cosine(degrees: latitude))
    let room = radius * Self.tolerance + slack
    inner = radius > room ? Float(Self.limit(radius - room)) : -1
    outer = Float(Self.limit(radius + room))
  }

  private static func limit(_ radius: Double) -> Double {
    let half = CairnGeometry.sine(radius / 2)
    return half * half
  }

  /// Which of 64 points are surely inside, and which are open.
  func select(
    _ longitudes: UnsafePointer<Int32>, _ latitudes: UnsafePointer<Int32>
  ) -> (inside: UInt64, open: UInt64) {
    var inside = FourfoldWord()
    var reached = FourfoldWord()
    for part in 0..<16 {
      let chord = halfChordSquared(longitudes.four(part * 4), latitudes.four(part * 4))
      inside.insert(chord .<= SIMD4(repeating: inner), part: part)
      reached.insert(chord .<= SIMD4(repeating: outer), part: part)
    }
    return (inside.word, reached.word & ~inside.word)
  }

  @inline(__always)
  private func halfChordSquared(_ x: SIMD4<Int32>, _ y: SIMD4<Int32>) -> SIMD4<Float> {
    let north = Self.square(
      (SIMD4<Float>(y &- latitude) - latitudeRest) * Self.radiansPerStep)
    let east = Self.square(
      (SIMD4<Float>(offset(x)) - longitudeRest) * Self.radiansPerStep)
    let size = y.replacing(with: 0 &- y, where: y .< 0)
    let colatitude = SIMD4<Float>(Step.quarterTurn &- size) * Self.radiansPerStep
    return Self.halfSineSquared(north)
      + Self.sine(colatitude) * flatness * Self.halfSineSquared(east)
  }

  /// The difference to the middle, brought into half a turn either way: exact, though the sums in
  /// between may wrap round.
  @inline(__always)
  private func offset(_ x: SIMD4<Int32>) -> SIMD4<Int32> {
    let mirrored = (x ^ mirror) &- mirror
    let difference = mirrored &- longitude
    let isFar = mirrored .< SIMD4(repeating: longitude - Step.halfTurn)
    let turn = Int32(truncatingIfNeeded: 2 * Int64(Step.halfTurn))
    return difference.replacing(with: difference &+ turn, where: isFar)
  }

  @inline(__always)
  private static func square(_ x: SIMD4<Float>) -> SIMD4<Float> { x * x }

  /// The square of the sine of half an angle of up to a half turn, from its square: within 5e-8 of it.
  @inline(__always)
  private static func halfSineSquared(_ t: SIMD4<Float>) -> SIMD4<Float> {
    var sum = t * -8.81241791e-10 + 1.35951094e-07
    sum = sum * t + -1.23910090e-05
    sum = sum * t + 6.94420372e-04
    sum = sum * t + -2.08333111e-02
    return (sum * t + 0.249999997) * t
  }

  /// The sine of an angle of up to a quarter turn: within 2e-8 of it.
  @inline(__always)
  private static func sine(_ x: SIMD4<Float>) -> SIMD4<Float> {
    let t = x * x
    var sum = t * 2.60190307e-06 + -1.98074187e-04
    sum = sum * t + 8.33302514e-03
    sum = sum * t + -0.166666567
    return (sum * t + 0.999999995) * x
  }
}
