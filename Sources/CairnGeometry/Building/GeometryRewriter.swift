/// How a rewriter changes the parts of a geometry.
protocol GeometryRules {
  /// The longitude of a point.
  mutating func point(_ longitude: Double) -> Double
  /// The lines that take the place of one.
  mutating func lines(of line: PlaneLine) throws(GeometryError) -> [PlaneLine]
  /// The polygons that take the place of one, given by its rings. `name` begins the messages.
  mutating func polygons(
    of rings: [PlaneRing], name: String
  ) throws(GeometryError) -> [[PlaneRing]]
  /// The polygons of a multipolygon, given those of its members.
  mutating func merged(_ polygons: [[PlaneRing]]) throws(GeometryError) -> [[PlaneRing]]
}

extension GeometryRules {
  func point(_ longitude: Double) -> Double { longitude }
  func lines(of line: PlaneLine) throws(GeometryError) -> [PlaneLine] { [line] }
  func merged(_ polygons: [[PlaneRing]]) throws(GeometryError) -> [[PlaneRing]] { polygons }
}

/// A line in the plane, with altitudes.
struct PlaneLine {
  private(set) var xs: [Double] = []
  private(set) var ys: [Double] = []
  private(set) var altitudes: [Double?] = []

  /// The number of vertices.
  var count: Int { xs.count }

  /// Adds a vertex.
  mutating func append(_ x: Double, y: Double, altitude: Double?) {
    xs.append(x)
    ys.append(y)
    altitudes.append(altitude)
  }

  /// Adds the vertices of another line, without its first one.
  mutating func append(contentsOf other: PlaneLine) {
    for index in 1..<max(1, other.count) {
      append(other.xs[index], y: other.ys[index], altitude: other.altitudes[index])
    }
  }

  /// The first vertex.
  var first: PlanePoint? { count > 0 ? PlanePoint(x: xs[0], y: ys[0]) : nil }

  /// The last vertex.
  var last: PlanePoint? { count > 0 ? PlanePoint(x: xs[count - 1], y: ys[count - 1]) : nil }

  /// The vertices without their altitudes.
  var ring: PlaneRing { PlaneRing(xs: xs, ys: ys) }
}

/// Writes a geometry again, member by member, with the parts that its rules make. Vertices keep their
/// altitudes, and new vertices of polygons have none.
struct GeometryRewriter<Rules: GeometryRules> {
  private let view: GeometryView
  private(set) var rules: Rules
  /// The altitudes of the vertices of polygons, by the places that they are written to.
  private let altitudes: [PlanePoint: Double]
  /// The next word of the structure.
  private var word = 0
  /// The next vertex.
  private var vertex = 0
  private var builder = GeometryBuilder()

  /// - Parameter images: The longitudes that the rules may write for one of the geometry.
  init(_ view: GeometryView, rules: Rules, altitudes images: (Double) -> [Double] = { [$0] }) {
    self.view = view
    self.rules = rules
    var altitudes: [PlanePoint: Double] = [:]
    for index in 0..<(view.hasAltitudes ? view.vertexCount : 0) {
      for x in images(view.longitude(index)) {
        let point = PlanePoint(x: x, y: view.latitude(index))
        if altitudes[point] == nil { altitudes[point] = view.altitude(index) }
      }
    }
    self.altitudes = altitudes
  }

  /// The new geometry; to be called once.
  mutating func geometry() throws(GeometryError) -> Geometry {
    try addMember()
    return builder.geometry()
  }

  private mutating func addMember() throws(GeometryError) {
    let kind = Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: view.structure(word)))
    let count = view.structure(word + 1)
    switch kind {
    case .polygon:
      add(try nextPolygon(name: ""), as: .polygon, of: .multiPolygon) { $0.add(rings: $1) }
    case .multiPolygon: try addPolygons()
    case .lineString:
      add(try nextLines(), as: .lineString, of: .multiLineString) { $0.add($1) }
    case .multiLineString:
      word += 2
      builder.begin(.multiLineString)
      for _ in 0..<count { for line in try nextLines() { add(line) } }
      builder.end()
    case .point:
      word += 2
      builder.begin(.point)
      for _ in 0..<count { addPoint() }
      builder.end()
    case .multiPoint, .geometryCollection, nil:
      word += 2
      builder.begin(kind ?? .geometryCollection)
      for _ in 0..<count { try addMember() }
      builder.end()
    }
  }

  /// Adds the parts that one member has become: none and one are of its own kind.
  private mutating func add<Part>(
    _ parts: [Part], as kind: Geometry.Kind, of several: Geometry.Kind,
    add: (inout GeometryRewriter, Part) -> Void
  ) {
    if parts.isEmpty {
      builder.begin(kind)
      builder.end()
    }
    if parts.count > 1 { builder.begin(several) }
    for part in parts { add(&self, part) }
    if parts.count > 1 { builder.end() }
  }

  private mutating func addPoint() {
    builder.add(
      longitude: rules.point(view.longitude(vertex)), latitude: view.latitude(vertex),
      altitude: view.altitude(vertex))
    vertex += 1
  }

  // MARK: Lines

  private mutating func nextLines() throws(GeometryError) -> [PlaneLine] {
    let count = view.structure(word + 1)
    word += 2
    var line = PlaneLine()
    for _ in 0..<count {
      line.append(
        view.longitude(vertex), y: view.latitude(vertex), altitude: view.altitude(vertex))
      vertex += 1
    }
    return try rules.lines(of: line)
  }

  private mutating func add(_ line: PlaneLine) {
    builder.begin(.lineString)
    for index in 0..<line.count {
      builder.add(
        longitude: line.xs[index], latitude: line.ys[index], altitude: line.altitudes[index])
    }
    builder.end()
  }

  // MARK: Polygons

  private mutating func addPolygons() throws(GeometryError) {
    let count = view.structure(word + 1)
    word += 2
    var polygons: [[PlaneRing]] = []
    for index in 0..<count {
      polygons += try nextPolygon(name: count > 1 ? "polygon \(index + 1): " : "")
    }
    builder.begin(.multiPolygon)
    for rings in try rules.merged(polygons) { add(rings: rings) }
    builder.end()
  }

  /// The polygons that the next one becomes; none if it is empty.
  private mutating func nextPolygon(name: String) throws(GeometryError) -> [[PlaneRing]] {
    let count = view.structure(word + 1)
    var rings: [PlaneRing] = []
    for index in 0..<count {
      let end = vertex + view.structure(word + 2 + index)
      rings.append(view.ring(vertex..<end))
      vertex = end
    }
    word += 2 + count
    guard rings.contains(where: { $0.count > 0 }) else { return [] }
    return try rules.polygons(of: rings, name: name)
  }

  private mutating func add(rings: [PlaneRing]) {
    builder.appendPolygon(rings, altitudes: altitudes)
  }
}
