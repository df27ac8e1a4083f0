/// The least distances between geometries on the sphere, whose edges are geodesic.
package enum SphericalDistance {
  /// The number of pairs of vertices above which it pays to build trees.
  private static let treeLimit = 1024

  /// The least distance between two geometries in radians, 0 if they intersect; infinity if it is
  /// beyond `limit` or one of them is empty.
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
    let square = SphericalGeometry.with(one) { left in
      SphericalGeometry.with(other) { right in
        chordSquared(left, of: one, to: right, of: other, below: searchLimit(limit))
      }
    }
    return angle(chordSquared: square, upTo: limit)
  }

  /// The least distance between a location in degrees and a geometry in radians, 0 if they
  /// intersect; infinity if it is beyond `limit` or the geometry is empty.
  package static func between(
    longitude: Double, latitude: Double, _ view: GeometryView, upTo limit: Double = .infinity
  ) -> Double {
    guard view.vertexCount > 0 else { return .infinity }
    if view.kind == .point {
      let angle = Sphere.angle(
        latitude, longitude: longitude, otherLatitude: view.latitude(0),
        otherLongitude: view.longitude(0))
      return angle <= limit ? angle : .infinity
    }
    let point = Vector(roughLongitude: longitude, latitude: latitude)
    return angle(from: point, to: view, upTo: limit)
  }

  /// The least angle between a direction and a geometry, 0 if they intersect; infinity if it is
  /// beyond `limit`.
  static func angle(from point: Vector, to view: GeometryView, upTo limit: Double) -> Double {
    let square = chordSquared(from: point, to: view, below: searchLimit(limit))
    guard square > farSquare, square < .infinity else {
      return angle(chordSquared: square, upTo: limit)
    }
    let angle = .pi - angleOfFarthestVertex(from: point * -1, of: view)
    return angle <= limit ? angle : .infinity
  }

  /// The squared chord beyond which angles are computed from the antipode, where a chord has few
  /// digits left.
  private static let farSquare = 3.6

  /// The angle from a direction to the farthest vertex of a geometry. No location of a geometry
  /// within a cap of less than a quarter turn is farther from its centre than every vertex.
  private static func angleOfFarthestVertex(from point: Vector, of view: GeometryView) -> Double {
    let square = (0..<view.vertexCount).reduce(0.0) { greatest, vertex in
      let location = Vector(
        roughLongitude: view.longitude(vertex), latitude: view.latitude(vertex))
      return max(greatest, location.chordSquared(to: point))
    }
    return Sphere.angle(chordSquared: square)
  }

  /// The squared chord up to which a search goes for distances up to `limit`.
  static func searchLimit(_ limit: Double) -> Double {
    limit >= .pi ? .infinity : Sphere.chordSquared(ofAngle: limit) * (1 + 1e-9) + 1e-28
  }

  /// The angle of a squared chord; infinity if it is beyond `limit`.
  static func angle(chordSquared square: Double, upTo limit: Double) -> Double {
    guard square < .infinity else { return .infinity }
    // Positions that are the same have no distance.
    if square <= Arc.tolerance * Arc.tolerance { return 0 }
    let angle = Sphere.angle(chordSquared: square)
    return angle <= limit ? angle : .infinity
  }

  /// The square of the least chord from a direction to a geometry if it is less than `best`, else
  /// `best`.
  static func chordSquared(from point: Vector, to view: GeometryView, below best: Double) -> Double
  {
    SphericalGeometry.with(view) { geometry in
      if geometry.hasPolygons, geometry.polygonsContain(point) { return 0 }
      return geometry.leastChordSquared(of: 0..<geometry.count, to: point, below: best)
    }
  }

  private static func chordSquared(
    _ one: SphericalGeometry, of view: GeometryView, to other: SphericalGeometry,
    of otherView: GeometryView, below best: Double
  ) -> Double {
    let sides = (
      SphericalSide(one, of: view, questions: other.chainCount),
      SphericalSide(other, of: otherView, questions: one.chainCount)
    )
    if sides.0.containsChain(of: other) || sides.1.containsChain(of: one) { return 0 }
    if one.count * other.count > treeLimit {
      return ArcTree(one).leastChordSquared(to: ArcTree(other), below: best)
    }
    var best = best
    for index in 0..<one.count where one.roles[index] != .end {
      let arc = one.arc(index)
      for pair in 0..<other.count where other.roles[pair] != .end {
        best = other.leastChordSquared(from: pair, to: arc, below: best)
      }
    }
    return best
  }
}

extension SphericalGeometry {
  /// The square of the least chord from a direction to the arcs of some vertices if it is less than
  /// `best`, else `best`.
  @inline(__always)
  func leastChordSquared(of vertices: Range<Int>, to point: Vector, below best: Double) -> Double {
    var best = best
    var before = vectors[vertices.lowerBound].chordSquared(to: point)
    for index in vertices.lowerBound..<vertices.upperBound - 1 {
      best = min(best, before)
      let (start, end) = (vectors[index], vectors[index + 1])
      let after = end.chordSquared(to: point)
      if roles[index] == .start, Arc.isBeside(before, after, own: start.chordSquared(to: end)) {
        best = min(
          best, Arc(start, end: end).chordSquared(to: point, fromStart: before, fromEnd: after))
      }
      before = after
    }
    return min(best, before)
  }
}

extension Geometry {
  /// Returns the least distance to another geometry along the sphere, 0 if they intersect; nil if
  /// one of them is empty. Edges are shortest paths.
  ///
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public func distance(to other: Geometry) -> Distance? {
    let radians = withView { one in
      other.withView { SphericalDistance.between(one, $0) }
    }
    return radians < .infinity ? Distance(validRadians: radians) : nil
  }
}
