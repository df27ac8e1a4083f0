/// A band index of a cap: for each band of latitude, its reach east and west of the centre.
final class CapBandIndex: @unchecked Sendable {
  // Sendable: init is the only writer.

  /// Half widths in E7 fixed point: locations up to `inner` are inside, those beyond `outer`
  /// outside; -1 means that the cap does not reach the band.
  struct Band {
    var inner: Int32
    var outer: Int32
  }

  private let south: Int32
  private let north: Int32
  private let shift: Int32
  private let middle: Int64
  private let bands: UnsafeMutablePointer<Band>
  private let count: Int

  init(_ cap: CapTest) {
    let profile = CapProfile(cap)
    let reach = (cap.radius + CapProfile.slack).inDegrees
    south = max(-E7.quarterTurn, E7.below(max(-90, cap.latitude - reach)) - 2)
    north = min(E7.quarterTurn, E7.above(min(90, cap.latitude + reach)) + 2)
    middle = Int64((cap.longitude * E7.perDegree).rounded())
    let extent = north - south
    shift = Self.shift(extent, atMost: Self.bandCount(radius: cap.radius))
    count = Int(extent >> shift) + 1
    bands = .allocate(capacity: count)
    var low = profile.edge(E7.degrees(south))
    for index in 0..<count {
      let top = min(Int64(E7.quarterTurn), Int64(south) + Int64(index + 1) << Int64(shift))
      let high = profile.edge(E7.degrees(Int32(top)))
      bands[index] = profile.band(from: low, to: high)
      low = high
    }
  }

  deinit { bands.deallocate() }

  /// The most bands of a cap: wider caps intersect more nodes.
  private static func bandCount(radius: Double) -> Int32 {
    radius < 0.002 ? 12 : radius < 0.02 ? 24 : radius < 0.2 ? 64 : 128
  }

  private static func shift(_ extent: Int32, atMost count: Int32) -> Int32 {
    var shift: Int32 = 0
    while extent >> shift >= count { shift += 1 }
    return shift
  }

  /// The rectangle around the cap; it spans all longitudes if the cap contains a pole or reaches
  /// the antimeridian.
  var bounds: Envelope {
    let width = Int64((0..<count).reduce(-1) { max($0, bands[$1].outer) })
    let half = Int64(E7.halfTurn)
    guard middle - width >= -half, middle + width <= half else {
      return Envelope(lanes: SIMD4(-E7.halfTurn, south, -E7.halfTurn, -north))
    }
    return Envelope(
      lanes: SIMD4(Int32(middle - width), south, -Int32(middle + width), -north))
  }

  /// The relation of the cap to a rectangle.
  func classify(_ envelope: Envelope) -> Containment {
    let low = envelope.lanes.y
    let high = -envelope.lanes.w
    guard low <= north, high >= south else { return .disjoint }
    let (near, far) = offsets(envelope)
    var isContained = low >= south && high <= north
    var isDisjoint = true
    let last = Int((min(high, north) - south) >> shift)
    for index in Int((max(low, south) - south) >> shift)...last {
      assert(index >= 0 && index < count, "the band does not exist")
      let band = bands[index]
      isContained = isContained && far <= band.inner
      isDisjoint = isDisjoint && near > band.outer
      if !isContained && !isDisjoint { return .intersecting }
    }
    return isContained ? .contained : .disjoint
  }

  /// The least and the greatest difference of longitude to the centre, in E7 fixed point.
  private func offsets(_ envelope: Envelope) -> (near: Int64, far: Int64) {
    let west = Int64(envelope.lanes.x) - middle
    let east = Int64(-envelope.lanes.z) - middle
    let half = Int64(E7.halfTurn)
    let (one, other) = (Self.fold(west), Self.fold(east))
    let holdsMiddle = west <= 0 && east >= 0
    let holdsOpposite = (west <= half && east >= half) || (west <= -half && east >= -half)
    return (holdsMiddle ? 0 : min(one, other), holdsOpposite ? half : max(one, other))
  }

  private static func fold(_ difference: Int64) -> Int64 {
    let size = abs(difference)
    return size > Int64(E7.halfTurn) ? 2 * Int64(E7.halfTurn) - size : size
  }
}

/// The half width of a cap as a function of latitude, from slightly outside and slightly inside.
struct CapProfile {
  /// The radians by which the cap is widened and narrowed, far above any rounding (0.6 mm).
  static let slack = 1e-10
  /// The tolerance for the rounding of longitudes, in units of 1e-7 degree.
  private static let padding = 4.0

  /// The half widths at one latitude in radians; negative where the cap does not reach.
  struct Edge {
    var latitude: Double
    var inner: Double
    var outer: Double
  }

  private let latitude: Double
  private let cosLatitude: Double
  private let innerLimit: Double
  private let outerLimit: Double
  /// The latitude where the cap is widest and its half width there, or nil if it contains a pole.
  private let peak: (latitude: Double, width: Double)?

  init(_ cap: CapTest) {
    latitude = cap.latitude
    cosLatitude = cosine(degrees: cap.latitude)
    innerLimit = Sphere.haversine(ofAngle: max(0, cap.radius - Self.slack))
    outerLimit = Sphere.haversine(ofAngle: cap.radius + Self.slack)
    peak = Self.peak(
      cap.radius + Self.slack, sineOfLatitude: sine(degrees: cap.latitude), cosLatitude: cosLatitude
    )
  }

  private static func peak(
    _ radius: Double, sineOfLatitude: Double, cosLatitude: Double
  ) -> (latitude: Double, width: Double)? {
    let reach = sine(radius)
    let rise = cosine(radius)
    guard reach < cosLatitude, abs(sineOfLatitude) < rise else { return nil }
    return (arcSine(sineOfLatitude / rise).inDegrees, arcSine(reach / cosLatitude))
  }

  func edge(_ degrees: Double) -> Edge {
    let half = sine(((degrees - latitude) / 2).inRadians)
    let scale = cosLatitude * cosine(degrees: degrees)
    let drop = half * half
    return Edge(
      latitude: degrees,
      inner: Self.width(innerLimit - drop, scale: scale, ifNone: innerLimit <= drop),
      outer: Self.width(outerLimit - drop, scale: scale, ifNone: outerLimit < drop))
  }

  private static func width(_ rest: Double, scale: Double, ifNone isNone: Bool) -> Double {
    if isNone { return -1 }
    let square = rest / scale
    return square < 1 ? 2 * arcSine(square.squareRoot()) : .pi
  }

  /// The widths that are valid all over the band between two latitudes.
  func band(from low: Edge, to high: Edge) -> CapBandIndex.Band {
    let inner = min(low.inner, high.inner)
    var outer = max(low.outer, high.outer)
    // The tolerance is needed because the latitude of the peak is rounded too.
    if let peak, peak.latitude > low.latitude - 1e-6, peak.latitude < high.latitude + 1e-6 {
      outer = max(outer, peak.width)
    }
    return CapBandIndex.Band(inner: Self.innerSteps(inner), outer: Self.outerSteps(outer))
  }

  private static func innerSteps(_ width: Double) -> Int32 {
    if width < 0 { return -1 }
    if width >= .pi { return .max }
    return max(-1, Int32(width.inDegrees * E7.perDegree) - Int32(padding))
  }

  private static func outerSteps(_ width: Double) -> Int32 {
    if width < 0 { return -1 }
    if width >= .pi { return .max }
    return Int32(width.inDegrees * E7.perDegree) + 1 + Int32(padding)
  }
}
