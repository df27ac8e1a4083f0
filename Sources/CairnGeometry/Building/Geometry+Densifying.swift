extension Geometry {
  /// Returns the geometry with further vertices along its edges, so that no edge is longer than a
  /// distance.
  ///
  /// Edges are the shortest paths on the sphere, and new vertices lie on them at equal distances; two
  /// geometries with a common edge get the same ones. Edges that are straight in longitude and latitude
  /// then follow these paths. An edge from one side of the antimeridian to the other is the short one,
  /// and is cut there. Edges along a pole stay as they are, as do those of a polygon all along a
  /// parallel. The new vertices of a line have altitudes between those of its edge, and those of a
  /// polygon have none. Where rings nearly touch, they may cross afterwards.
  ///
  /// - Parameter distance: the length of the longest edge, more than 0.
  /// - Throws: ``GeometryError`` if a rule of coordinates is broken, the distance is 0 or so short that
  ///   there would be more than 50 million vertices, an edge joins antipodes, or a ring goes around a pole
  ///   without being cut at the antimeridian. GEOS is needed for polygons that are cut.
  /// - Complexity: O(*n*) in the number of vertices of the result.
  public func densified(to distance: Distance) throws(GeometryError) -> Geometry {
    guard distance.radians > 0 else {
      throw GeometryError(
        .outOfRange, message: "the longest edge has a length of 0; expected more than that")
    }
    let dense = try withView { (view) throws(GeometryError) in
      try view.checkLocations()
      try view.checkPaths()
      var rewriter = GeometryRewriter(
        view, rules: Densifying(longest: distance.radians),
        altitudes: { [$0, $0 + 360, $0 - 360] })
      return try rewriter.geometry()
    }
    return dense.withView { $0.isBeyondAntimeridian } ? try dense.wrapped() : dense
  }
}

/// The rules of additional vertices.
private struct Densifying: GeometryRules {
  private static let mostVertices = 50_000_000.0
  /// The sum of opposite unit vectors is shorter than this.
  private static let antipodal = 1e-9

  /// The length of the longest edge in radians.
  let longest: Double
  private var count = 0.0

  init(longest: Double) { self.longest = longest }

  mutating func lines(of line: PlaneLine) throws(GeometryError) -> [PlaneLine] {
    [try dense(line).line]
  }

  mutating func polygons(
    of rings: [PlaneRing], name: String
  ) throws(GeometryError) -> [[PlaneRing]] {
    var result: [PlaneRing] = []
    var outerShift: Double?
    for ring in rings {
      var line = PlaneLine()
      for (x, y) in zip(ring.xs, ring.ys) { line.append(x, y: y, altitude: nil) }
      let (dense, shift) = try dense(line)
      guard shift == 0 else {
        throw GeometryError(
          .antimeridian,
          message:
            "\(name)a ring goes around a pole; cut it at the antimeridian and lead it along the "
            + "pole", location: GeoPoint(latitude: ring.ys[0], longitude: ring.xs[0]))
      }
      var made = dense.ring
      // A hole lies in the turn of the earth where its outer ring is.
      if let west = outerShift, let least = made.xs.min() {
        if least < west { made.xs = made.xs.map { $0 + 360 } }
      }
      if outerShift == nil { outerShift = made.xs.min() }
      result.append(made)
    }
    return [result]
  }

  /// The line with further vertices, whose longitudes continue beyond 180 degrees, and the turns at its
  /// end in degrees.
  private mutating func dense(
    _ line: PlaneLine
  ) throws(GeometryError) -> (line: PlaneLine, shift: Double) {
    var dense = PlaneLine()
    var shift = 0.0
    for index in 0..<line.count {
      let (x, y) = (line.xs[index], line.ys[index])
      if index > 0 {
        let start = PlanePoint(x: line.xs[index - 1], y: line.ys[index - 1])
        let (low, high) = (line.altitudes[index - 1], line.altitudes[index])
        for stop in try stops(from: start, to: PlanePoint(x: x, y: y)) {
          let altitude = low.flatMap { low in high.map { low + stop.share * ($0 - low) } }
          let step = stop.point.x - start.x
          let turn = step > 180 ? -360.0 : step < -180 ? 360 : 0
          dense.append(stop.point.x + turn + shift, y: stop.point.y, altitude: altitude)
        }
        shift += Self.turn(from: start, to: PlanePoint(x: x, y: y))
      }
      dense.append(x + shift, y: y, altitude: line.altitudes[index])
    }
    return (dense, shift)
  }

  /// Whether an edge has no length on the sphere, or leads all along a parallel.
  private static func isLevel(from start: PlanePoint, to end: PlanePoint) -> Bool {
    start.y == end.y && (abs(start.y) == 90 || abs(start.x - end.x) == 360)
  }

  /// The degrees by which the longitudes after an edge continue, because it crosses the antimeridian.
  private static func turn(from start: PlanePoint, to end: PlanePoint) -> Double {
    let step = end.x - start.x
    guard abs(step) > 180, !isLevel(from: start, to: end) else { return 0 }
    return step > 0 ? -360 : 360
  }

  /// A new vertex in -180 ... 180 degrees, and the part of the edge before it.
  private struct Stop {
    let point: PlanePoint
    var share: Double
  }

  /// The new vertices of an edge, without its ends.
  private mutating func stops(
    from start: PlanePoint, to end: PlanePoint
  ) throws(GeometryError) -> [Stop] {
    guard start != end, !Self.isLevel(from: start, to: end) else { return [] }
    // The order of the ends must not matter.
    guard start.isBefore(end) else {
      return try stops(from: end, to: start).reversed()
        .map { Stop(point: $0.point, share: 1 - $0.share) }
    }
    let angle = Sphere.angle(
      start.y, longitude: start.x, otherLatitude: end.y, otherLongitude: end.x)
    let parts = max(1, (angle / longest).rounded(.up))
    count += parts
    guard count <= Self.mostVertices else {
      throw GeometryError(
        .outOfRange,
        message: "the longest edge is so short that the geometry would have more than 50 million "
          + "vertices")
    }
    return try stops(from: start, to: end, angle: angle, parts: Int(parts))
  }

  private func stops(
    from start: PlanePoint, to end: PlanePoint, angle: Double, parts: Int
  ) throws(GeometryError) -> [Stop] {
    if start.x == end.x || abs(start.x - end.x) == 360 {
      return (1..<parts).map { index in
        let share = Double(index) / Double(parts)
        return Stop(
          point: PlanePoint(x: start.x, y: start.y + (end.y - start.y) * share), share: share)
      }
    }
    let from = Vector(longitude: start.x, latitude: start.y)
    let to = Vector(longitude: end.x, latitude: end.y)
    guard (from + to).length > Self.antipodal else {
      throw GeometryError(
        .outOfRange,
        message:
          "an edge joins longitude \(start.x), latitude \(start.y) to its antipode, so that no "
          + "path is the shortest", location: GeoPoint(latitude: start.y, longitude: start.x))
    }
    var stops: [Stop] = []
    var last = (vector: from, longitude: start.x, share: 0.0)
    for index in 1...parts {
      let share = Double(index) / Double(parts)
      let vector =
        index == parts
        ? to : (from * sine(angle * (1 - share)) + to * sine(angle * share)).unit
      guard let longitude = index == parts ? end.x : vector.location?.longitude else { continue }
      if abs(longitude - last.longitude) > 180, abs(longitude) < 180, abs(last.longitude) < 180 {
        stops.append(Self.crossing(from: last.vector, to: vector, shares: last.share, share))
      }
      last = (vector, longitude, share)
      guard index < parts, let latitude = vector.location?.latitude else { continue }
      // Longitudes of other turns are rounded like this when they come back.
      var x = (longitude * 1e13).rounded() / 1e13
      if abs(x) == 180 { x = abs(end.x) == 180 ? end.x : abs(start.x) == 180 ? start.x : x }
      let point = PlanePoint(x: x, y: latitude)
      stops.append(Stop(point: point, share: share))
    }
    return stops
  }

  /// The vertex where an edge crosses the antimeridian.
  private static func crossing(
    from one: Vector, to other: Vector, shares first: Double, _ second: Double
  ) -> Stop {
    let part = one.y / (one.y - other.y)
    let place = one * (1 - part) + other * part
    let latitude = arcTangent(place.z, x: abs(place.x)).inDegrees
    return Stop(
      point: PlanePoint(x: 180, y: latitude), share: first + (second - first) * part)
  }
}
