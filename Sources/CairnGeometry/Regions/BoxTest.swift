/// The rectangles of a box: one, and a second where it reaches the antimeridian.
struct BoxTest: Sendable {
  /// A closed rectangle in degrees, and the steps within it.
  struct Rectangle: Sendable {
    let west: Double
    let south: Double
    let east: Double
    let north: Double
    let steps: Envelope

    init(_ west: Double, _ south: Double, _ east: Double, _ north: Double) {
      self.west = west
      self.south = south
      self.east = east
      self.north = north
      steps = Envelope(
        lanes: SIMD4(
          Step.above(west), Step.above(south), -Step.below(east), -Step.below(north)))
    }

    func contains(_ longitude: Double, _ latitude: Double) -> Bool {
      longitude >= west && longitude <= east && latitude >= south && latitude <= north
    }
  }

  let first: Rectangle
  let second: Rectangle?

  init(_ box: GeoBox) {
    let (west, east, south, north) = (box.west, box.east, box.south, box.north)
    if west > east {
      first = Rectangle(west, south, 180, north)
      second = Rectangle(-180, south, east, north)
    } else {
      first = Rectangle(west, south, east, north)
      second = Self.otherWriting(west, south, east, north)
    }
  }

  /// An edge on the antimeridian also lies on its other writing.
  private static func otherWriting(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) -> Rectangle? {
    if east == 180, west > -180 { return Rectangle(-180, south, -180, north) }
    if west == -180, east < 180 { return Rectangle(180, south, 180, north) }
    return nil
  }

  func classify(_ envelope: Envelope) -> Containment {
    let one = Self.classify(envelope, first)
    guard one == .missed, let second else { return one }
    return Self.classify(envelope, second)
  }

  private static func classify(_ envelope: Envelope, _ rectangle: Rectangle) -> Containment {
    if rectangle.steps.holds(envelope) { return .held }
    return rectangle.steps.meets(envelope) ? .cut : .missed
  }

  func contains(_ longitude: Double, _ latitude: Double) -> Bool {
    first.contains(longitude, latitude) || (second?.contains(longitude, latitude) ?? false)
  }
}
