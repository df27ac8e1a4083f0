extension Geometry {
  /// The greatest distance of a buffer in radians. What lies within it is less than a hemisphere.
  private static let maxBuffer = 9_000_000 / Sphere.radius

  /// Returns the area within a distance of the geometry, on the sphere.
  ///
  /// Edges are straight in longitude and latitude, as they are in the result. Arcs have 64 edges in a
  /// circle: their vertices are at the distance within 0.01 %, and their edges come closer by up to
  /// 0.15 %. A buffer that crosses the antimeridian is cut there, and one around a pole reaches it
  /// along the edge of the map, as RFC 7946 requires.
  ///
  /// - Parameter distance: the distance, up to 9 000 km. A distance of 0 returns the geometry itself.
  /// - Returns: A polygon or a multipolygon; an empty geometry has itself as its buffer.
  /// - Throws: ``GeometryError`` if the geometry is not valid, the distance is too great, or GEOS is
  ///   not installed.
  public func buffer(_ distance: Distance) throws(GeometryError) -> Geometry {
    guard distance.radians <= Self.maxBuffer else {
      throw GeometryError(
        .outOfRange, message: "the buffer has a distance of \(distance); expected up to 9000 km")
    }
    try validate(edges: .planar)
    if distance.radians == 0 || isEmpty { return self }
    return try withView { (view) throws(GeometryError) in
      try SphereBuffer(view, distance: distance).geometry()
    }
  }
}

/// The area within a distance of a geometry, as the union of simple pieces: the polygons, and what
/// lies near short stretches of lines and outlines.
private struct SphereBuffer {
  /// The greatest distance of a location of a stretch from its first one, in radians: about 100 km,
  /// so that the plane is true to 0.01 %.
  private static let stretch = 0.0157
  /// The greatest distance of two locations of a line in degrees.
  private static let step = 0.2
  /// The greatest difference of their longitudes.
  private static let turn = 1.0
  /// The grid, in degrees, of the vertices of a union that fails without one: 0.1 mm.
  private static let grid = 1e-9
  /// The edges of a quarter of a circle.
  private static let quarterEdges = 16

  private let context: GEOSContext
  /// The distance in degrees.
  private let distance: Double
  private var pieces: [GEOSGeometry] = []

  init(_ view: GeometryView, distance: Distance) throws(GeometryError) {
    context = try GEOSContext()
    self.distance = distance.asDegrees()
    for part in view.parts {
      switch part {
      case .point(let vertex): try add(view.ring(vertex..<vertex + 1))
      case .line(let vertices): try add(view.ring(vertices))
      case .polygon(let rings):
        pieces.append(try GEOSGeometry.polygon(rings.map { view.ring($0) }, in: context))
        for ring in rings { try add(view.ring(ring)) }
      }
    }
  }

  /// The union of the pieces.
  func geometry() throws(GeometryError) -> Geometry {
    let all = try GEOSGeometry.collection(.collection, of: pieces, in: context)
    do throws(GeometryError) {
      return try all.unaryUnion().read()
    } catch {
      // Many pieces with nearly the same boundary may be too much for floating point.
      return try all.unaryUnion(grid: Self.grid).read()
    }
  }

  /// Adds what lies near a line, stretch by stretch.
  private mutating func add(_ line: PlaneRing) throws(GeometryError) {
    let locations = Self.locations(line)
    var start = 0
    repeat {
      let plane = Azimuthal(longitude: locations.xs[start], latitude: locations.ys[start])
      var image = PlaneRing(xs: [0], ys: [0])
      var next = start + 1
      while next < locations.count {
        let point = plane.project(longitude: locations.xs[next], latitude: locations.ys[next])
        image.append(point.x, y: point.y)
        next += 1
        if point.distance > Self.stretch.inDegrees { break }
      }
      try add(image, on: plane)
      start = next - 1
    } while start < locations.count - 1
  }

  /// The vertices of a line, with others between them so that each two neighbours are close.
  private static func locations(_ line: PlaneRing) -> PlaneRing {
    var dense = PlaneRing(xs: [line.xs[0]], ys: [line.ys[0]])
    for index in 1..<max(1, line.count) {
      let (x, y) = (line.xs[index - 1], line.ys[index - 1])
      let (east, north) = (line.xs[index] - x, line.ys[index] - y)
      let angle = Sphere.angle(
        y, longitude: x, otherLatitude: line.ys[index], otherLongitude: line.xs[index])
      let count = max(
        1, (abs(east) / turn).rounded(.up), (abs(north) / step).rounded(.up),
        (angle.inDegrees / step).rounded(.up))
      for part in stride(from: 1, to: count, by: 1) {
        dense.append(x + east * part / count, y: y + north * part / count)
      }
      dense.append(line.xs[index], y: line.ys[index])
    }
    return dense
  }

  private mutating func add(_ image: PlaneRing, on plane: Azimuthal) throws(GeometryError) {
    let near = try GEOSGeometry.line(image, in: context)
      .buffer(distance, quarterEdges: Self.quarterEdges)
    for rings in try near.polygons() {
      guard let outer = rings.first, var area = try self.area(outer, on: plane) else { continue }
      for hole in rings.dropFirst() {
        guard let hole = try self.area(hole, on: plane) else { continue }
        area = try area.difference(hole)
      }
      pieces.append(area)
    }
  }

  /// The inside of a ring of the plane, cut at the antimeridian; nil if nothing is left.
  private func area(
    _ ring: PlaneRing, on plane: Azimuthal
  ) throws(GeometryError) -> GEOSGeometry? {
    let outline = plane.outline(ring, turn: Self.turn)
    // Rounding may let edges cross that nearly touch.
    let check = RingCheck(PlaneImage(written: [outline]))
    let valid =
      check.fault() == nil
      ? [[outline]] : try GEOSPolygon([outline], in: context).madeValid()
    var parts: [GEOSGeometry] = []
    for rings in valid {
      for piece in try PolygonBuilder.cutIntoWorlds(rings) {
        parts.append(try GEOSGeometry.polygon(piece, in: context))
      }
    }
    guard !parts.isEmpty else { return nil }
    return try GEOSGeometry.collection(.multiPolygon, of: parts, in: context).unaryUnion()
  }
}

/// The projection of the sphere around a location that keeps distances and directions from it, in
/// degrees of a great circle.
private struct Azimuthal {
  private let center: Vector
  private let east: Vector
  private let north: Vector

  init(longitude: Double, latitude: Double) {
    center = Vector(longitude: longitude, latitude: latitude)
    east = Vector(x: -sine(degrees: longitude), y: cosine(degrees: longitude), z: 0)
    north = center.cross(east)
  }

  /// The image of a location, and its distance from the centre.
  func project(
    longitude: Double, latitude: Double
  ) -> (x: Double, y: Double, distance: Double) {
    let direction = Vector(longitude: longitude, latitude: latitude)
    let (x, y) = (direction.dot(east), direction.dot(north))
    let height = (x * x + y * y).squareRoot()
    guard height > 0 else { return (0, 0, 0) }
    let angle = arcTangent(height, x: direction.dot(center)).inDegrees
    return (x / height * angle, y / height * angle, angle)
  }

  /// The location of a point of the plane.
  private func location(_ x: Double, y: Double) -> (longitude: Double, latitude: Double) {
    let angle = (x * x + y * y).squareRoot()
    guard angle > 0 else { return direction(center) }
    let side = (east * x + north * y) * (1 / angle)
    return direction(center * cosine(angle.inRadians) + side * sine(angle.inRadians))
  }

  private func direction(_ vector: Vector) -> (longitude: Double, latitude: Double) {
    (
      arcTangent(vector.y, x: vector.x).inDegrees,
      arcTangent(vector.z, x: (vector.x * vector.x + vector.y * vector.y).squareRoot()).inDegrees
    )
  }

  /// A ring of the plane in longitude and latitude, with vertices between distant ones. Longitudes
  /// continue beyond 180 degrees; a ring around the pole is closed along it.
  func outline(_ ring: PlaneRing, turn: Double) -> PlaneRing {
    var outline = PlaneRing()
    var shift = 0.0
    var last: Double?
    for (x, y) in points(ring, turn: turn) {
      let (longitude, latitude) = location(x, y: y)
      if let last, longitude - last > 180 { shift -= 360 }
      if let last, longitude - last < -180 { shift += 360 }
      last = longitude
      outline.append(longitude + shift, y: latitude)
    }
    return shift == 0 ? outline : aroundPole(outline, shift: shift)
  }

  /// The points of a ring, with others between those whose longitudes differ by more than `turn`.
  private func points(_ ring: PlaneRing, turn: Double) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    for index in 0..<max(0, ring.count) {
      let end = (x: ring.xs[index], y: ring.ys[index])
      if let start = points.last {
        let step = wrapped(
          location(end.x, y: end.y).longitude - location(start.x, y: start.y).longitude)
        let length =
          ((end.x - start.x) * (end.x - start.x) + (end.y - start.y) * (end.y - start.y))
          .squareRoot()
        // The longitude turns fastest near the pole, which two points may pass on either side.
        let count = min(4096, max(1, (abs(step) / turn).rounded(.up), (2 * length).rounded(.up)))
        for part in stride(from: 1, to: count, by: 1) {
          points.append(
            (
              start.x + (end.x - start.x) * part / count,
              start.y + (end.y - start.y) * part / count
            ))
        }
      }
      points.append(end)
    }
    return points
  }

  /// A ring whose longitudes end a turn after they began, led along the antimeridian and the nearer
  /// pole.
  private func aroundPole(_ ring: PlaneRing, shift: Double) -> PlaneRing {
    let pole = center.z < 0 ? -90.0 : 90.0
    // The seam lies at the antimeridian, where the ring is cut anyway. Between its crossing that is
    // nearest to the pole and the pole, the ring does not cross it.
    let crossings = (1..<ring.count).compactMap { Self.seam(ring, vertex: $0) }
    guard
      let (crossing, seam, latitude) = crossings.min(by: {
        abs(pole - $0.latitude) < abs(pole - $1.latitude)
      })
    else { return ring }
    var result = PlaneRing(xs: [seam], ys: [latitude])
    for index in crossing..<ring.count { result.append(ring.xs[index], y: ring.ys[index]) }
    for index in 1..<crossing { result.append(ring.xs[index] + shift, y: ring.ys[index]) }
    result.append(seam + shift, y: latitude)
    result.append(seam + shift, y: pole)
    result.append(seam, y: pole)
    result.append(seam, y: latitude)
    return result
  }

  /// The longitude and latitude at which the edge to a vertex crosses the antimeridian; nil if it does
  /// not.
  private static func seam(
    _ ring: PlaneRing, vertex: Int
  ) -> (vertex: Int, seam: Double, latitude: Double)? {
    let (x, y) = (ring.xs[vertex - 1], ring.ys[vertex - 1])
    let (east, north) = (ring.xs[vertex] - x, ring.ys[vertex] - y)
    let world = ((max(x, x + east) - 180) / 360).rounded(.down)
    guard ((min(x, x + east) - 180) / 360).rounded(.down) != world else { return nil }
    let seam = world * 360 + 180
    return (vertex, seam, y + north * (seam - x) / east)
  }
}
