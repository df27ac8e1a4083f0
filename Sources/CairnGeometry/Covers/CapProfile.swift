/// The half width of a cap as a function of latitude, from slightly outside and slightly inside.
struct CapProfile {
  /// Radians by which the cap is widened and narrowed, far above any rounding (0.6 mm).
  static let slack = 1e-10
  /// Steps of room for the rounding of longitudes.
  private static let room = 4.0

  /// The half widths at one latitude in radians; negative where the cap does not reach.
  struct Edge {
    var latitude: Double
    var inner: Double
    var outer: Double
  }

  private let latitude: Double
  private let flatness: Double
  private let innerLimit: Double
  private let outerLimit: Double
  /// The latitude where the cap is widest and how wide it is; nil where it holds a pole.
  private let peak: (latitude: Double, width: Double)?

  init(_ cap: CapTest) {
    latitude = cap.latitude
    flatness = cosine(degrees: cap.latitude)
    innerLimit = Self.limit(max(0, cap.radius - Self.slack))
    outerLimit = Self.limit(cap.radius + Self.slack)
    peak = Self.peak(cap.radius + Self.slack, sine(degrees: cap.latitude), flatness)
  }

  private static func limit(_ radius: Double) -> Double {
    let half = sine(radius / 2)
    return half * half
  }

  private static func peak(
    _ radius: Double, _ sineOfLatitude: Double, _ flatness: Double
  ) -> (latitude: Double, width: Double)? {
    let reach = sine(radius)
    let rise = cosine(radius)
    guard reach < flatness, abs(sineOfLatitude) < rise else { return nil }
    return (arcSine(sineOfLatitude / rise).inDegrees, arcSine(reach / flatness))
  }

  func edge(_ degrees: Double) -> Edge {
    let half = sine(((degrees - latitude) / 2).inRadians)
    let scale = flatness * cosine(degrees: degrees)
    let drop = half * half
    return Edge(
      latitude: degrees, inner: Self.width(innerLimit - drop, scale, ifNone: innerLimit <= drop),
      outer: Self.width(outerLimit - drop, scale, ifNone: outerLimit < drop))
  }

  private static func width(_ rest: Double, _ scale: Double, ifNone isNone: Bool) -> Double {
    if isNone { return -1 }
    let square = rest / scale
    return square < 1 ? 2 * arcSine(square.squareRoot()) : .pi
  }

  /// The widths that hold all over the band between two latitudes.
  func band(from low: Edge, to high: Edge) -> CapCover.Band {
    let inner = min(low.inner, high.inner)
    var outer = max(low.outer, high.outer)
    // A band's length of room, as the latitude of the peak is rounded too.
    if let peak, peak.latitude > low.latitude - 1e-6, peak.latitude < high.latitude + 1e-6 {
      outer = max(outer, peak.width)
    }
    return CapCover.Band(inner: Self.innerSteps(inner), outer: Self.outerSteps(outer))
  }

  private static func innerSteps(_ width: Double) -> Int32 {
    if width < 0 { return -1 }
    if width >= .pi { return .max }
    return max(-1, Int32(width.inDegrees * Step.perDegree) - Int32(room))
  }

  private static func outerSteps(_ width: Double) -> Int32 {
    if width < 0 { return -1 }
    if width >= .pi { return .max }
    return Int32(width.inDegrees * Step.perDegree) + 1 + Int32(room)
  }
}
