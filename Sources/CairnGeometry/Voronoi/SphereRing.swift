/// A ring on the sphere, cut at the antimeridian and at the poles.
///
/// Its stretches between two cuts are joined along the edges of the map, on which longitudes and latitudes
/// are a rectangle. No coordinate is computed, so that rings with common vertices have them afterwards, too.
struct SphereRing {
  /// A stretch of the ring between two points on the edges of the map, or the whole ring.
  private var stretches: [[PlanePoint]] = []

  /// - Parameter locations: The vertices, anticlockwise as seen from outside, so that the area is on the
  ///   left: a point at a pole has the longitude 0, and one on the antimeridian 180. Where the ring
  ///   crosses the antimeridian or a pole, it has a vertex. No edge is a half turn of longitudes or more.
  init(_ locations: [PlanePoint]) {
    for index in locations.indices {
      add(from: locations[index], to: locations[(index + 1) % locations.count])
    }
    // The last stretch may go on in the first one.
    if stretches.count > 1, let end = stretches.last?.last, end == stretches[0].first {
      stretches[0] = stretches.removeLast() + stretches[0].dropFirst()
    }
  }

  private mutating func add(from start: PlanePoint, to end: PlanePoint) {
    guard start != end else { return }
    let (from, to) = Self.onMap(start, end)
    if stretches.last?.last == from {
      stretches[stretches.count - 1].append(to)
    } else {
      stretches.append([from, to])
    }
  }

  /// An edge on the map, where the antimeridian is on either side, and a pole has all longitudes.
  private static func onMap(
    _ start: PlanePoint, _ end: PlanePoint
  ) -> (from: PlanePoint, to: PlanePoint) {
    // The area is west of an edge to the north, and east of one to the south.
    let seam: Double = end.y > start.y ? 180 : -180
    func isPole(_ point: PlanePoint) -> Bool { abs(point.y) == 90 }
    func longitude(_ point: PlanePoint, beside other: PlanePoint) -> Double {
      if isPole(point), !isPole(other) { return longitude(other, beside: point) }
      guard point.x == 180 else { return point.x }
      return isPole(other) || other.x == 180 ? seam : other.x < 0 ? -180 : 180
    }
    return (
      PlanePoint(x: longitude(start, beside: end), y: start.y),
      PlanePoint(x: longitude(end, beside: start), y: end.y)
    )
  }

  /// The polygons of the area, each with its outer ring first.
  var polygons: [[PlaneRing]] {
    guard stretches.count > 1 || stretches.first?.first != stretches.first?.last else {
      return Self.polygons(whole: stretches.first ?? [])
    }
    var rest = Set(stretches.indices)
    var polygons: [[PlaneRing]] = []
    while let first = rest.min() {
      var (ring, current) = ([PlanePoint](), first)
      repeat {
        rest.remove(current)
        ring += stretches[current]
        let (next, corners) = next(after: current)
        ring += corners
        current = next
      } while current != first && rest.contains(current)
      if let closed = Self.closed(ring) { polygons.append([closed]) }
    }
    return polygons
  }

  /// The polygons of a ring that is not cut: its inside, or all of the map but that.
  private static func polygons(whole ring: [PlanePoint]) -> [[PlaneRing]] {
    guard let closed = closed(ring) else { return [] }
    return closed.signedArea > 0 ? [[closed]] : [[world, closed]]
  }

  /// The edges of the map.
  static let world = PlaneRing(xs: [-180, 180, 180, -180, -180], ys: [-90, -90, 90, 90, -90])

  /// The stretch that begins first after the end of another one, along the edges of the map, and the
  /// corners of the map in between.
  private func next(after stretch: Int) -> (next: Int, corners: [PlanePoint]) {
    let end = stretches[stretch].last.map(Self.position) ?? 0
    func way(_ position: Double) -> Double {
      position >= end ? position - end : position - end + Self.length
    }
    let ways = stretches.map { way($0.first.map(Self.position) ?? 0) }
    let next = ways.indices.min { ways[$0] < ways[$1] } ?? stretch
    let corners = (0..<4).map { PlanePoint(x: Self.world.xs[$0], y: Self.world.ys[$0]) }
      .map { (way: way(Self.position($0)), corner: $0) }
      .filter { $0.way > 0 && $0.way < ways[next] }.sorted { $0.way < $1.way }
    return (next, corners.map(\.corner))
  }

  /// The length of the edges of the map in degrees.
  private static let length = 1080.0

  /// The way along the edges of the map to a point on them, anticlockwise from the corner in the
  /// south-west.
  private static func position(_ point: PlanePoint) -> Double {
    if point.y == -90 { return point.x + 180 }
    if point.y == 90 { return 720 - point.x }
    return point.x == 180 ? 450 + point.y : 990 - point.y
  }

  /// A ring without repeated vertices, closed; nil without an area.
  private static func closed(_ points: [PlanePoint]) -> PlaneRing? {
    var ring = PlaneRing()
    for point in points where ring.xs.last != point.x || ring.ys.last != point.y {
      ring.append(point.x, y: point.y)
    }
    if !ring.isClosed, let first = points.first { ring.append(first.x, y: first.y) }
    return ring.count > 3 && ring.signedArea != 0 ? ring : nil
  }
}
