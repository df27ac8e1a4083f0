package import CairnGeometry

/// The distances of points from a location on the sphere. Distances are in radians; keys are those of
/// ``Sphere/distanceKey(haversine:antipode:)``.
package struct PointDistances: DistanceMeasure {
  private let origin: Origin
  private let isIncluded: ((Int) -> Bool)?
  /// A rectangle around everything within the limit, once there is one, and the limit that it was
  /// created for.
  private var window: Envelope?
  private var windowKey = Double.infinity

  /// Prepares the distances.
  ///
  /// - Parameter isIncluded: Whether the point at a position is a candidate; nil if all are.
  package init(from origin: Origin, isIncluded: ((Int) -> Bool)? = nil) {
    self.origin = origin
    self.isIncluded = isIncluded
  }

  package mutating func bound(of envelope: Envelope, upTo limit: Double) -> Double {
    updateWindow(limit)
    if let window, !window.intersects(envelope) { return .infinity }
    return origin.lowerBoundKey(to: envelope)
  }

  package mutating func open(
    _ leaf: Int, of block: PointBlock, first: Int, into search: inout NearestSearch
  ) {
    updateWindow(search.limit)
    let range = block.range(ofLeaf: leaf)
    guard let window, block.isFixed, range.count == TreeNodes.leafSize else {
      for index in 0..<range.count {
        add(first + index, block.point(at: range.lowerBound + index), to: &search)
      }
      return
    }
    var near = window.select(
      longitudesE7: block.longitudesE7 + range.lowerBound,
      latitudesE7: block.latitudesE7 + range.lowerBound)
    while near != 0 {
      let index = near.trailingZeroBitCount
      near &= near &- 1
      add(first + index, block.point(at: range.lowerBound + index), to: &search)
    }
  }

  @inline(__always)
  private func add(
    _ position: Int, _ point: (longitude: Double, latitude: Double),
    to search: inout NearestSearch
  ) {
    guard
      let key = origin.distanceKey(
        point.longitude, latitude: point.latitude, upTo: search.limit)
    else { return }
    if let isIncluded, !isIncluded(position) { return }
    search.add(position, key: key)
  }

  package func distance(ofKey key: Double) -> Double { Sphere.angle(distanceKey: key) }

  private mutating func updateWindow(_ limit: Double) {
    guard limit < windowKey else { return }
    windowKey = limit
    window = origin.envelope(haversine: limit)
  }
}
