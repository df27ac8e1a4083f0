extension Geometry {
  /// Returns the position of this geometry that is nearest to another one, along the sphere; nil if one
  /// of them is empty. If they intersect, it is a position that both have. Edges are shortest paths.
  ///
  /// - Returns: At a vertex, it has its coordinates, also the altitude.
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public func closestPoint(to other: Geometry) -> GeoPoint? {
    nearestPositions(other)?.own
  }

  /// Returns the line from the position of this geometry that is nearest to another one to the nearest
  /// position there, along the sphere; nil if one of them is empty. If they intersect, it is a point that
  /// both have. Edges are shortest paths.
  ///
  /// A line that crosses the antimeridian is cut there.
  ///
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public func shortestLine(to other: Geometry) throws(GeometryError) -> Geometry? {
    guard let (own, other) = nearestPositions(other) else { return nil }
    if own == other { return Geometry(own) }
    // The other end is in the next turn if that is nearer, and the line is cut.
    let way = other.longitude - own.longitude
    let turn = way > 180 ? -360.0 : way < -180 ? 360 : 0
    let hasAltitudes = own.altitude != 0 || other.altitude != 0
    var builder = GeometryBuilder()
    builder.begin(.lineString)
    for (point, turn) in [(own, 0.0), (other, turn)] {
      builder.add(
        longitude: point.longitude + turn, latitude: point.latitude,
        altitude: hasAltitudes ? point.altitude : nil)
    }
    builder.end()
    return try builder.geometry().wrapped()
  }

  private func nearestPositions(_ other: Geometry) -> (own: GeoPoint, other: GeoPoint)? {
    withView { view in
      other.withView { otherView in
        guard view.vertexCount > 0, otherView.vertexCount > 0 else { return nil }
        let (own, other) = SphericalGeometry.with(view) { one in
          SphericalGeometry.with(otherView) { one.nearestPositions(to: $0) }
        }
        // A vertex inside of the other geometry is a position of both.
        let from = view.vertex(at: own) ?? otherView.vertex(at: own) ?? own.location
        let to = otherView.vertex(at: other) ?? view.vertex(at: other) ?? other.location
        guard let from, let to else { return nil }
        return (from, to)
      }
    }
  }
}

extension GeometryView {
  /// The location of the first vertex in a direction.
  fileprivate func vertex(at direction: Vector) -> GeoPoint? {
    (0..<vertexCount).first { Vector(self, index: $0).isAt(direction) }
      .flatMap { points($0..<$0 + 1).first }
  }
}

extension SphericalGeometry {
  /// The nearest directions of two geometries that are not empty.
  fileprivate func nearestPositions(to other: SphericalGeometry) -> (Vector, Vector) {
    if let common = firstVertex(of: other) ?? other.firstVertex(of: self) {
      return (common, common)
    }
    let pair = ArcTree(self).nearestArcs(to: ArcTree(other))
    return arc(pair.own).nearestPositions(to: other.arc(pair.other))
  }

  /// The first vertex of a part of another geometry that lies in a polygon of this one.
  private func firstVertex(of other: SphericalGeometry) -> Vector? {
    guard hasPolygons else { return nil }
    for chain in 0..<other.chainCount {
      let vertex = other.vectors[other.chains[chain].vertices.lowerBound]
      if polygonsContain(vertex) { return vertex }
    }
    return nil
  }
}

extension Arc {
  /// The direction on the arc that is nearest to another one.
  func nearest(to point: Vector) -> Vector {
    let (one, other) = (start.chordSquared(to: point), end.chordSquared(to: point))
    guard length > 0, Arc.isBeside(one, other, own: start.chordSquared(to: end)) else {
      return one <= other ? start : end
    }
    let unit = normal * (1 / length)
    let foot = point - unit * unit.dot(point)
    return foot.length > 0 ? foot.unit : start
  }

  /// The nearest directions of two arcs, which are the same if the arcs touch.
  fileprivate func nearestPositions(to other: Arc) -> (Vector, Vector) {
    if touches(other), let common = common(with: other) { return (common, common) }
    let pairs = [
      (start, other.nearest(to: start)), (end, other.nearest(to: end)),
      (nearest(to: other.start), other.start), (nearest(to: other.end), other.end),
    ]
    return pairs.min { $0.0.chordSquared(to: $0.1) < $1.0.chordSquared(to: $1.1) } ?? pairs[0]
  }

  /// A position of two arcs that touch.
  private func common(with other: Arc) -> Vector? {
    for end in [start, end] where other.contains(end) { return end }
    for end in [other.start, other.end] where contains(end) { return end }
    let line = normal.cross(other.normal)
    guard line.length > 0 else { return nil }
    let crossing = line.unit
    // The great circles meet at two opposite positions.
    return crossing.dot(start + end) >= 0 ? crossing : crossing * -1
  }
}
