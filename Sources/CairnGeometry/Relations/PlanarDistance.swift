/// The least distances between geometries in the plane of longitude and latitude, whose edges are
/// straight there. They are in degrees.
package enum PlanarDistance {
  /// The least distance between a location and a geometry, 0 if they intersect; infinity if it is
  /// beyond `limit` or the geometry is empty.
  ///
  /// The geometry is read in place, and each edge once.
  package static func between(
    longitude: Double, latitude: Double, _ view: GeometryView, upTo limit: Double = .infinity
  ) -> Double {
    guard view.vertexCount > 0 else { return .infinity }
    let square =
      view.isFixed
      ? PlanarPointSearch(view, x: longitude, y: latitude, isFixed: true).run(view)
      : PlanarPointSearch(view, x: longitude, y: latitude, isFixed: false).run(view)
    return root(square, upTo: limit)
  }

  /// The least distance between two geometries, 0 if they intersect; infinity if it is beyond `limit`
  /// or one of them is empty.
  package static func between(
    _ one: GeometryView, _ other: GeometryView, upTo limit: Double = .infinity
  ) -> Double {
    guard one.vertexCount > 0, other.vertexCount > 0 else { return .infinity }
    if one.kind == .point {
      return between(
        longitude: one.longitude(0), latitude: one.latitude(0), other, upTo: limit)
    }
    if other.kind == .point {
      return between(
        longitude: other.longitude(0), latitude: other.latitude(0), one, upTo: limit)
    }
    return PlanarSide.read(one) { one in
      PlanarSide.read(other) { other in
        root(one.distanceSquared(to: other, below: searchLimit(limit)), upTo: limit)
      }
    }
  }

  /// A distance in radians; infinity if it is beyond `limit`.
  ///
  /// - Parameter measure: Returns the distance in degrees up to a limit in degrees.
  @inline(__always)
  static func radians(_ limit: Double, _ measure: (Double) -> Double) -> Double {
    let radians = measure(limit.inDegrees * (1 + 1e-12)).inRadians
    return radians <= limit ? radians : .infinity
  }

  /// The square up to which a search goes for distances up to `limit`.
  static func searchLimit(_ limit: Double) -> Double { limit * limit * (1 + 1e-12) + 1e-300 }

  /// The root of a squared distance; infinity if it is beyond `limit`.
  static func root(_ square: Double, upTo limit: Double) -> Double {
    let distance = square.squareRoot()
    return distance <= limit ? distance : .infinity
  }
}

extension PlanePoint {
  /// The square of the distance to another point.
  @inline(__always)
  func distanceSquared(to other: PlanePoint) -> Double {
    let (across, along) = (x - other.x, y - other.y)
    return across * across + along * along
  }

  /// The square of the distance to the edge between two points, which may be equal.
  @inline(__always)
  func distanceSquared(toEdge start: PlanePoint, end: PlanePoint) -> Double {
    let (x, y) = (start.x - self.x, start.y - self.y)
    let (run, rise) = (end.x - start.x, end.y - start.y)
    let length = run * run + rise * rise
    let part = length > 0 ? min(max(-(x * run + y * rise) / length, 0), 1) : 0
    let (across, along) = (x + part * run, y + part * rise)
    return across * across + along * along
  }
}

/// A search for the least distance between a location and the edges of a packed geometry.
private struct PlanarPointSearch {
  private let point: PlanePoint
  private let xs: UnsafeRawPointer
  private let ys: UnsafeRawPointer
  private let vertexCount: Int
  private let isFixed: Bool
  private var best = Double.infinity

  @inline(__always)
  init(_ view: GeometryView, x: Double, y: Double, isFixed: Bool) {
    point = PlanePoint(x: x, y: y)
    assert(view.holdsCoordinates, "the coordinates are outside of the bytes")
    (xs, ys) = (view.longitudes, view.latitudes)
    vertexCount = view.vertexCount
    self.isFixed = isFixed
  }

  /// The square of the least distance, 0 in a polygon.
  @inline(__always)
  func run(_ view: GeometryView) -> Double {
    var search = self
    for part in view.parts {
      switch part {
      case .point(let index): search.visit(index..<index + 1)
      case .line(let vertices): search.visit(vertices)
      case .polygon(let rings):
        var isInside = false
        for ring in rings where !ring.isEmpty {
          if search.visit(ring) { isInside.toggle() }
        }
        if isInside { return 0 }
      }
      if search.best == 0 { return 0 }
    }
    return search.best
  }

  @inline(__always)
  private func vertex(_ index: Int) -> PlanePoint {
    assert(index >= 0 && index < vertexCount, "a vertex is outside of the geometry")
    return PlanePoint(
      x: GeometryView.coordinate(xs, index: index, isFixed: isFixed),
      y: GeometryView.coordinate(ys, index: index, isFixed: isFixed))
  }

  /// Measures the edges of a chain. Returns whether a path to the east crosses an odd number of
  /// them.
  @inline(__always) @discardableResult
  private mutating func visit(_ vertices: Range<Int>) -> Bool {
    var start = vertex(vertices.lowerBound)
    if vertices.count == 1 { best = min(best, point.distanceSquared(to: start)) }
    var isInside = false
    for index in vertices.dropFirst() {
      let end = vertex(index)
      best = min(best, point.distanceSquared(toEdge: start, end: end))
      // Only edges that reach the point's parallel and do not lie west of it matter.
      if min(start.y, end.y) <= point.y, point.y <= max(start.y, end.y),
        point.x <= max(start.x, end.x)
      {
        let (low, high) = start.y <= end.y ? (start, end) : (end, start)
        let way = orientation(low, b: high, c: point)
        if way == 0, PlanarBox(start, b: end).contains(point) { best = 0 }
        if way > 0, point.y < high.y { isInside.toggle() }
      }
      start = end
    }
    return isInside
  }
}

// MARK: Sides

extension PlanarSide {
  /// The square of the least distance to another side if it is less than `best`, else `best`.
  func distanceSquared(to other: PlanarSide, below best: Double) -> Double {
    if PlanarRelation.intersect(self, other: other) { return 0 }
    // Sides that are apart are nearest at a vertex of one of them.
    let found = other.leastSquare(toVerticesOf: self, below: best)
    return leastSquare(toVerticesOf: other, below: found)
  }

  private func leastSquare(toVerticesOf other: PlanarSide, below best: Double) -> Double {
    var best = best
    for vertex in 0..<other.vertexCount {
      let point = other.point(vertex)
      if bounds.distanceSquared(to: PlanarBox(point, b: point)) < best {
        best = leastSquare(to: point, below: best)
      }
    }
    return best
  }

  /// The square of the least distance from a point to the edges and points if it is less than `best`,
  /// else `best`.
  func leastSquare(to point: PlanePoint, below best: Double) -> Double {
    guard let tree else { return leastSquare(to: point, vertices: 0..<vertexCount, below: best) }
    return tree.least(near: PlanarBox(point, b: point), below: best) { leaf, best in
      leastSquare(
        to: point, vertices: leaf.vertices.clamped(to: 0..<vertexCount), below: best)
    }
  }

  @inline(__always)
  private func leastSquare(
    to point: PlanePoint, vertices: Range<Int>, below best: Double
  ) -> Double {
    var best = best
    for vertex in vertices {
      let start = self.point(vertex)
      if isEdge(vertex) {
        best = min(best, point.distanceSquared(toEdge: start, end: self.point(vertex + 1)))
      } else if chain(vertex).pointee.vertices.count == 1 {
        best = min(best, point.distanceSquared(to: start))
      }
    }
    return best
  }

  /// A lower bound of the square of the distance from a rectangle to the edges and points.
  func lowerBoundSquared(to box: PlanarBox) -> Double {
    guard let tree else { return bounds.distanceSquared(to: box) }
    return tree.least(near: box, below: .infinity) { leaf, best in
      min(best, leaf.box.distanceSquared(to: box))
    }
  }
}

extension PlanarBox {
  /// The square of the distance to another rectangle, or a little less.
  @inline(__always)
  func distanceSquared(to other: PlanarBox) -> Double {
    // The gap to the west of this rectangle, to the south, to the east and to the north.
    let limits = SIMD4(-other.lanes.z, -other.lanes.w, -other.lanes.x, -other.lanes.y)
    let gaps = lanes - limits
    let (across, along) = (max(0, max(gaps.x, gaps.z)), max(0, max(gaps.y, gaps.w)))
    return (across * across + along * along) * (1 - 1e-12)
  }
}

// MARK: Either kind of edges

extension GeoPolygon.Edges {
  /// The distance between two locations in radians: on the sphere, or with planar edges in the plane.
  @inline(__always)
  package func distance(
    longitude: Double, latitude: Double, otherLongitude: Double, otherLatitude: Double
  ) -> Double {
    guard self == .planar else {
      return Sphere.angle(
        latitude, longitude: longitude, otherLatitude: otherLatitude,
        otherLongitude: otherLongitude)
    }
    let (x, y) = (longitude - otherLongitude, latitude - otherLatitude)
    return (x * x + y * y).squareRoot().inRadians
  }

  /// The least distance between a location and a geometry in radians, 0 if they intersect; infinity
  /// if it is beyond `limit` or the geometry is empty.
  package func distance(
    longitude: Double, latitude: Double, _ view: GeometryView, upTo limit: Double = .infinity
  ) -> Double {
    self == .geodesic
      ? SphericalDistance.between(longitude: longitude, latitude: latitude, view, upTo: limit)
      : PlanarDistance.radians(limit) {
        PlanarDistance.between(longitude: longitude, latitude: latitude, view, upTo: $0)
      }
  }

  /// The least distance between two geometries in radians, 0 if they intersect; infinity if it is
  /// beyond `limit` or one of them is empty.
  package func distance(
    _ view: GeometryView, _ other: GeometryView, upTo limit: Double = .infinity
  ) -> Double {
    self == .geodesic
      ? SphericalDistance.between(view, other, upTo: limit)
      : PlanarDistance.radians(limit) { PlanarDistance.between(view, other, upTo: $0) }
  }
}

extension Envelope {
  /// A rectangle that contains everything up to a distance in radians from this one: on the sphere,
  /// or with planar edges in the plane.
  package func grown(by radians: Double, edges: GeoPolygon.Edges) -> Envelope {
    edges == .geodesic
      ? grown(by: radians) : grown(byDegrees: radians.inDegrees * (1 + 1e-12))
  }
}
