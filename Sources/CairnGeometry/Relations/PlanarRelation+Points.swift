extension PlanarRelation {
  /// Whether a location in degrees has a relation to a geometry that is not prepared. Nothing holds
  /// for an empty geometry.
  ///
  /// The geometry is read in place, and each edge at most once.
  package static func holds(
    _ relation: SpatialRelation, longitude: Double, latitude: Double, to view: GeometryView
  ) -> Bool {
    guard view.vertexCount > 0, !longitude.isNaN, !latitude.isNaN else { return false }
    switch relation {
    case .within, .intersects: return covers(view, longitude: longitude, latitude: latitude)
    case .disjoint: return !covers(view, longitude: longitude, latitude: latitude)
    case .contains:
      return (0..<view.vertexCount).allSatisfy {
        view.longitude($0) == longitude && view.latitude($0) == latitude
      }
    }
  }

  private static func covers(_ view: GeometryView, longitude: Double, latitude: Double) -> Bool {
    guard abs(longitude) <= 180, abs(latitude) <= 90 else { return false }
    return view.isFixed
      ? PointTest<Int32>(view, longitude: longitude, latitude: latitude).isCovered(by: view)
      : PointTest<Double>(view, longitude: longitude, latitude: latitude).isCovered(by: view)
  }
}

/// A coordinate as it is packed. The order of packed values is that of their degrees.
private protocol PackedCoordinate: Comparable, BitwiseCopyable {
  /// The greatest packed value that is not above a value in degrees.
  static func floor(_ degrees: Double) -> Self
  var degrees: Double { get }
}

extension Double: PackedCoordinate {
  fileprivate static func floor(_ degrees: Double) -> Double { degrees }
  fileprivate var degrees: Double { self }
}

extension Int32: PackedCoordinate {
  @inline(__always)
  fileprivate static func floor(_ degrees: Double) -> Int32 {
    let near = E7.near(degrees)
    if E7.degrees(near) > degrees { return near - 1 }
    return E7.degrees(near + 1) <= degrees ? near + 1 : near
  }

  fileprivate var degrees: Double { E7.degrees(self) }
}

/// A point that is compared with the edges of a packed geometry. Coordinates are compared as they
/// are packed; only edges around the point need degrees.
private struct PointTest<Coordinate: PackedCoordinate> {
  private let xs: UnsafeRawPointer
  private let ys: UnsafeRawPointer
  private let point: PlanePoint
  private let x: Coordinate
  private let y: Coordinate

  @inline(__always)
  init(_ view: GeometryView, longitude: Double, latitude: Double) {
    xs = view.longitudes
    ys = view.latitudes
    point = PlanePoint(x: longitude, y: latitude)
    x = Coordinate.floor(longitude)
    y = Coordinate.floor(latitude)
  }

  /// Whether a part of the geometry contains the point.
  @inline(__always)
  func isCovered(by view: GeometryView) -> Bool {
    for part in view.parts {
      switch part {
      case .point(let vertex): if isVertex(vertex) { return true }
      case .line(let vertices): if isOnLine(vertices) { return true }
      case .polygon(let rings):
        var isInside = false
        for ring in rings where !ring.isEmpty {
          guard let isInRing = isEnclosed(by: ring) else { return true }
          if isInRing { isInside.toggle() }
        }
        if isInside { return true }
      }
    }
    return false
  }

  @inline(__always)
  private func value(_ axis: UnsafeRawPointer, _ index: Int) -> Coordinate {
    axis.loadUnaligned(
      fromByteOffset: index &* MemoryLayout<Coordinate>.stride, as: Coordinate.self)
  }

  private func vertex(_ index: Int) -> PlanePoint {
    PlanePoint(x: value(xs, index).degrees, y: value(ys, index).degrees)
  }

  private func isVertex(_ index: Int) -> Bool { vertex(index) == point }

  private func isOnLine(_ vertices: Range<Int>) -> Bool {
    if vertices.count == 1 { return isVertex(vertices.lowerBound) }
    return vertices.dropLast().contains { isOnEdge($0) }
  }

  /// Whether the point lies on the edge from a vertex to the next one.
  private func isOnEdge(_ index: Int) -> Bool {
    let (a, b) = (vertex(index), vertex(index + 1))
    return PlanarBox(a, b: b).contains(point) && orientation(a, b: b, c: point) == 0
  }

  /// Whether a ring goes around the point; nil if the point is on the ring.
  ///
  /// A path to the east crosses a ring around the point an odd number of times. Edges contain their
  /// southern end, but not their northern one.
  @inline(__always)
  private func isEnclosed(by ring: Range<Int>) -> Bool? {
    var isInside = false
    var (lastX, last) = (value(xs, ring.lowerBound), value(ys, ring.lowerBound))
    for index in ring.lowerBound..<ring.upperBound &- 1 {
      let (nextX, next) = (value(xs, index &+ 1), value(ys, index &+ 1))
      let crosses = (last <= y) != (next <= y)
      let isEast = min(lastX, nextX) > x
      // No branch that depends on the point, but for edges around it, because none is predictable.
      isInside = isInside != (crosses && isEast)
      // The packed point is rounded down, so it tells nothing about edges that end on its meridian.
      let isNear = crosses && !isEast && max(lastX, nextX) >= x
      // The northern end of an edge may be the point, or a whole level edge around it.
      if isNear || last == y || next == y {
        if isOnEdge(index) { return nil }
        if isNear, isEastward(index, isUpward: last <= y) { isInside.toggle() }
      }
      (lastX, last) = (nextX, next)
    }
    return isInside
  }

  /// Whether an edge crosses the parallel of the point east of it.
  @inline(never)
  private func isEastward(_ index: Int, isUpward: Bool) -> Bool {
    orientation(vertex(index), b: vertex(index + 1), c: point) == (isUpward ? 1 : -1)
  }
}
