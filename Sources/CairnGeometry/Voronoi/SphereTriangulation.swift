import CairnSystem

/// The Delaunay triangulation of sites on the sphere, which is the outline of their convex hull in space:
/// no site is inside the circle through the corners of a triangle.
///
/// Sites are added one by one, in the plane of the stereographic projection from the first one: circles are
/// circles there, those through the first site lines, and its triangles are beyond the convex hull.
///
/// Sources: Charles Lawson, "Software for C1 surface interpolation" (1977), for the flips; Nina Amenta,
/// Sunghee Choi, Günter Rote, "Incremental constructions con BRIO" (2003), for the order.
struct SphereTriangulation {
  /// A triangle: its corners, anticlockwise as seen from outside, and the triangles opposite of them.
  struct Triangle {
    fileprivate(set) var corners: SIMD3<Int32>
    fileprivate(set) var neighbours: SIMD3<Int32>
  }

  private(set) var triangles: [Triangle] = []
  private let plane: SitePlane
  /// The edges that a new site may have to flip: their triangles, each with the site as a corner.
  private var open: [(triangle: Int32, site: Int32)] = []
  /// A triangle that does not have the first site, near the site that was added last.
  private var last = 0

  /// - Parameters:
  ///   - sites: At least three unit vectors, each two at least 1e-9 apart.
  ///   - codes: For each site a number whose order brings neighbours together.
  init(_ sites: [Vector], codes: [Int64]) {
    assert(sites.count > 2, "a triangle has three sites")
    plane = SitePlane(sites)
    guard sites.count > 3 else {
      triangles = [
        Triangle(corners: SIMD3(0, 1, 2), neighbours: SIMD3(repeating: 1)),
        Triangle(corners: SIMD3(0, 2, 1), neighbours: SIMD3(repeating: 0)),
      ]
      return
    }
    triangles.reserveCapacity(2 * sites.count)
    let order = Self.order(codes)
    begin(Array(order.prefix(3)))
    for site in order.dropFirst(3) { add(site) }
  }

  /// The sites but the first, in rounds of twice as many, and in each round by their codes, so that
  /// neither the search nor the number of flips grows with the number of sites.
  private static func order(_ codes: [Int64]) -> [Int32] {
    var random = SeededGenerator(seed: 0)
    let rounds = codes.map { _ in random.next().leadingZeroBitCount }
    return (1..<Int32(codes.count)).sorted { one, other in
      let (first, second) = (rounds[Int(one)], rounds[Int(other)])
      return first == second ? codes[Int(one)] < codes[Int(other)] : first > second
    }
  }

  /// Makes the tetrahedron of the first site and three others.
  private mutating func begin(_ sites: [Int32]) {
    var (b, c, d) = (sites[0], sites[1], sites[2])
    if plane.isInside(0, b, c, d) { swap(&b, &c) }
    triangles = [
      Triangle(corners: SIMD3(0, b, c), neighbours: SIMD3(3, 1, 2)),
      Triangle(corners: SIMD3(0, c, d), neighbours: SIMD3(3, 2, 0)),
      Triangle(corners: SIMD3(0, d, b), neighbours: SIMD3(3, 0, 1)),
      Triangle(corners: SIMD3(b, d, c), neighbours: SIMD3(1, 0, 2)),
    ]
    last = 3
  }

  // MARK: Search

  /// The triangle that contains a site in the plane of the projection, or beyond whose edge it is.
  private func triangle(at site: Int32) -> Int {
    var current = last
    // Rounding might lead around in a circle.
    for step in 0..<triangles.count + 64 {
      let triangle = triangles[current]
      let crossed = (0..<3).first { index in
        let side = (index + step) % 3
        // Beyond an edge is the inside of the circle through its ends and the first site.
        return plane.isInside(
          triangle.corners[(side + 2) % 3], triangle.corners[(side + 1) % 3], 0, site)
      }
      guard let crossed else { return current }
      current = Int(triangle.neighbours[(crossed + step) % 3])
      if triangles[current].corners.has(0) { return current }
    }
    return triangles.indices.first { index in
      let corners = triangles[index].corners
      return plane.isInside(corners[0], corners[1], corners[2], site)
    } ?? current
  }

  // MARK: Changes

  /// Adds a site: cuts the triangle that contains it into three, and flips edges until no site is inside
  /// a circle.
  private mutating func add(_ site: Int32) {
    let found = triangle(at: site)
    let whole = triangles[found]
    let (second, third) = (triangles.count, triangles.count + 1)
    let parts = [Int32(found), Int32(second), Int32(third)]
    for index in 0..<3 {
      // The part keeps the edge opposite of a corner, and has the site instead of this corner.
      let (next, after) = ((index + 1) % 3, (index + 2) % 3)
      let part = Triangle(
        corners: SIMD3(site, whole.corners[next], whole.corners[after]),
        neighbours: SIMD3(whole.neighbours[index], parts[next], parts[after]))
      if index == 0 { triangles[found] = part } else { triangles.append(part) }
      replaceNeighbour(of: whole.neighbours[index], Int32(found), by: parts[index])
      open.append((parts[index], site))
    }
    while let (triangle, site) = open.popLast() { flip(Int(triangle), site) }
    last = [found, second, third].first { !triangles[$0].corners.has(0) } ?? last
    if triangles[last].corners.has(0) {
      last = triangles.indices.last { !triangles[$0].corners.has(0) } ?? 0
    }
  }

  /// Replaces the edge opposite of a site, if the site is inside the circle of the triangle beyond it, by
  /// the other diagonal of the two.
  private mutating func flip(_ one: Int, _ site: Int32) {
    let (place, far) = (triangles[one].corners.index(of: site), triangles[one].neighbours)
    let other = Int(far[place])
    let corners = triangles[other].corners
    guard plane.isInside(corners[0], corners[1], corners[2], site) else { return }
    let back = triangles[other].neighbours.index(of: Int32(one))
    let apex = corners[back]
    let (from, to) = (
      triangles[one].corners[(place + 1) % 3], triangles[one].corners[(place + 2) % 3]
    )
    // The neighbours beyond the four sides of both triangles.
    let (siteTo, siteFrom) = (far[(place + 1) % 3], far[(place + 2) % 3])
    let (apexFrom, apexTo) = (
      triangles[other].neighbours[(back + 1) % 3], triangles[other].neighbours[(back + 2) % 3]
    )
    // A corner of three triangles, nearly on the circle of its neighbours, keeps them all.
    guard siteFrom != apexFrom, siteTo != apexTo else { return }
    triangles[one] = Triangle(
      corners: SIMD3(site, from, apex), neighbours: SIMD3(apexFrom, Int32(other), siteFrom))
    triangles[other] = Triangle(
      corners: SIMD3(site, apex, to), neighbours: SIMD3(apexTo, siteTo, Int32(one)))
    replaceNeighbour(of: apexFrom, Int32(other), by: Int32(one))
    replaceNeighbour(of: siteTo, Int32(one), by: Int32(other))
    open.append((Int32(one), site))
    open.append((Int32(other), site))
  }

  private mutating func replaceNeighbour(of triangle: Int32, _ old: Int32, by new: Int32) {
    let place = triangles[Int(triangle)].neighbours.index(of: old)
    triangles[Int(triangle)].neighbours[place] = new
  }
}

extension SIMD3<Int32> {
  fileprivate func has(_ number: Int32) -> Bool { x == number || y == number || z == number }

  /// The index of a number, which is one of the three.
  func index(of number: Int32) -> Int {
    assert(has(number), "the number is not one of the three")
    return x == number ? 0 : y == number ? 1 : 2
  }
}
