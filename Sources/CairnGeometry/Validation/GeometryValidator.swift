extension Geometry {
  /// Checks the geometry against the rules of valid geometries.
  ///
  /// Every location is on the earth, and no coordinate is closer to zero than 2.2e-308. A line has
  /// two locations or more. The rings of a polygon are closed, and neither cross nor touch
  /// themselves; holes lie inside of the outer ring and outside of each other, and do not cut the
  /// inside in two. The polygons of a multipolygon neither overlap nor share an edge. Members of a
  /// collection may overlap, and lines may cross themselves. Empty geometries are valid. Unlike in
  /// the standard of the OGC, a line may have no length: devices at rest record such lines. Its
  /// relations are those of its point.
  ///
  /// - Parameter edges: the kind of line that joins neighbouring vertices. Geodesic polygons of a
  ///   multipolygon are compared with each other only if the two fit into one hemisphere.
  /// - Throws: ``GeometryError`` for the first rule that is broken, with the polygon, the ring and
  ///   the location.
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public func validate(edges: GeoPolygon.Edges = .geodesic) throws(GeometryError) {
    try withView { (view) throws(GeometryError) in try view.validate(edges: edges) }
  }

  /// Whether the geometry breaks no rule, if its edges are straight in longitude and latitude.
  /// ``validate(edges:)`` throws the rule that is broken.
  ///
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public var isValid: Bool { (try? validate(edges: .planar)) != nil }
}

extension GeometryView {
  /// Checks the geometry as ``Geometry/validate(edges:)`` does. Small valid geometries with planar
  /// edges need no memory.
  package func validate(edges: GeoPolygon.Edges) throws(GeometryError) {
    try checkLocations()
    var validator = GeometryValidator(self, edges: edges)
    try validator.run()
  }

  /// Checks that every vertex is on the earth.
  func checkLocations() throws(GeometryError) {
    for index in 0..<vertexCount {
      let (x, y) = (longitude(index), latitude(index))
      guard abs(x) <= 180, abs(y) <= 90 else {
        throw GeometryError.location(x, y: y, of: "point \(index + 1)")
      }
      // Products of such differences would be zero.
      guard !x.isSubnormal, !y.isSubnormal else {
        throw GeometryError(
          .outOfRange,
          message: "point \(index + 1): longitude \(x), latitude \(y) is too close to zero to "
            + "compute with; write 0")
      }
    }
  }

  /// The location of a vertex that is on the earth, without its altitude.
  func location(_ index: Int) -> GeoPoint? {
    GeoPoint(latitude: latitude(index), longitude: longitude(index))
  }
}

extension GeometryError {
  /// The error of a location that is not on the earth; `owner` is what has it.
  static func location(
    _ x: Double, y: Double, of owner: String, ring: Int? = nil
  ) -> GeometryError {
    let polygon = ring == nil ? nil : 0
    guard x.isFinite, y.isFinite else {
      return GeometryError(
        .notFinite, message: "\(owner): longitude \(x), latitude \(y) is not finite",
        polygon: polygon, ring: ring)
    }
    let range =
      abs(y) > 90
      ? "expected a latitude within ±90 degrees" : "expected a longitude within ±180 degrees"
    return GeometryError(
      .outOfRange,
      message: "\(owner): longitude \(x), latitude \(y) is not on the earth; \(range)",
      polygon: polygon, ring: ring)
  }
}

/// Checks the lines and polygons of a geometry whose vertices are on the earth.
struct GeometryValidator {
  private let view: GeometryView
  private let edges: GeoPolygon.Edges
  /// The next word of the structure.
  private var word = 0
  /// The next vertex.
  private var vertex = 0
  /// The number of the next polygon.
  private var polygon = 0

  init(_ view: GeometryView, edges: GeoPolygon.Edges) {
    self.view = view
    self.edges = edges
  }

  /// Checks one member after the other. In the structure, the members of a collection follow it.
  mutating func run() throws(GeometryError) {
    while word < view.structureCount {
      switch Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: view.structure(word))) {
      case .point:
        vertex += view.structure(word + 1)
        word += 2
      case .lineString: try checkLine()
      case .polygon: try checkPolygon()
      case .multiPolygon: try checkPolygons()
      case .multiPoint, .multiLineString, .geometryCollection, nil: word += 2
      }
    }
  }

  private mutating func checkLine() throws(GeometryError) {
    let count = view.structure(word + 1)
    if count == 1 {
      throw GeometryError(
        .tooFewPoints, message: "a line has 1 point; it needs at least 2",
        location: view.location(vertex))
    }
    vertex += count
    word += 2
  }

  private mutating func checkPolygon() throws(GeometryError) {
    if edges == .planar, view.structure(word + 1) == 1, isSmallAndSimple {
      vertex += view.structure(word + 2)
      word += 3
      polygon += 1
      return
    }
    let first = polygon
    if let rings = try nextPolygon() { try check([rings], first: first) }
  }

  /// Whether the next polygon is a closed small ring that is valid.
  private var isSmallAndSimple: Bool {
    let (count, start) = (view.structure(word + 2), vertex)
    guard count > 3, count <= SmallRing.maxEdges + 1,
      view.longitude(start) == view.longitude(start + count - 1),
      view.latitude(start) == view.latitude(start + count - 1)
    else { return false }
    return SmallRing.with(
      count: count,
      point: { PlanePoint(x: view.longitude(start + $0), y: view.latitude(start + $0)) },
      \.isSimple)
  }

  private mutating func checkPolygons() throws(GeometryError) {
    let (first, count) = (polygon, view.structure(word + 1))
    word += 2
    if count == 1 { return }
    var polygons: [[[GeoPoint]]] = []
    for _ in 0..<count {
      // An empty polygon takes part too, so that the others keep their numbers.
      polygons.append(try nextPolygon() ?? [])
    }
    try check(polygons, first: first)
  }

  /// The rings of the next polygon, each closed and with four points or more; nil if it is empty.
  private mutating func nextPolygon() throws(GeometryError) -> [[GeoPoint]]? {
    let count = view.structure(word + 1)
    let sizes = (0..<count).map { view.structure(word + 2 + $0) }
    word += 2 + count
    defer { polygon += 1 }
    guard sizes.contains(where: { $0 > 0 }) else { return nil }
    var rings: [[GeoPoint]] = []
    for (ring, size) in sizes.enumerated() {
      let points = (vertex..<vertex + size).compactMap(view.location)
      try GeoPolygon.check(points, polygon: polygon, ring: ring)
      vertex += size
      rings.append(points)
    }
    return rings
  }

  /// Checks the rings of polygons whose interiors must be disjoint.
  private func check(_ polygons: [[[GeoPoint]]], first: Int) throws(GeometryError) {
    let rings = Array(polygons.joined())
    switch edges {
    case .planar:
      let check = RingCheck(PlaneImage(planar: rings), ringCounts: polygons.map(\.count))
      if let fault = check.fault() { throw fault.error(polygon: first) }
    case .geodesic:
      for (index, rings) in polygons.enumerated() where !rings.isEmpty {
        let image = try PlaneImage(gnomonic: rings, polygon: first + index)
        if let simple = simple(image), simple { continue }
        let check = RingCheck(image)
        if let fault = check.fault() { throw fault.error(polygon: first + index) }
      }
      try checkPairs(of: polygons, first: first)
    }
  }

  /// Whether an image of a small ring is valid; nil if it is not small.
  private func simple(_ image: PlaneImage) -> Bool? {
    guard image.rings.count == 1, case let ring = image.rings[0],
      ring.count <= SmallRing.maxEdges + 1
    else { return nil }
    return SmallRing.with(
      count: ring.count, point: { PlanePoint(x: ring.xs[$0], y: ring.ys[$0]) }, \.isSimple)
  }

  /// Checks that valid geodesic polygons neither overlap nor share an edge.
  private func checkPairs(of polygons: [[[GeoPoint]]], first: Int) throws(GeometryError) {
    guard polygons.count > 1 else { return }
    if let image = PlaneImage(gnomonicTogether: Array(polygons.joined())) {
      let check = RingCheck(image, ringCounts: polygons.map(\.count))
      if let fault = check.fault() { throw fault.error(polygon: first) }
      return
    }
    for (one, other) in PolygonCap.neighbours(polygons) {
      guard let image = PlaneImage(gnomonicTogether: polygons[one] + polygons[other]) else {
        continue
      }
      let counts = polygons.indices.prefix(other + 1).map {
        $0 == one || $0 == other ? polygons[$0].count : 0
      }
      let check = RingCheck(image, ringCounts: counts)
      if let fault = check.fault() { throw fault.error(polygon: first) }
    }
  }
}

/// A cap of the sphere around a polygon.
private struct PolygonCap {
  let number: Int
  let center: Vector
  /// The radius in radians.
  let radius: Double
  /// The least latitude of the cap in radians.
  var south: Double { arcSine(max(-1, min(1, center.z))) - radius }
  /// The greatest latitude of the cap in radians.
  var north: Double { arcSine(max(-1, min(1, center.z))) + radius }

  init?(_ rings: [[GeoPoint]], number: Int) {
    guard let cap = SmallestCap((rings.first ?? []).map(Vector.init(_:))) else { return nil }
    self.number = number
    center = cap.center
    radius = rings[0].reduce(0) { max($0, Self.angle(cap.center, Vector($1))) } + 1e-9
  }

  private static func angle(_ one: Vector, _ other: Vector) -> Double {
    arcTangent(one.cross(other).length, x: one.dot(other))
  }

  /// The pairs of polygons whose caps meet, the first before the second.
  static func neighbours(_ polygons: [[[GeoPoint]]]) -> [(Int, Int)] {
    let caps = polygons.enumerated().compactMap { PolygonCap($1, number: $0) }
      .map { (cap: $0, south: $0.south, north: $0.north) }.sorted { $0.south < $1.south }
    var pairs: [(Int, Int)] = []
    for (index, one) in caps.enumerated() {
      for other in caps[(index + 1)...] {
        if other.south > one.north { break }
        guard angle(one.cap.center, other.cap.center) <= one.cap.radius + other.cap.radius
        else { continue }
        pairs.append(
          (min(one.cap.number, other.cap.number), max(one.cap.number, other.cap.number)))
      }
    }
    return pairs
  }
}
