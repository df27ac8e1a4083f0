/// The position of a direction relative to a polygon.
enum PolygonLocation {
  case outside
  case inside
  case boundary
}

/// A direction from which a polygon is seen, to tell whether points are in it.
///
/// A path along a great circle from a point towards the pole opposite of `axis` crosses the rings an
/// odd number of times if exactly one of its ends is inside.
struct PolygonFrame {
  /// Directions for polygons that do not fit into a cap, far from the places where maps are cut.
  private static let wideAxes = (
    Vector(x: 0.312_741, y: -0.541_137, z: 0.780_619).unit,
    Vector(x: -0.677_213, y: 0.414_907, z: 0.607_631).unit
  )

  /// The middle of the vertices, and the least cosine of the angle between it and a vertex.
  private let center: Vector
  private let leastCosine: Double
  private let axis: Vector
  /// Whether the polygon does not fit into a small cap, so that the side of a ring that is smaller
  /// has to be measured.
  private let isWide: Bool
  /// Whether the poles opposite of both wide axes are inside.
  private let parity: (Bool, Bool)

  /// Measures a polygon, whose rings' vertices follow one another.
  init(_ geometry: SphericalGeometry, chains: Range<Int>, vertices: Range<Int>) {
    var sum = Vector(x: 0, y: 0, z: 0)
    for index in vertices { sum = sum + geometry.vectors[index] }
    let middle = sum.length > 1e-9 ? sum.unit : Vector(x: 0, y: 0, z: 1)
    var least = 1.0
    for index in vertices { least = min(least, geometry.vectors[index].dot(middle)) }
    center = middle
    leastCosine = least - 1e-14
    // The coordinate axis that is farthest from the middle is at least 54 degrees away.
    isWide = least < 0.65
    let size = Vector(x: abs(middle.x), y: abs(middle.y), z: abs(middle.z))
    if size.z <= size.x, size.z <= size.y {
      axis = Vector(x: 0, y: 0, z: 1)
    } else {
      axis = size.x < size.y ? Vector(x: 1, y: 0, z: 0) : Vector(x: 0, y: 1, z: 0)
    }
    guard isWide else {
      parity = (false, false)
      return
    }
    var found = (false, false)
    for chain in chains {
      let ring = geometry.chains[chain].vertices
      if Self.containsOpposite(of: Self.wideAxes.0, ring, geometry) { found.0.toggle() }
      if Self.containsOpposite(of: Self.wideAxes.1, ring, geometry) { found.1.toggle() }
    }
    parity = found
  }

  /// Whether the smaller side of a ring contains the direction opposite of an axis.
  private static func containsOpposite(
    of axis: Vector, _ ring: Range<Int>, _ geometry: SphericalGeometry
  ) -> Bool {
    var area = 0.0
    for index in ring.dropLast() {
      let (one, other) = (geometry.vectors[index], geometry.vectors[index + 1])
      let volume = axis.dot((one - other).cross(one + other)) / 2
      area += 2 * arcTangent(volume, x: 1 + axis.dot(one) + one.dot(other) + other.dot(axis))
    }
    // The triangles between the axis and the edges never contain its opposite.
    return abs(area) > 2 * .pi
  }

  /// Where a direction lies relative to the polygon of the frame.
  @inline(__always)
  func location(
    of point: Vector, _ geometry: SphericalGeometry, vertices: Range<Int>
  ) -> PolygonLocation {
    if !isWide {
      if point.dot(center) < leastCosine { return .outside }
      return location(of: point, geometry, vertices: vertices, axis: axis, parity: false)
    }
    let isNear = abs(point.dot(Self.wideAxes.0)) > 0.99
    return location(
      of: point, geometry, vertices: vertices, axis: isNear ? Self.wideAxes.1 : Self.wideAxes.0,
      parity: isNear ? parity.1 : parity.0)
  }

  private func location(
    of point: Vector, _ geometry: SphericalGeometry, vertices: Range<Int>, axis: Vector,
    parity: Bool
  ) -> PolygonLocation {
    let meridian = axis.cross(point)
    let (vectors, roles) = (geometry.vectors, geometry.roles)
    var isInside = parity
    var before = meridian.dot(vectors[vertices.lowerBound])
    for index in vertices.lowerBound..<vertices.upperBound - 1 {
      let after = meridian.dot(vectors[index + 1])
      let crosses = (before < 0) != (after < 0)
      let isClose = min(abs(before), abs(after)) <= Arc.tolerance
      if crosses || isClose, roles[index] == .start {
        let arc = Arc(vectors[index], end: vectors[index + 1])
        if arc.contains(point) { return .boundary }
        if crosses,
          Self.crosses(arc, isEastward: before < 0, max(abs(before), abs(after)), point, axis)
        {
          isInside.toggle()
        }
      }
      before = after
    }
    return isInside ? .inside : .outside
  }
}

extension PolygonFrame {
  /// Whether an arc that crosses the meridian of a point does so on the path from the point towards
  /// the pole opposite of the axis.
  ///
  /// - Parameter distance: The distance of the farther end of the arc from the meridian.
  @inline(__always)
  private static func crosses(
    _ arc: Arc, isEastward: Bool, _ distance: Double, _ point: Vector, _ axis: Vector
  ) -> Bool {
    guard distance > Arc.tolerance else {
      // The arc lies along the meridian, where signs are rounding errors, and the point is not on it.
      let middle = arc.start + arc.end
      return middle.dot(point) > middle.dot(axis) * point.dot(axis)
        && middle.dot(axis) < 2 * point.dot(axis)
    }
    // An arc that leads east on this side of the axis crosses the path if the point is left of it.
    let direction = isEastward ? 1.0 : -1.0
    return arc.normal.dot(axis) * direction > 0 && arc.normal.dot(point) * direction > 0
  }
}

extension SphericalGeometry {
  /// Where a direction lies relative to a polygon.
  @inline(__always)
  func location(of point: Vector, polygon index: Int) -> PolygonLocation {
    let polygon = polygons[index]
    return polygon.frame.location(of: point, self, vertices: polygon.vertices)
  }

  /// Whether a direction is in a polygon or on its boundary.
  func polygonsContain(_ point: Vector) -> Bool {
    for index in 0..<polygonCount where location(of: point, polygon: index) != .outside {
      return true
    }
    return false
  }
}

extension PolygonFrame {
  /// Where a direction beside a ring lies relative to the polygon. Only the ring is looked at where
  /// that is enough.
  func location(
    of point: Vector, _ geometry: SphericalGeometry, ring: Range<Int>,
    of polygon: SphericalGeometry.Polygon
  ) -> PolygonLocation {
    guard !isWide else { return location(of: point, geometry, vertices: polygon.vertices) }
    let isInRing =
      location(of: point, geometry, vertices: ring, axis: axis, parity: false) != .outside
    let isOuter = ring.lowerBound == polygon.vertices.lowerBound
    return isInRing == isOuter ? .inside : .outside
  }
}
