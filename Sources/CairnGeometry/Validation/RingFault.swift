/// A fault in the rings of a polygon, or of several.
struct RingFault {
  let kind: GeometryError.Kind
  /// The polygon's number. If two polygons are involved it is the later one.
  private(set) var polygon = 0
  /// The ring's number in the polygon. If two rings are involved it is a hole.
  let ring: Int
  let location: GeoPoint?
  /// The fault, as the beginning of a sentence that the location completes.
  let summary: String
  /// The remedy.
  let advice: String

  private init(
    _ kind: GeometryError.Kind, ring: Int, location: GeoPoint?, summary: String, advice: String
  ) {
    self.kind = kind
    self.ring = ring
    self.location = location
    self.summary = summary
    self.advice = advice
  }

  /// The fault and its location.
  var description: String { summary + (location.map { " at \($0.messageText)" } ?? "") }

  /// The fault in another polygon.
  func of(polygon: Int) -> RingFault {
    var fault = self
    fault.polygon = polygon
    return fault
  }

  /// The error, given the number of the first polygon that was checked.
  func error(polygon first: Int) -> GeometryError {
    GeometryError(
      kind, message: "\(description); \(advice)", polygon: first + polygon, ring: ring,
      location: location)
  }

  static func name(_ ring: Int) -> String { ring == 0 ? "the outer ring" : "hole \(ring)" }

  // MARK: One ring

  static func tooFewPoints(_ ring: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .tooFewPoints, ring: ring, location: location,
      summary: "\(name(ring)) has fewer than 3 different points",
      advice: "a ring needs at least 3, and the first one again at its end")
  }

  static func crossesItself(_ ring: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .selfIntersection, ring: ring, location: location, summary: "\(name(ring)) crosses itself",
      advice: "no two of its edges may cross")
  }

  static func runsBack(_ ring: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .selfIntersection, ring: ring, location: location, summary: "\(name(ring)) runs along itself",
      advice: "two of its edges coincide, so remove one of them")
  }

  static func touchesItself(_ ring: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .selfIntersection, ring: ring, location: location, summary: "\(name(ring)) touches itself",
      advice: "a vertex lies on another of its edges, so split it into two rings there")
  }

  static func hasVertexTwice(_ ring: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .duplicateVertex, ring: ring, location: location,
      summary: "\(name(ring)) visits a vertex twice",
      advice: "split it into two rings there")
  }

  // MARK: Two rings

  static func cross(_ one: Int, other: Int, location: GeoPoint?) -> RingFault {
    let (low, high) = (min(one, other), max(one, other))
    guard low > 0 else {
      return RingFault(
        .holeOutsideOuterRing, ring: high, location: location,
        summary: "hole \(high) crosses the outer ring",
        advice: "a hole must lie entirely inside it")
    }
    return RingFault(
      .holesCross, ring: high, location: location, summary: "holes \(low) and \(high) cross",
      advice: "merge the two into one hole")
  }

  static func shareEdge(_ one: Int, other: Int, location: GeoPoint?) -> RingFault {
    let (low, high) = (min(one, other), max(one, other))
    guard low > 0 else {
      return RingFault(
        .sharedEdge, ring: high, location: location,
        summary: "hole \(high) shares an edge with the outer ring",
        advice: "lead the outer ring around it instead")
    }
    return RingFault(
      .sharedEdge, ring: high, location: location,
      summary: "holes \(low) and \(high) share an edge",
      advice: "merge the two into one hole")
  }

  static func touchesTwice(_ ring: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .holeOutsideOuterRing, ring: ring, location: location,
      summary: "hole \(ring) touches the outer ring in a second point,",
      advice: "only one is allowed, so lead the outer ring around it instead")
  }

  static func cutsInterior(_ ring: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .disconnectedInterior, ring: ring, location: location,
      summary: "\(name(ring)) and other rings touch in a closed chain that cuts the inside in two",
      advice: "split the polygon there")
  }

  static func outside(_ ring: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .holeOutsideOuterRing, ring: ring, location: location,
      summary: "hole \(ring) lies outside the outer ring",
      advice: "a hole must lie entirely inside it")
  }

  static func nested(_ ring: Int, in other: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .nesting, ring: ring, location: location,
      summary: "hole \(ring) lies inside hole \(other)",
      advice: "remove the inner one, or make it a polygon of its own")
  }

  // MARK: Two polygons

  static func polygonsOverlap(_ one: Int, other: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .overlap, ring: 0, location: location,
      summary: "polygons \(min(one, other) + 1) and \(max(one, other) + 1) overlap",
      advice: "merge the two into one polygon"
    ).of(polygon: max(one, other))
  }

  static func polygonsShareEdge(_ one: Int, other: Int, location: GeoPoint?) -> RingFault {
    RingFault(
      .sharedEdge, ring: 0, location: location,
      summary: "polygons \(min(one, other) + 1) and \(max(one, other) + 1) share an edge",
      advice: "merge the two into one polygon"
    ).of(polygon: max(one, other))
  }
}

extension GeoPoint {
  /// The location in the form that messages use, to a centimetre.
  package var messageText: String {
    func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return "longitude \(short(longitude)), latitude \(short(latitude))"
  }
}
