/// What is wrong with the rings of a polygon.
struct RingFault {
  let kind: GeometryError.Kind
  /// The ring's number in the polygon, a hole's rather than the outer one's.
  let ring: Int
  let place: GeoPoint?
  /// What is wrong, up to the place.
  let words: String
  /// What to do about it.
  let advice: String

  private init(
    _ kind: GeometryError.Kind, _ ring: Int, _ place: GeoPoint?, _ words: String, _ advice: String
  ) {
    self.kind = kind
    self.ring = ring
    self.place = place
    self.words = words
    self.advice = advice
  }

  /// As an error about one polygon of several.
  func error(polygon: Int) -> GeometryError {
    let spot = place.map { " at \($0.asWritten)" } ?? ""
    return GeometryError(
      kind, "\(words)\(spot); \(advice).", polygon: polygon, ring: ring, place: place)
  }

  static func name(_ ring: Int) -> String { ring == 0 ? "The outer ring" : "Hole \(ring)" }

  // MARK: One ring

  static func tooFewPoints(_ ring: Int, _ place: GeoPoint?) -> RingFault {
    RingFault(
      .tooFewPoints, ring, place, "\(name(ring)) has fewer than 3 different points",
      "a ring needs at least 3, and the first again at its end")
  }

  static func crossesItself(_ ring: Int, _ place: GeoPoint?) -> RingFault {
    RingFault(
      .selfIntersection, ring, place, "\(name(ring)) crosses itself",
      "no two of its edges may cross")
  }

  static func runsBack(_ ring: Int, _ place: GeoPoint?) -> RingFault {
    RingFault(
      .selfIntersection, ring, place, "\(name(ring)) runs along itself",
      "two of its edges lie on one another, so take one way of them out")
  }

  static func touchesItself(_ ring: Int, _ place: GeoPoint?) -> RingFault {
    RingFault(
      .selfIntersection, ring, place, "\(name(ring)) touches itself",
      "a vertex lies on another of its edges, so make two rings of it there")
  }

  static func hasVertexTwice(_ ring: Int, _ place: GeoPoint?) -> RingFault {
    RingFault(
      .duplicateVertex, ring, place, "\(name(ring)) has a vertex twice",
      "make two rings of it there")
  }

  // MARK: Two rings

  static func cross(_ one: Int, _ other: Int, _ place: GeoPoint?) -> RingFault {
    let (low, high) = (min(one, other), max(one, other))
    guard low > 0 else {
      return RingFault(
        .holeOutsideOuterRing, high, place, "Hole \(high) crosses the outer ring",
        "a hole must lie entirely inside it")
    }
    return RingFault(
      .holesCross, high, place, "Holes \(low) and \(high) cross", "make one hole of the two")
  }

  static func shareEdge(_ one: Int, _ other: Int, _ place: GeoPoint?) -> RingFault {
    let (low, high) = (min(one, other), max(one, other))
    guard low > 0 else {
      return RingFault(
        .sharedEdge, high, place, "Hole \(high) shares an edge with the outer ring",
        "lead the outer ring round it instead")
    }
    return RingFault(
      .sharedEdge, high, place, "Holes \(low) and \(high) share an edge",
      "make one hole of the two")
  }

  static func touchesTwice(_ ring: Int, _ place: GeoPoint?) -> RingFault {
    RingFault(
      .holeOutsideOuterRing, ring, place,
      "Hole \(ring) touches the outer ring in a second point,",
      "it may do so in one only, so lead the outer ring round it instead")
  }

  static func outside(_ ring: Int, _ place: GeoPoint?) -> RingFault {
    RingFault(
      .holeOutsideOuterRing, ring, place, "Hole \(ring) lies outside the outer ring, as its point",
      "a hole must lie entirely inside it")
  }

  static func nested(_ ring: Int, in other: Int, _ place: GeoPoint?) -> RingFault {
    RingFault(
      .nesting, ring, place, "Hole \(ring) lies inside hole \(other), as its point",
      "leave the inner one out, or make a polygon of its own of it")
  }
}

extension GeoPoint {
  /// The place as it is written in sentences, to a centimetre.
  package var asWritten: String {
    func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return "longitude \(short(longitude)), latitude \(short(latitude))"
  }
}
