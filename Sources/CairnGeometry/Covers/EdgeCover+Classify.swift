extension EdgeCover {
  /// What the polygons are to a rectangle.
  func classify(_ envelope: Envelope) -> Containment {
    guard bandCount > 0 else { return .missed }
    guard turn != 0 else { return classify(-envelope.lanes.w, envelope.lanes) }
    return classifyTurned(envelope)
  }

  /// A rectangle whose longitudes, once turned, may fall apart into two.
  private func classifyTurned(_ envelope: Envelope) -> Containment {
    let (half, full) = (Int64(Step.halfTurn), 2 * Int64(Step.halfTurn))
    let west = Int64(envelope.lanes.x) + Int64(turn)
    let east = Int64(-envelope.lanes.z) + Int64(turn)
    func part(_ west: Int64, _ east: Int64) -> Containment {
      var lanes = envelope.lanes
      lanes.x = Int32(west)
      lanes.z = Int32(-east)
      return classify(-lanes.w, lanes)
    }
    if west >= half { return part(west - full, east - full) }
    if east < -half { return part(west + full, east + full) }
    if west < -half { return Self.both(part(west + full, half), part(-half, east)) }
    if east >= half { return Self.both(part(west, half), part(-half, east - full)) }
    return part(west, east)
  }

  private static func both(_ one: Containment, _ other: Containment) -> Containment {
    one == other ? one : .cut
  }

  private func classify(_ high: Int32, _ lanes: SIMD4<Int32>) -> Containment {
    let top = Int(high) - Int(south)
    let bottom = Int(lanes.y) - Int(south)
    let first = max(0, bottom >> Int(shift))
    let last = min(bandCount - 1, top >> Int(shift))
    guard first <= last else { return .missed }
    let state = state(first, lanes.x, -lanes.z)
    if state == State.unsure.rawValue { return .cut }
    for band in first..<last + 1 where self.state(band, lanes.x, -lanes.z) != state { return .cut }
    if state == State.outside.rawValue { return .missed }
    return bottom >= 0 && top >> Int(shift) < bandCount ? .held : .cut
  }

  /// The state all over some longitudes of a band; unsure where there is more than one.
  @inline(__always)
  private func state(_ band: Int, _ west: Int32, _ east: Int32) -> UInt32 {
    let stop = stop(band, west)
    return stop[1].longitude <= east ? State.unsure.rawValue : stop.pointee.state
  }

  /// The stretch of a band that a longitude falls into.
  @inline(__always)
  func stop(_ band: Int, _ longitude: Int32) -> UnsafePointer<Stop> {
    var low = stops + Int(starts[band])
    if starts[band + 1] &- starts[band] > 24 { low += leap(band, longitude) }
    while low[1].longitude <= longitude { low += 1 }
    return UnsafePointer(low)
  }

  /// A place in the long row of stops of a band from where the one sought is near.
  func leap(_ band: Int, _ longitude: Int32) -> Int {
    let base = stops + Int(starts[band])
    var low = 0
    var high = Int(starts[band + 1] - starts[band]) - 1
    while high - low > 4 {
      let middle = (low + high) / 2
      if base[middle].longitude <= longitude { low = middle } else { high = middle }
    }
    return low
  }
}
