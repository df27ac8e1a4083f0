extension Geometry {
  /// Returns the geometry with vertices moved to those of another one that are within a distance, and
  /// with new vertices where edges pass others of them that near.
  ///
  /// Each vertex moves to the nearest one of the other geometry. A vertex of the other geometry to which
  /// none moved is inserted into the nearest edge. Edges are straight in longitude and latitude, and none
  /// moves across the antimeridian. Lines and polygons that shrink to a point vanish, and polygons that
  /// are no longer valid are repaired.
  ///
  /// - Parameters:
  ///   - other: The geometry whose vertices stay where they are.
  ///   - distance: The greatest distance on the sphere.
  /// - Throws: ``GeometryError`` if this geometry is not valid, or if the result needs repair and GEOS is
  ///   not installed.
  /// - Complexity: O(*n* *m*) for *n* vertices of this geometry and those *m* of the other one that lie
  ///   in the box around it.
  public func snapped(to other: Geometry, within distance: Distance) throws(GeometryError)
    -> Geometry
  {
    try validate(edges: .planar)
    guard let targets = SnapTargets(other, around: self, within: distance.radians.inDegrees) else {
      return self
    }
    var builder = GeometryBuilder()
    withView { builder.append($0) }
    let used = builder.withCoordinates { xs, ys in
      var used: Set<PlanePoint> = []
      for index in xs.indices {
        let vertex = PlanePoint(x: xs[index], y: ys[index])
        guard let target = targets.nearest(to: vertex) else { continue }
        (xs[index], ys[index]) = (target.x, target.y)
        used.insert(target)
      }
      return used
    }
    let moved = builder.geometry()
    let rules = moved.withView {
      Snapping(targets.points.filter { !used.contains($0) }, into: $0, targets)
    }
    let snapped = try moved.withView { (view) throws(GeometryError) in
      var rewriter = GeometryRewriter(view, rules: rules)
      return try rewriter.geometry()
    }
    do throws(GeometryError) {
      try snapped.validate(edges: .planar)
      return snapped
    } catch {
      return try snapped.repaired()
    }
  }
}

/// The vertices that others are moved to.
private struct SnapTargets {
  let points: [PlanePoint]
  /// The greatest distance in degrees of latitude.
  let reach: Double

  /// The vertices of a geometry in the box around another one; nil without any.
  init?(_ geometry: Geometry, around other: Geometry, within reach: Double) {
    self.reach = reach
    guard let bounds = other.withView({ $0.planarBounds }) else { return nil }
    let widest = max(abs(bounds.south), abs(bounds.north)) + reach
    // A degree of longitude is shortest where the box is nearest to a pole.
    let margin = widest < 90 ? reach / cosine(degrees: widest) : 360
    var points: Set<PlanePoint> = []
    geometry.withView { view in
      for vertex in 0..<view.vertexCount {
        let point = PlanePoint(x: view.longitude(vertex), y: view.latitude(vertex))
        let isNear =
          point.x >= bounds.west - margin && point.x <= bounds.east + margin
          && point.y >= bounds.south - reach && point.y <= bounds.north + reach
        if isNear { points.insert(point) }
      }
    }
    if points.isEmpty { return nil }
    self.points = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
  }

  /// The point nearest to another one, if it is within reach.
  func nearest(to vertex: PlanePoint) -> PlanePoint? {
    var (best, found) = (reach, PlanePoint?.none)
    for point in points where abs(point.y - vertex.y) <= best {
      guard abs(point.x - vertex.x) <= 180 else { continue }
      let angle = Sphere.angle(
        vertex.y, longitude: vertex.x, otherLatitude: point.y, otherLongitude: point.x
      ).inDegrees
      if angle <= best { (best, found) = (angle, point) }
    }
    return found
  }
}

/// The rules that insert points into edges.
private struct Snapping: GeometryRules {
  /// The points to insert into each edge, in its order.
  private var inserted: [Edge: [(share: Double, point: PlanePoint)]] = [:]

  /// An edge, which rings may share, with its ends in ascending order.
  private struct Edge: Hashable {
    let start: PlanePoint
    let end: PlanePoint

    init(_ one: PlanePoint, _ other: PlanePoint) {
      (start, end) = (one.x, one.y) <= (other.x, other.y) ? (one, other) : (other, one)
    }
  }

  /// - Parameter points: The points. Each goes into the nearest edge within reach.
  init(_ points: [PlanePoint], into view: GeometryView, _ targets: SnapTargets) {
    for point in points {
      var (best, found) = (targets.reach, (edge: Edge, share: Double)?.none)
      view.forEachEdge { start, end in
        let edge = Edge(start, end)
        guard let (share, distance) = point.foot(on: edge.start, edge.end), distance <= best else {
          return
        }
        (best, found) = (distance, (edge, share))
      }
      if let found { inserted[found.edge, default: []].append((found.share, point)) }
    }
    for edge in inserted.keys { inserted[edge]?.sort { $0.share < $1.share } }
  }

  func lines(of line: PlaneLine) throws(GeometryError) -> [PlaneLine] {
    var snapped = PlaneLine()
    for index in 0..<line.count {
      let vertex = PlanePoint(x: line.xs[index], y: line.ys[index])
      if index > 0, let last = snapped.last {
        let start = PlanePoint(x: line.xs[index - 1], y: line.ys[index - 1])
        let low = line.altitudes[index - 1]
        for (share, point) in points(from: start, to: vertex) {
          let altitude = low.flatMap { low in
            line.altitudes[index].map { low + ($0 - low) * share }
          }
          snapped.append(point.x, y: point.y, altitude: altitude)
        }
        if vertex == last { continue }
      }
      snapped.append(vertex.x, y: vertex.y, altitude: line.altitudes[index])
    }
    return snapped.count > 1 ? [snapped] : []
  }

  func polygons(of rings: [PlaneRing], name: String) throws(GeometryError) -> [[PlaneRing]] {
    var snapped: [PlaneRing] = []
    for (number, ring) in rings.enumerated() {
      var line = PlaneLine()
      for (x, y) in zip(ring.xs, ring.ys) { line.append(x, y: y, altitude: nil) }
      let closed = try lines(of: line).first.map(\.ring)
      if let closed, closed.count > 3 { snapped.append(closed) } else if number == 0 { return [] }
    }
    return [snapped]
  }

  /// The points to insert into an edge, in its direction.
  private func points(
    from start: PlanePoint, to end: PlanePoint
  ) -> [(share: Double, point: PlanePoint)] {
    let edge = Edge(start, end)
    guard let points = inserted[edge] else { return [] }
    return edge.start == start ? points : points.reversed().map { (1 - $0.share, $0.point) }
  }
}

extension PlanePoint {
  /// The share of an edge at which it is nearest to the point, between its ends, and the distance in
  /// degrees of latitude; nil if an end is nearest. It is computed in the plane that touches the earth
  /// at the point.
  fileprivate func foot(on start: PlanePoint, _ end: PlanePoint) -> (
    share: Double, distance: Double
  )? {
    let scale = cosine(degrees: y)
    let (startX, startY) = ((start.x - x) * scale, start.y - y)
    let (wayX, wayY) = ((end.x - start.x) * scale, end.y - start.y)
    let square = wayX * wayX + wayY * wayY
    let share = -(startX * wayX + startY * wayY) / square
    guard share > 0, share < 1 else { return nil }
    let (footX, footY) = (startX + share * wayX, startY + share * wayY)
    return (share, (footX * footX + footY * footY).squareRoot())
  }
}

extension GeometryView {
  /// Calls `body` with the ends of each edge of lines and rings.
  fileprivate func forEachEdge(_ body: (PlanePoint, PlanePoint) -> Void) {
    func visit(_ vertices: Range<Int>) {
      for vertex in vertices.dropLast() {
        body(
          PlanePoint(x: longitude(vertex), y: latitude(vertex)),
          PlanePoint(x: longitude(vertex + 1), y: latitude(vertex + 1)))
      }
    }
    for part in parts {
      switch part {
      case .point: break
      case .line(let line): visit(line)
      case .polygon(let rings): for ring in rings { visit(ring) }
      }
    }
  }
}
