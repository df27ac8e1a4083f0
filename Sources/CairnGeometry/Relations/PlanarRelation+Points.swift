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
    case .contains, .equals:
      return (0..<view.vertexCount).allSatisfy {
        view.longitude($0) == longitude && view.latitude($0) == latitude
      }
    case .touches:
      let point = PlanePoint(x: longitude, y: latitude)
      return PlanarSide.read(view) { $0.part(of: point) == .boundary }
    // A single location is inside or outside.
    case .crosses, .overlaps: return false
    }
  }

  private static func covers(_ view: GeometryView, longitude: Double, latitude: Double) -> Bool {
    guard abs(longitude) <= 180, abs(latitude) <= 90 else { return false }
    return view.isFixed
      ? PointTest<Int32>(view, longitude: longitude, latitude: latitude).isCovered(by: view)
      : PointTest<Double>(view, longitude: longitude, latitude: latitude).isCovered(by: view)
  }

  /// Returns the locations among at most 64 in fixed point that a geometry covers. The geometry is not
  /// prepared.
  ///
  /// - Parameter points: A bit for each location to test.
  package static func covered(
    _ points: UInt64, longitudesE7: UnsafePointer<Int32>, latitudesE7: UnsafePointer<Int32>,
    by view: GeometryView
  ) -> UInt64 {
    guard view.isFixed else {
      return gather(points) {
        covers(
          view, longitude: E7.degrees(longitudesE7[$0]), latitude: E7.degrees(latitudesE7[$0]))
      }
    }
    if let ring = view.onlyRing {
      return gather(points) {
        PointTest(view, longitudeE7: longitudesE7[$0], latitudeE7: latitudesE7[$0])
          .isEnclosed(by: ring) ?? true
      }
    }
    return gather(points) {
      PointTest(view, longitudeE7: longitudesE7[$0], latitudeE7: latitudesE7[$0])
        .isCovered(by: view)
    }
  }
}

extension GeometryView {
  /// The vertices of the ring of a polygon without holes; nil for any other geometry.
  @inline(__always)
  fileprivate var onlyRing: Range<Int>? {
    guard structureCount == 3, structure(0) == Int(Geometry.Kind.polygon.rawValue),
      structure(1) == 1, structure(2) > 0
    else { return nil }
    return 0..<structure(2)
  }
}

/// A coordinate as it is packed. The order of packed values is that of their degrees.
private protocol PackedCoordinate: Comparable, BitwiseCopyable {
  /// The greatest packed value that is not above a value in degrees.
  static func floor(_ degrees: Double) -> Self
  var degrees: Double { get }
  /// The side of the line from `a` to `b` on which a point lies, as `orientation` returns it; nil if
  /// the packed values do not tell.
  static func side(_ a: PackedPoint<Self>, b: PackedPoint<Self>, c: PackedPoint<Self>) -> Int?
}

/// A point as it is packed.
private struct PackedPoint<Coordinate: PackedCoordinate> {
  let x: Coordinate
  let y: Coordinate

  var degrees: PlanePoint { PlanePoint(x: x.degrees, y: y.degrees) }
}

extension Double: PackedCoordinate {
  fileprivate static func floor(_ degrees: Double) -> Double { degrees }
  fileprivate var degrees: Double { self }
  @inline(__always)
  fileprivate static func side(
    _ a: PackedPoint<Double>, b: PackedPoint<Double>, c: PackedPoint<Double>
  ) -> Int? {
    orientation(a.degrees, b: b.degrees, c: c.degrees)
  }
}

extension Int32: PackedCoordinate {
  @inline(__always)
  fileprivate static func floor(_ degrees: Double) -> Int32 {
    let near = E7.near(degrees)
    let rest = degrees * E7.perDegree - Double(near)
    // The product and a packed value in degrees are rounded by less than a millionth of a step.
    if rest > 1e-6, rest < 1 - 1e-6 { return near }
    if E7.degrees(near) > degrees { return near - 1 }
    return E7.degrees(near + 1) <= degrees ? near + 1 : near
  }

  fileprivate var degrees: Double { E7.degrees(self) }

  @inline(__always)
  fileprivate static func side(
    _ a: PackedPoint<Int32>, b: PackedPoint<Int32>, c: PackedPoint<Int32>
  ) -> Int? {
    let (run, rise) = (Int64(b.x) - Int64(a.x), Int64(b.y) - Int64(a.y))
    let (x, y) = (Int64(c.x) - Int64(a.x), Int64(c.y) - Int64(a.y))
    let reach = abs(run) + abs(rise) + abs(x) + abs(y)
    // Products of longer edges may be too large.
    guard reach < 1 << 31 else { return nil }
    let determinant = run * y - rise * x
    // A coordinate in degrees is rounded by at most 1.5e-7 of a step, so the determinant of the
    // degrees differs by less than 2^-21 of the reach.
    guard abs(determinant) > reach >> 20 else { return nil }
    return determinant > 0 ? 1 : -1
  }
}

/// A point that is compared with the edges of a packed geometry. Coordinates are compared as they
/// are packed; only edges around the point need degrees.
private struct PointTest<Coordinate: PackedCoordinate> {
  private let xs: UnsafeRawPointer
  private let ys: UnsafeRawPointer
  private let vertexCount: Int
  private let point: PlanePoint
  private let x: Coordinate
  private let y: Coordinate
  /// Whether the packed point is exactly the point.
  private let isExact: Bool

  @inline(__always)
  init(_ view: GeometryView, longitude: Double, latitude: Double) {
    assert(view.holdsCoordinates, "the coordinates are outside of the bytes")
    xs = view.longitudes
    ys = view.latitudes
    vertexCount = view.vertexCount
    point = PlanePoint(x: longitude, y: latitude)
    x = Coordinate.floor(longitude)
    y = Coordinate.floor(latitude)
    isExact = x.degrees == longitude && y.degrees == latitude
  }

  /// A point in fixed point, compared with a geometry in fixed point.
  @inline(__always)
  init(_ view: GeometryView, longitudeE7: Int32, latitudeE7: Int32)
  where Coordinate == Int32 {
    assert(view.holdsCoordinates && view.isFixed, "the coordinates are not in fixed point")
    xs = view.longitudes
    ys = view.latitudes
    vertexCount = view.vertexCount
    x = longitudeE7
    y = latitudeE7
    point = PlanePoint(x: x.degrees, y: y.degrees)
    isExact = true
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
    assert(index >= 0 && index < vertexCount, "a vertex is outside of the geometry")
    return axis.loadUnaligned(
      fromByteOffset: index &* MemoryLayout<Coordinate>.stride, as: Coordinate.self)
  }

  @inline(__always)
  private func packedVertex(_ index: Int) -> PackedPoint<Coordinate> {
    PackedPoint(x: value(xs, index), y: value(ys, index))
  }

  private func vertex(_ index: Int) -> PlanePoint { packedVertex(index).degrees }

  private func isVertex(_ index: Int) -> Bool { vertex(index) == point }

  private func isOnLine(_ vertices: Range<Int>) -> Bool {
    if vertices.count == 1 { return isVertex(vertices.lowerBound) }
    return vertices.dropLast().contains { isOnEdge($0) }
  }

  /// The side of the edge from a vertex to the next one on which the point lies: 1 left, -1 right, 0
  /// on its line.
  @inline(__always)
  private func side(ofEdge index: Int) -> Int {
    if isExact,
      let side = Coordinate.side(
        packedVertex(index), b: packedVertex(index &+ 1), c: PackedPoint(x: x, y: y))
    {
      return side
    }
    return orientation(vertex(index), b: vertex(index &+ 1), c: point)
  }

  /// Whether the point lies on the edge from a vertex to the next one.
  @inline(never)
  private func isOnEdge(_ index: Int) -> Bool {
    PlanarBox(vertex(index), b: vertex(index + 1)).contains(point) && side(ofEdge: index) == 0
  }

  /// Whether a ring goes around the point; nil if the point is on the ring.
  ///
  /// A path to the east crosses a ring around the point an odd number of times. Edges contain their
  /// southern end, but not their northern one.
  @inline(__always)
  func isEnclosed(by ring: Range<Int>) -> Bool? {
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
      if isNear {
        let side = side(ofEdge: index)
        // The line of the edge may meet the point where the edge does not.
        if side == 0, isOnEdge(index) { return nil }
        if side == (last <= y ? 1 : -1) { isInside.toggle() }
      } else if last == y || next == y {
        // The northern end of an edge may be the point, or a whole level edge around it.
        if isOnEdge(index) { return nil }
      }
      (lastX, last) = (nextX, next)
    }
    return isInside
  }
}
