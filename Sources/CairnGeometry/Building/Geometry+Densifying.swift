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
        let (lastX, lastY) = (line.xs[index - 1], line.ys[index - 1])
        let start = PlanePoint(x: lastX, y: lastY)
        let (low, high) = (line.altitudes[index - 1], line.altitudes[index])
        let between = try points(from: start, to: PlanePoint(x: x, y: y))
        for (part, point) in between.enumerated() {
          let share = Double(part + 1) / Double(between.count + 1)
          let altitude = low.flatMap { low in high.map { low + share * ($0 - low) } }
          let turn = point.x - lastX > 180 ? -360.0 : point.x - lastX < -180 ? 360 : 0
          dense.append(point.x + turn + shift, y: point.y, altitude: altitude)
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

  /// The new vertices of an edge, without its ends, in -180 ... 180 degrees.
  private mutating func points(
    from start: PlanePoint, to end: PlanePoint
  ) throws(GeometryError) -> [PlanePoint] {
    guard !Self.isLevel(from: start, to: end) else { return [] }
    let angle = Sphere.angle(
      start.y, longitude: start.x, otherLatitude: end.y, otherLongitude: end.x)
    let parts = (angle / longest).rounded(.up)
    guard parts > 1 else { return [] }
    count += parts
    guard count <= Self.mostVertices else {
      throw GeometryError(
        .outOfRange,
        message: "the longest edge is so short that the geometry would have more than "
          + "50 million vertices")
    }
    // The order of the ends must not matter.
    guard start.isBefore(end) else {
      return try path(from: end, to: start, angle: angle, parts: Int(parts)).reversed()
    }
    return try path(from: start, to: end, angle: angle, parts: Int(parts))
  }

  private func path(
    from start: PlanePoint, to end: PlanePoint, angle: Double, parts: Int
  ) throws(GeometryError) -> [PlanePoint] {
    let from = Vector(longitude: start.x, latitude: start.y)
    let to = Vector(longitude: end.x, latitude: end.y)
    let isMeridian = start.x == end.x
    guard isMeridian || (from + to).length > Self.antipodal else {
      throw GeometryError(
        .outOfRange,
        message:
          "an edge joins longitude \(start.x), latitude \(start.y) to its antipode, so that no "
          + "path is the shortest", location: GeoPoint(latitude: start.y, longitude: start.x))
    }
    return (1..<parts).compactMap { index in
      let part = Double(index) / Double(parts) * angle
      if isMeridian {
        let share = Double(index) / Double(parts)
        return PlanePoint(x: start.x, y: start.y + (end.y - start.y) * share)
      }
      let location = (from * sine(angle - part) + to * sine(part)).location
      return location.map { PlanePoint(x: $0.longitude, y: $0.latitude) }
    }
  }
}
