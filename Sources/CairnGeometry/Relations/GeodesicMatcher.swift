/// A circle, or a shape with geodesic edges, prepared for tests against many geometries.
final class GeodesicMatcher: Sendable {
  private enum Kind: Sendable {
    case circle(CircleMatcher)
    case shape(SphericalShape)
    /// A geometry without a vertex, which matches nothing.
    case nothing
  }

  private let kind: Kind

  /// Prepares a circle.
  init(_ circle: GeoCircle) { kind = .circle(CircleMatcher(circle)) }

  /// Prepares a polygon with geodesic edges. Throws if a ring is too short or not closed.
  init(_ polygon: GeoPolygon) throws(GeometryError) {
    kind = .shape(try SphericalShape(polygon))
  }

  /// Prepares a geometry with geodesic edges. Throws if a ring is too short or not closed.
  init(_ geometry: Geometry) throws(GeometryError) {
    kind = try geometry.withView { view throws(GeometryError) in
      view.vertexCount == 0 ? .nothing : .shape(try SphericalShape(view))
    }
  }

  /// A rectangle around the shape.
  var bounds: Envelope {
    switch kind {
    case .circle(let circle): circle.region.bounds
    case .shape(let shape): shape.bounds
    case .nothing: .empty
    }
  }

  /// The relation of the shape to a rectangle that contains a geometry. Disjoint and contained are
  /// always right.
  func classify(_ envelope: Envelope) -> Containment {
    switch kind {
    case .circle(let circle): circle.region.classify(envelope)
    case .shape(let shape): shape.classify(envelope)
    case .nothing: .disjoint
    }
  }

  /// Whether a geometry has the relation to the shape. An empty geometry has none, and no geometry has
  /// one that is defined in the plane only.
  func holds(_ relation: SpatialRelation, _ geometry: GeometryView) -> Bool {
    guard geometry.vertexCount > 0 else { return false }
    if geometry.kind == .point {
      return holds(
        relation, longitude: geometry.longitude(0), latitude: geometry.latitude(0))
    }
    switch (kind, relation) {
    case (.nothing, _), (_, .touches), (_, .crosses), (_, .overlaps), (_, .equals): return false
    case (.circle(let circle), .within): return circle.contains(geometry)
    case (.circle(let circle), .contains): return circle.isWithin(geometry)
    case (.circle(let circle), .intersects): return circle.intersects(geometry)
    case (.circle(let circle), .disjoint): return !circle.intersects(geometry)
    case (.shape(let shape), .within): return shape.covers(geometry)
    case (.shape(let shape), .contains): return shape.isCovered(by: geometry)
    case (.shape(let shape), .intersects): return shape.intersects(geometry)
    case (.shape(let shape), .disjoint): return !shape.intersects(geometry)
    }
  }

  /// Whether a location in degrees has the relation to the shape. No location has one that is defined
  /// in the plane only.
  func holds(_ relation: SpatialRelation, longitude: Double, latitude: Double) -> Bool {
    guard !relation.isPlanar else { return false }
    switch kind {
    case .nothing: return false
    case .circle(let circle):
      if relation == .contains { return circle.isWithin(longitude, latitude: latitude) }
      let isInside = circle.region.contains(longitude: longitude, latitude: latitude)
      return isInside != (relation == .disjoint)
    case .shape(let shape):
      if relation == .contains { return shape.isPoint(longitude, latitude: latitude) }
      let isInside = shape.contains(longitude, latitude: latitude)
      return isInside != (relation == .disjoint)
    }
  }
}

extension SphericalShape {
  /// Whether a location in degrees is in the shape.
  func contains(_ longitude: Double, latitude: Double) -> Bool {
    if region?.contains(longitude: longitude, latitude: latitude) == true { return true }
    guard geometry.hasLines || geometry.hasPoints else { return false }
    let point = Vector(roughLongitude: longitude, latitude: latitude)
    return touchesAny(Arc(point, end: point))
  }

  /// Whether the shape is nothing but a location in degrees.
  func isPoint(_ longitude: Double, latitude: Double) -> Bool {
    let point = Vector(roughLongitude: longitude, latitude: latitude)
    return (0..<geometry.count).allSatisfy { geometry.vectors[$0].isAt(point) }
  }

  /// Whether a geometry that is not empty has a position in common with the shape.
  func intersects(_ view: GeometryView) -> Bool {
    if region?.contains(longitude: view.longitude(0), latitude: view.latitude(0)) == true {
      return true
    }
    return SphericalGeometry.with(view) { other in
      for index in 0..<other.count where other.roles[index] != .end {
        if touchesAny(other.arc(index)) { return true }
      }
      if side.containsChain(of: other) { return true }
      guard other.hasPolygons else { return false }
      return SphericalSide(other, of: view, questions: geometry.chainCount)
        .containsChain(of: geometry)
    }
  }

  private func touchesAny(_ arc: Arc) -> Bool {
    var isFound = false
    forEachTouching(arc) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Calls `body` with the first vertex of each arc that touches another arc, until `body` returns
  /// false.
  @inline(__always)
  private func forEachTouching(_ arc: Arc, _ body: (Int) -> Bool) {
    let (vectors, roles) = (geometry.vectors, geometry.roles)
    tree.forEachLeaf(SpaceBox(arc.start, end: arc.end)) { leaf in
      var before = arc.side(of: vectors[leaf.lowerBound])
      for vertex in leaf {
        switch roles[vertex] {
        case .start:
          let after = arc.side(of: vectors[vertex + 1])
          if arc.isPoint || before * after <= 0,
            Arc(vectors[vertex], end: vectors[vertex + 1]).touches(arc)
          {
            guard body(vertex) else { return false }
          }
          before = after
        case .point:
          if arc.contains(vectors[vertex]) { guard body(vertex) else { return false } }
          fallthrough
        case .end:
          if vertex + 1 < leaf.upperBound { before = arc.side(of: vectors[vertex + 1]) }
        }
      }
      return true
    }
  }

  /// Whether no point of a geometry that is not empty lies outside of the shape.
  func covers(_ view: GeometryView) -> Bool {
    if let region, !geometry.hasLines, !geometry.hasPoints,
      !region.contains(longitude: view.longitude(0), latitude: view.latitude(0))
    {
      return false
    }
    return SphericalGeometry.with(view) { other in
      let pairs = pairs(with: other) { ArcPair(inner: $0, outer: $1) }
      let questions = pairs.count + (other.hasPolygons ? geometry.chainCount : 0)
      var coverage = Coverage(
        inner: SphericalSide(other, of: view, questions: questions), outer: side, pairs: pairs)
      return coverage.isComplete()
    }
  }

  /// Whether no point of the shape lies outside of a geometry that is not empty.
  func isCovered(by view: GeometryView) -> Bool {
    SphericalGeometry.with(view) { other in
      if !other.hasLines, !other.hasPoints, !other.polygonsContain(geometry.vectors[0]) {
        return false
      }
      let pairs = pairs(with: other) { ArcPair(inner: $1, outer: $0) }
      let questions = pairs.count + geometry.chainCount
      var coverage = Coverage(
        inner: side, outer: SphericalSide(other, of: view, questions: questions), pairs: pairs)
      return coverage.isComplete()
    }
  }

  /// The pairs of arcs that touch each other.
  private func pairs(
    with other: SphericalGeometry, _ make: (Int, Int) -> ArcPair
  ) -> [ArcPair] {
    var pairs: [ArcPair] = []
    for index in 0..<other.count where other.roles[index] != .end {
      forEachTouching(other.arc(index)) { vertex in
        pairs.append(make(index, vertex))
        return true
      }
    }
    return pairs
  }
}
