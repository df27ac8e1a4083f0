/// The meridian along which a set of polygons is laid open: the antimeridian, unless they reach it.
struct Seam {
  /// Whole steps added to every longitude, so that the seam comes to ±180.
  let turnSteps: Int32
  /// The same in degrees.
  var turn: Double { Step.degrees(turnSteps) }

  init(_ polygons: [[[GeoPoint]]]) {
    turnSteps =
      polygons.contains { $0.contains(where: Self.reachesAntimeridian) }
      ? Self.turn(polygons) : 0
  }

  private static func reachesAntimeridian(_ ring: [GeoPoint]) -> Bool {
    zip(ring, ring.dropFirst()).contains { one, other in
      abs(one.longitude) == 180 || abs(one.longitude - other.longitude) >= 180
    }
  }

  /// Brings the middle of the widest stretch without a vertex, and if possible without an edge, to ±180.
  private static func turn(_ polygons: [[[GeoPoint]]]) -> Int32 {
    let spans = polygons.joined().flatMap { ring in
      zip(ring, ring.dropFirst()).map(span(of:))
    }
    let gap = widestGap(spans) ?? widestGap(spans.flatMap { [($0.0, $0.0), ($0.1, $0.1)] }) ?? 0
    return Int32((wrapped(180 - gap) * Step.perDegree).rounded())
  }

  /// The longitudes that an edge takes, from -180 on and never wrapped.
  private static func span(of edge: (GeoPoint, GeoPoint)) -> (Double, Double) {
    let (one, other) = (edge.0.longitude, edge.1.longitude)
    let (low, high) = (min(one, other), max(one, other))
    return high - low > 180 ? (high, low + 360) : (low, high)
  }

  /// The middle of the widest stretch that no span touches; nil where there is none to speak of.
  private static func widestGap(_ spans: [(Double, Double)]) -> Double? {
    let sorted = spans.sorted { $0.0 < $1.0 }
    guard let first = sorted.first else { return nil }
    var end = (sorted.map(\.1).max() ?? first.1) - 360
    var widest = (width: 1e-6, middle: Double?.none)
    for span in sorted {
      if span.0 - end > widest.width {
        widest = (span.0 - end, wrapped((span.0 + end) / 2))
      }
      end = max(end, span.1)
    }
    return widest.middle
  }
}
