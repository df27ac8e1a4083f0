/// A box from which distances are measured. Its sides are parallels and meridians.
struct BoxOrigin: Sendable {
  /// The points in the box.
  let region: Region
  private let west: Double
  /// The difference of longitude between the sides, 0 ... 360.
  private let width: Double
  private let south: Double
  private let north: Double
  /// The western and the eastern side, each cut in its middle.
  private let sides: [Arc]

  init(_ box: GeoBox) {
    region = Region(box)
    west = box.west
    width = box.east - box.west + (box.east < box.west ? 360 : 0)
    south = box.south
    north = box.north
    let latitudes = [south, (south + north) / 2, north]
    sides = [box.west, box.east].flatMap { longitude in
      let corners = latitudes.map { Vector(longitude: longitude, latitude: $0) }
      return zip(corners, corners.dropFirst()).map { Arc($0, end: $1) }
    }
  }

  /// The square of the least chord to a location in degrees.
  func chordSquared(longitude: Double, latitude: Double) -> Double {
    let offset = longitude - west
    let turned = offset < 0 ? offset + 360 : offset
    guard turned > width else {
      let rise = max(0, south - latitude, latitude - north)
      return Sphere.chordSquared(ofAngle: rise.inRadians)
    }
    let point = Vector(roughLongitude: longitude, latitude: latitude)
    return sides.reduce(.infinity) { min($0, $1.chordSquared(to: point)) }
  }

  private func chordSquared(to point: Vector) -> Double {
    guard let location = point.location else { return .infinity }
    return chordSquared(longitude: location.longitude, latitude: location.latitude)
  }

  /// The square of the least chord to a geometry that is not empty. An arc is nearest to a parallel
  /// at an end, or where it is northernmost or southernmost.
  func chordSquared(to view: GeometryView) -> Double {
    SphericalGeometry.with(view) { geometry in
      if geometry.hasPolygons, geometry.polygonsContain(sides[0].start) { return 0 }
      var best = (0..<view.vertexCount).reduce(Double.infinity) {
        min($0, chordSquared(longitude: view.longitude($1), latitude: view.latitude($1)))
      }
      for index in 0..<geometry.count where geometry.roles[index] == .start && best > 0 {
        let arc = geometry.arc(index)
        best = sides.reduce(best) { geometry.leastChordSquared(from: index, to: $1, below: $0) }
        if let apex = arc.apex { best = min(best, chordSquared(to: apex)) }
        if meetsParallel(arc) { best = 0 }
      }
      return best
    }
  }

  /// Whether an arc meets the southern or the northern side.
  private func meetsParallel(_ arc: Arc) -> Bool {
    guard !arc.isPoint else { return false }
    let normal = arc.normal * (1 / arc.length)
    // The sine of the northernmost latitude of the arc's great circle.
    let rise = max(0, 1 - normal.z * normal.z).squareRoot()
    guard rise > Arc.tolerance else { return false }
    let top = (Vector(x: 0, y: 0, z: 1) - normal * normal.z) * (1 / rise)
    let aside = normal.cross(top)
    for latitude in [south, north] {
      let height = sine(latitude.inRadians) / rise
      guard abs(height) <= 1 else { continue }
      let shift = (1 - height * height).squareRoot()
      for point in [top * height + aside * shift, top * height - aside * shift]
      where arc.spans(point) {
        guard let offset = point.location.map({ $0.longitude - west }) else { continue }
        if (offset < 0 ? offset + 360 : offset) <= width { return true }
      }
    }
    return false
  }

  /// A lower bound of the distance in radians to anything in a rectangle.
  func lowerBound(to envelope: Envelope) -> Double {
    if region.classify(envelope) != .disjoint { return 0 }
    let square = SpaceBox(region.bounds).distanceSquared(to: SpaceBox(envelope))
    return Sphere.angle(chordSquared: Double(square))
  }
}
