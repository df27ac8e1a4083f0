/// A position in well-known text or binary.
struct EncodedPosition {
  let longitude: Double
  let latitude: Double
  let altitude: Double?

  /// Whether another position has the same place in the plane.
  func isAt(_ other: EncodedPosition) -> Bool {
    longitude == other.longitude && latitude == other.latitude
  }
}

extension GeometryBuilder {
  /// Adds a position to the open point, line or ring.
  @inline(__always)
  mutating func add(_ position: EncodedPosition) {
    add(
      longitude: position.longitude, latitude: position.latitude, altitude: position.altitude)
  }

  /// Adds the positions of a curve to the open line or ring.
  mutating func add(_ positions: [EncodedPosition]) {
    for position in positions { add(position) }
  }
}

extension [EncodedPosition] {
  /// Appends a curve that begins where this one ends.
  mutating func join(_ next: [EncodedPosition]) {
    append(contentsOf: last.flatMap { next.first?.isAt($0) } == true ? next[1...] : next[...])
  }
}
