/// A shape prepared for measuring distances to many geometries.
///
/// With geodesic edges, which are shortest paths, distances are angles on the sphere; the sides of a
/// box are parallels and meridians. With planar edges they are lengths in the plane of longitude and
/// latitude. Both are in radians.
package final class PreparedOrigin: Sendable {
  private enum Kind: Sendable {
    /// A location, or the disc around it; the radius is in radians.
    case disc(PointOrigin, radius: Double)
    case box(BoxOrigin)
    case shape(SphericalShape)
    /// A shape with planar edges.
    case plane(PlanarOrigin)
    /// A geometry without a vertex, from which nothing has a distance.
    case nothing
  }

  /// The number of vertices of a geometry above which it gets a tree of its own.
  private static let treeLimit = 16

  /// The shape.
  package let shape: Shape
  private let kind: Kind

  /// Prepares a shape.
  ///
  /// - Parameter edges: What joins the vertices of the shape and of geometries.
  /// - Throws: `GeometryError` if the shape is not valid, a circle in the plane, or a library that it
  ///   needs is missing.
  package init(_ shape: Shape, edges: GeoPolygon.Edges = .geodesic) throws(GeometryError) {
    self.shape = shape
    if edges == .planar {
      kind = .plane(try PlanarOrigin(shape))
      return
    }
    switch shape {
    case .box(let box): kind = .box(BoxOrigin(box))
    case .circle(let circle):
      let center = circle.center
      kind = .disc(
        PointOrigin(longitude: center.longitude, latitude: center.latitude),
        radius: circle.radiusInRadians)
    case .polygon(let polygon): kind = .shape(try SphericalShape(polygon))
    case .geometry(let geometry, _):
      kind = try geometry.withView { view throws(GeometryError) in
        if view.vertexCount == 0 { return .nothing }
        guard view.kind == .point else { return .shape(try SphericalShape(view)) }
        return .disc(
          PointOrigin(longitude: view.longitude(0), latitude: view.latitude(0)), radius: 0)
      }
    }
  }

  /// The least distance to a geometry in radians, 0 if they intersect; infinity if it is beyond
  /// `limit` or the geometry is empty.
  package func distance(to geometry: GeometryView, upTo limit: Double = .infinity) -> Double {
    guard geometry.vertexCount > 0 else { return .infinity }
    if geometry.kind == .point {
      return distance(
        longitude: geometry.longitude(0), latitude: geometry.latitude(0), upTo: limit)
    }
    switch kind {
    case .plane(let origin):
      return PlanarDistance.radians(limit) { origin.distance(to: geometry, upTo: $0) }
    case .disc(let origin, let radius):
      return Self.reduced(origin.distance(to: geometry, upTo: limit + radius), by: radius)
    case .box(let box):
      let square = box.chordSquared(to: geometry)
      return SphericalDistance.angle(chordSquared: square, upTo: limit)
    case .shape(let shape):
      let square = shape.chordSquared(
        to: geometry, below: SphericalDistance.searchLimit(limit), treeLimit: Self.treeLimit)
      return SphericalDistance.angle(chordSquared: square, upTo: limit)
    case .nothing: return .infinity
    }
  }

  /// The least distance to a location in radians; infinity if it is beyond `limit`.
  package func distance(
    longitude: Double, latitude: Double, upTo limit: Double = .infinity
  ) -> Double {
    switch kind {
    case .plane(let origin):
      return PlanarDistance.radians(limit) {
        origin.distance(longitude: longitude, latitude: latitude, upTo: $0)
      }
    case .disc(let origin, let radius):
      let angle = origin.distance(longitude: longitude, latitude: latitude, upTo: limit + radius)
      return Self.reduced(angle, by: radius)
    case .box(let box):
      let square = box.chordSquared(longitude: longitude, latitude: latitude)
      return SphericalDistance.angle(chordSquared: square, upTo: limit)
    case .shape(let shape):
      let square = shape.chordSquared(
        longitude: longitude, latitude: latitude, below: SphericalDistance.searchLimit(limit))
      return SphericalDistance.angle(chordSquared: square, upTo: limit)
    case .nothing: return .infinity
    }
  }

  private static func reduced(_ angle: Double, by radius: Double) -> Double {
    max(0, angle - radius)
  }

  /// A lower bound of the distance in radians to anything in a rectangle.
  package func lowerBound(to envelope: Envelope) -> Double {
    switch kind {
    case .plane(let origin): return origin.lowerBound(to: envelope).inRadians
    case .disc(let origin, let radius):
      return max(0, origin.lowerBound(to: envelope) - radius)
    case .box(let box): return box.lowerBound(to: envelope)
    case .shape(let shape): return shape.lowerBound(to: envelope)
    case .nothing: return .infinity
    }
  }

  /// A rectangle that contains everything up to a distance in radians.
  package func bounds(within radians: Double) -> Envelope {
    switch kind {
    case .plane(let origin): return origin.bounds(within: radians.inDegrees)
    case .disc(let origin, let radius): return origin.bounds(within: radians + radius)
    case .box(let box): return box.region.bounds.grown(by: radians)
    case .shape(let shape): return shape.bounds.grown(by: radians)
    case .nothing: return .empty
    }
  }
}

/// A location from which distances to geometries are measured.
struct PointOrigin: Sendable {
  private let longitude: Double
  private let latitude: Double
  private let origin: Origin
  private let direction: Vector

  init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
    origin = Origin(longitude: longitude, latitude: latitude)
    direction = Vector(roughLongitude: longitude, latitude: latitude)
  }

  /// The least distance to a geometry that is not a point, in radians.
  func distance(to view: GeometryView, upTo limit: Double) -> Double {
    SphericalDistance.angle(from: direction, to: view, upTo: limit)
  }

  /// The distance to a location in radians.
  func distance(longitude: Double, latitude: Double, upTo limit: Double) -> Double {
    let angle = origin.angle(longitude, latitude: latitude)
    return angle <= limit ? angle : .infinity
  }

  func lowerBound(to envelope: Envelope) -> Double {
    Sphere.angle(haversine: max(0, origin.lowerBoundHaversine(to: envelope))) * (1 - 1e-12)
  }

  func bounds(within radians: Double) -> Envelope {
    if radians < 0.2, let bounds = origin.envelope(haversine: Sphere.haversine(ofAngle: radians)) {
      return bounds
    }
    return Envelope(west: longitude, south: latitude, east: longitude, north: latitude)
      .grown(by: radians)
  }
}

extension Envelope {
  /// A rectangle that contains everything within a distance in radians of this one.
  package func grown(by radians: Double) -> Envelope {
    guard !isEmpty, radians < .infinity else { return isEmpty ? self : .world }
    // A nanoradian is more than any rounding.
    let angle = radians + 1e-9
    let (low, high) = (south - angle.inDegrees, north + angle.inDegrees)
    let narrowest = min(cosine(degrees: max(-90, south)), cosine(degrees: min(90, north)))
    let bounds = (south: max(-90, low), north: min(90, high))
    let allRound = Envelope(west: -180, south: bounds.south, east: 180, north: bounds.north)
    guard low > -90, high < 90, angle < .pi / 2, sine(angle) < narrowest else { return allRound }
    let run = arcSine(sine(angle) / narrowest).inDegrees + 1e-7
    guard west - run > -180, east + run < 180 else { return allRound }
    return Envelope(west: west - run, south: bounds.south, east: east + run, north: bounds.north)
  }
}

extension SphericalShape {
  /// The square of the least chord to a location in degrees if it is less than `best`, else `best`.
  func chordSquared(longitude: Double, latitude: Double, below best: Double) -> Double {
    if region?.contains(longitude: longitude, latitude: latitude) == true { return 0 }
    let point = Vector(roughLongitude: longitude, latitude: latitude)
    return tree.leastChordSquared(to: Arc(point, end: point), below: best)
  }

  /// The square of the least chord to a geometry that is not empty if it is less than `best`, else
  /// `best`.
  func chordSquared(to view: GeometryView, below best: Double, treeLimit: Int) -> Double {
    if region?.contains(longitude: view.longitude(0), latitude: view.latitude(0)) == true {
      return 0
    }
    return SphericalGeometry.with(view) { other in
      if side.containsChain(of: other) { return 0 }
      if other.hasPolygons,
        SphericalSide(other, of: view, questions: geometry.chainCount).containsChain(of: geometry)
      {
        return 0
      }
      if other.count > treeLimit { return tree.leastChordSquared(to: ArcTree(other), below: best) }
      var best = best
      for index in 0..<other.count where other.roles[index] != .end {
        best = tree.leastChordSquared(to: other.arc(index), below: best)
      }
      return best
    }
  }

  /// A lower bound of the distance in radians to anything in a rectangle.
  func lowerBound(to envelope: Envelope) -> Double {
    if let region, region.classify(envelope) != .disjoint { return 0 }
    return Sphere.angle(chordSquared: tree.lowerBoundChordSquared(to: SpaceBox(envelope)))
  }
}

extension ArcTree {
  /// A lower bound of the squared distance between a box and the arcs.
  func lowerBoundChordSquared(to box: SpaceBox) -> Double {
    var best = Float.infinity
    var index = 0
    while index < nodes.count {
      let distance = nodes[index].box.distanceSquared(to: box)
      if distance >= best {
        index = Int(nodes[index].next)
        continue
      }
      if nodes[index].count > 0 { best = distance }
      index += 1
    }
    return Double(best)
  }
}
