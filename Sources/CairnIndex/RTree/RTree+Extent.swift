internal import CairnGeometry

extension RTree {
  /// The least rectangle that holds all points, in degrees; nil without points.
  ///
  /// Envelopes are rounded outwards, so the points that set an edge are looked at: those of few leaves.
  package func extent() -> (west: Double, south: Double, east: Double, north: Double)? {
    guard count > 0 else { return nil }
    let first = point(at: 0)
    var found = (
      west: first.longitude, south: first.latitude, east: first.longitude, north: first.latitude
    )
    var pending = [(level: levels.height - 1, index: 0)]
    while let (level, index) = pending.popLast() {
      let node = levels.node(level, index).pointee
      if node.west >= found.west, node.south >= found.south, node.east <= found.east,
        node.north <= found.north
      {
        continue
      }
      guard level == 0 else {
        let children = index * Self.fanOut..<(index + 1) * Self.fanOut
        pending += children.prefix { $0 < nodeCount(level - 1) }.map { (level - 1, $0) }
        continue
      }
      for position in positions(0, index) {
        let (longitude, latitude) = point(at: position)
        found.west = min(found.west, longitude)
        found.south = min(found.south, latitude)
        found.east = max(found.east, longitude)
        found.north = max(found.north, latitude)
      }
    }
    return found
  }
}
