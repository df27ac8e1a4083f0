/// The rectangles of a box: one, and a second one if it reaches the antimeridian.
struct BoxTest: Sendable {
  /// A closed rectangle in degrees, and the E7 fixed point coordinates within it.
  struct Rectangle: Sendable {
    let west: Double
    let south: Double
    let east: Double
    let north: Double
    let e7: Envelope

    init(_ west: Double, south: Double, east: Double, north: Double) {
      self.west = west
      self.south = south
      self.east = east
      self.north = north
      e7 = Envelope(
        lanes: SIMD4(
          E7.above(west), E7.above(south), -E7.below(east), -E7.below(north)))
    }

    func contains(_ longitude: Double, latitude: Double) -> Bool {
      longitude >= west && longitude <= east && latitude >= south && latitude <= north
    }
  }

  let first: Rectangle
  let second: Rectangle?

  init(_ box: GeoBox) {
    let (west, east, south, north) = (box.west, box.east, box.south, box.north)
    if west > east {
      first = Rectangle(west, south: south, east: 180, north: north)
      second = Rectangle(-180, south: south, east: east, north: north)
    } else {
      first = Rectangle(west, south: south, east: east, north: north)
      second = Self.otherWriting(west, south: south, east: east, north: north)
    }
  }

  init(_ bounds: Envelope) {
    let (west, south, east, north) = (bounds.west, bounds.south, bounds.east, bounds.north)
    first = Rectangle(west, south: south, east: east, north: north)
    second = Self.otherWriting(west, south: south, east: east, north: north)
  }

  /// The rectangle at the other end of the longitudes: an edge at 180 is also at -180.
  private static func otherWriting(
    _ west: Double, south: Double, east: Double, north: Double
  ) -> Rectangle? {
    if east == 180, west > -180 { return Rectangle(-180, south: south, east: -180, north: north) }
    if west == -180, east < 180 { return Rectangle(180, south: south, east: 180, north: north) }
    return nil
  }

  func classify(_ envelope: Envelope) -> Containment {
    let one = Self.classify(envelope, rectangle: first)
    guard one == .disjoint, let second else { return one }
    return Self.classify(envelope, rectangle: second)
  }

  private static func classify(_ envelope: Envelope, rectangle: Rectangle) -> Containment {
    if rectangle.e7.contains(envelope) { return .contained }
    return rectangle.e7.intersects(envelope) ? .intersecting : .disjoint
  }

  func contains(_ longitude: Double, latitude: Double) -> Bool {
    first.contains(longitude, latitude: latitude)
      || (second?.contains(longitude, latitude: latitude) ?? false)
  }
}

extension BoxTest {
  /// A bitmap of those of up to 64 locations in E7 fixed point that are in the box.
  func select(
    _ xs: UnsafePointer<Int32>, ys: UnsafePointer<Int32>, count: Int
  ) -> UInt64 {
    let word = first.select(xs, ys: ys, count: count)
    guard let second else { return word }
    return word | second.select(xs, ys: ys, count: count)
  }

  /// A bitmap of those of up to 64 locations in degrees that are in the box.
  func select(
    _ xs: UnsafePointer<Double>, ys: UnsafePointer<Double>, count: Int
  ) -> UInt64 {
    gather(count) { contains(xs[$0], latitude: ys[$0]) }
  }
}

extension BoxTest.Rectangle {
  fileprivate func select(
    _ xs: UnsafePointer<Int32>, ys: UnsafePointer<Int32>, count: Int
  ) -> UInt64 {
    guard count == 64 else {
      return gather(count) { contains(E7.degrees(xs[$0]), latitude: E7.degrees(ys[$0])) }
    }
    return e7.select(longitudesE7: xs, latitudesE7: ys)
  }
}
