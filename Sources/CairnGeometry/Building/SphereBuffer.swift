/// The area within a distance of geometries, as the union of simple pieces: the polygons, and what
/// lies near short stretches of lines and outlines.
struct SphereBuffer {
  /// The greatest distance of a location of a stretch from its first one, in radians: about 100 km,
  /// so that the plane is true to 0.01 %.
  private static let stretch = 0.0157
  /// The greatest difference of the longitudes of two neighbours in the outline of a piece.
  private static let turn = 1.0

  let context: GEOSContext
  /// The distance in degrees.
  private let distance: Double
  private let style: BufferStyle
  /// The greatest distance of edges near a pole from the shortest path in degrees.
  private var tolerance: Double { distance * 5e-4 }
  private var pieces: [GEOSGeometry] = []

  init(distance: Distance, style: BufferStyle) throws(GeometryError) {
    context = try GEOSContext()
    self.distance = distance.asDegrees()
    self.style = style
  }

  /// The union of the pieces; nil without any.
  func union() throws(GeometryError) -> GEOSGeometry? {
    guard !pieces.isEmpty else { return nil }
    return try GEOSGeometry.collection(.collection, of: pieces, in: context).robustUnion()
  }

  /// Adds a geometry.
  mutating func add(_ view: GeometryView) throws(GeometryError) {
    for part in view.parts {
      switch part {
      case .point(let vertex): try add(point: view.ring(vertex..<vertex + 1))
      case .line(let vertices):
        let line = view.ring(vertices)
        if style.cap == .round, style.join == .round {
          try add(line)
        } else {
          try add(styled: line)
        }
      case .polygon(let rings):
        pieces.append(try GEOSGeometry.polygon(rings.map { view.ring($0) }, in: context))
        if style.join == .round { for ring in rings { try add(view.ring(ring)) } }
      }
    }
    guard style.join != .round else { return }
    for outline in view.earthOutlines { try add(outline) }
  }

  /// Adds what lies near a point.
  private mutating func add(
    point: PlaneRing, cap: BufferStyle.Cap? = nil
  ) throws(GeometryError) {
    var style = style
    style.cap = cap ?? style.cap
    let plane = Azimuthal(longitude: point.xs[0], latitude: point.ys[0])
    let image = try GEOSGeometry.line(PlaneRing(xs: [0], ys: [0]), in: context)
    try add(image.buffer(distance, style: style), on: plane)
  }

  /// Adds what lies near a line, stretch by stretch, with arcs at its ends and corners.
  mutating func add(_ line: PlaneRing) throws(GeometryError) {
    let locations = DenseLine(line, tolerance: tolerance).locations
    var round = style
    (round.cap, round.join) = (.round, .round)
    var start = 0
    repeat {
      let plane = Azimuthal(longitude: locations.xs[start], latitude: locations.ys[start])
      var image = PlaneRing(xs: [0], ys: [0])
      var next = start + 1
      while next < locations.count {
        let point = plane.project(longitude: locations.xs[next], latitude: locations.ys[next])
        image.append(point.x, y: point.y)
        next += 1
        if point.distance > Self.stretch.inDegrees { break }
      }
      try add(GEOSGeometry.line(image, in: context).buffer(distance, style: round), on: plane)
      start = next - 1
    } while start < locations.count - 1
  }

  /// Adds the area of a buffer in a plane.
  private mutating func add(_ near: GEOSGeometry, on plane: Azimuthal) throws(GeometryError) {
    for rings in try near.polygons() {
      guard let outer = rings.first, var area = try self.area(outer, on: plane) else { continue }
      for hole in rings.dropFirst() {
        guard let hole = try self.area(hole, on: plane) else { continue }
        area = try area.difference(hole)
      }
      pieces.append(area)
    }
  }

  /// The inside of a ring of the plane, cut at the antimeridian; nil if nothing is left.
  private func area(
    _ ring: PlaneRing, on plane: Azimuthal
  ) throws(GeometryError) -> GEOSGeometry? {
    let outline = plane.outline(ring, turn: Self.turn, tolerance: tolerance)
    // Rounding may let edges cross that nearly touch.
    let check = RingCheck(PlaneImage(written: [outline]))
    let valid =
      check.fault() == nil
      ? [[outline]] : try GEOSPolygon([outline], in: context).madeValid()
    var parts: [GEOSGeometry] = []
    for rings in valid {
      for piece in try PolygonBuilder.cutIntoWorlds(rings) {
        parts.append(try GEOSGeometry.polygon(piece, in: context))
      }
    }
    guard !parts.isEmpty else { return nil }
    return try GEOSGeometry.collection(.multiPolygon, of: parts, in: context).unaryUnion()
  }
}

/// Other ends and corners than arcs. A stretch begins and ends within an edge, with a flat end, so that
/// each corner lies in a stretch; two stretches have a part of that edge in common.
extension SphereBuffer {
  /// Adds what lies near a line, with the ends and corners of the style.
  private mutating func add(styled line: PlaneRing) throws(GeometryError) {
    guard line.hasLength else {
      return try add(point: PlaneRing(xs: [line.xs[0]], ys: [line.ys[0]]))
    }
    var dense = DenseLine(line, tolerance: tolerance, hasPointsInEdges: true)
    guard !line.isClosed else {
      dense.beginWithinEdge()
      return try add(dense, join: style.join)
    }
    if style.cap == .round { try addCaps(line) }
    try add(dense, join: style.join, hasSquareEnds: style.cap == .square)
  }

  /// Adds what lies near an outline of a polygon, with the corners of the style.
  private mutating func add(_ outline: EarthOutline) throws(GeometryError) {
    let line = outline.line.ring
    guard line.hasLength else { return }
    // At the antimeridian, the outline goes on in another polygon, with the same direction.
    if !line.isClosed { try addCaps(line) }
    var dense = DenseLine(line, tolerance: tolerance, hasPointsInEdges: true)
    if line.isClosed { dense.beginWithinEdge() }
    // A tip on the inner side might come out of the polygon, so only the outer corners have one.
    try add(dense, join: .bevel, mitreAtTurns: style.join == .mitre ? outline.turnOfCorners : nil)
  }

  private mutating func addCaps(_ line: PlaneRing) throws(GeometryError) {
    for end in [0, line.count - 1] {
      try add(point: PlaneRing(xs: [line.xs[end]], ys: [line.ys[end]]), cap: .round)
    }
  }

  private mutating func add(
    _ line: DenseLine, join: BufferStyle.Join, hasSquareEnds: Bool = false,
    mitreAtTurns turn: Int? = nil
  ) throws(GeometryError) {
    let locations = line.locations
    var start = 0
    repeat {
      let plane = Azimuthal(longitude: locations.xs[start], latitude: locations.ys[start])
      var image = PlaneRing(xs: [0], ys: [0])
      var end = start
      var isFar = false
      repeat {
        end += 1
        let point = plane.project(longitude: locations.xs[end], latitude: locations.ys[end])
        image.append(point.x, y: point.y)
        isFar = isFar || point.distance > Self.stretch.inDegrees
      } while end < locations.count - 1 && !(isFar && line.isWithinEdge(end))
      let corners = turn.map { line.corners(of: image, from: start, turning: $0) } ?? []
      if hasSquareEnds {
        image.extend(by: distance, atStart: start == 0, atEnd: end == locations.count - 1)
      }
      try add(image, join: join, on: plane)
      try add(corners: corners, on: plane)
      start = end - 1
    } while start < locations.count - 2
  }

  private mutating func add(
    _ image: PlaneRing, join: BufferStyle.Join, on plane: Azimuthal
  ) throws(GeometryError) {
    var flat = style
    (flat.cap, flat.join) = (.flat, join)
    try add(GEOSGeometry.line(image, in: context).buffer(distance, style: flat), on: plane)
  }

  private mutating func add(
    corners: [PlaneRing], on plane: Azimuthal
  ) throws(GeometryError) {
    guard !corners.isEmpty else { return }
    var lines: [GEOSGeometry] = []
    for corner in corners { lines.append(try GEOSGeometry.line(corner, in: context)) }
    var mitre = style
    (mitre.cap, mitre.join) = (.flat, .mitre)
    let all = try GEOSGeometry.collection(.multiLine, of: lines, in: context)
    try add(all.buffer(distance, style: mitre), on: plane)
  }
}

extension SphereBuffer {
  /// The distances in degrees of a circle that is computed directly.
  private static let circleDistances = 1e-7...5.0
  /// The northernmost and southernmost latitude of such a circle.
  private static let circleLatitude = 85.0

  /// The area within a distance of a single point, if it is a circle without a cut and near no pole; nil
  /// otherwise. It needs no GEOS, and a tenth of the time.
  static func circle(
    around view: GeometryView, distance: Distance, style: BufferStyle
  ) -> Geometry? {
    let degrees = distance.asDegrees()
    guard view.kind == .point, view.vertexCount == 1, style.cap == .round,
      circleDistances ~= degrees
    else { return nil }
    let (longitude, latitude) = (view.longitude(0), view.latitude(0))
    let count = 4 * style.quadSegments
    // Longer edges get points within, as those of pieces do.
    let edge = 2 * degrees * sine(Double.pi / Double(count))
    let reach = abs(latitude) + degrees
    guard reach < circleLatitude, edge / cosine(degrees: reach) < turn / 2,
      abs(longitude) + 1.01 * degrees / cosine(degrees: reach) < 180
    else { return nil }
    let quarter = style.quadSegments
    var ring = PlaneRing(
      xs: Array(repeating: 0, count: count + 1), ys: Array(repeating: 0, count: count + 1))
    let (sineOfLatitude, cosineOfLatitude) = (sine(degrees: latitude), cosine(degrees: latitude))
    let (rise, run) = (sine(degrees: degrees), cosine(degrees: degrees))
    for (index, direction) in directions(quarter).enumerated() {
      // The sine law of the triangle with the pole.
      let north = sineOfLatitude * run + cosineOfLatitude * rise * direction.y
      let offset = arcTangent(
        direction.x * rise, x: cosineOfLatitude * run - sineOfLatitude * rise * direction.y
      ).inDegrees
      let (east, west) = ((index + count - quarter) % count, count / 2 + quarter - index)
      (ring.xs[east], ring.xs[west]) = (longitude + offset, longitude - offset)
      ring.ys[east] = arcSine(north).inDegrees
      ring.ys[west] = ring.ys[east]
    }
    (ring.xs[count], ring.ys[count]) = (ring.xs[0], ring.ys[0])
    var builder = GeometryBuilder()
    builder.begin(.polygon)
    builder.beginRing()
    for (x, y) in zip(ring.xs, ring.ys) { builder.add(longitude: x, latitude: y) }
    builder.endRing()
    builder.end()
    return builder.geometry()
  }

  /// The directions of the eastern vertices of a circle, from north to south: the western ones are at the
  /// same latitudes.
  private static func directions(_ quadSegments: Int) -> [PlanePoint] {
    quadSegments == BufferStyle.round.quadSegments
      ? usualDirections : makeDirections(quadSegments)
  }

  private static let usualDirections = makeDirections(BufferStyle.round.quadSegments)

  private static func makeDirections(_ quadSegments: Int) -> [PlanePoint] {
    (-quadSegments...quadSegments).map { index in
      let angle = -Double.pi / 2 * Double(index) / Double(quadSegments)
      // North and south are on the meridian.
      let isMeridian = abs(index) == quadSegments
      return PlanePoint(x: isMeridian ? 0 : cosine(angle), y: sine(angle))
    }
  }
}
