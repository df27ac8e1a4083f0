extension Geometry {
  /// Returns the geometry with all longitudes within ±180. Edges are straight in longitude and
  /// latitude.
  ///
  /// A line or a polygon that lies in another turn of the earth is moved by whole turns. One that
  /// reaches from one turn into the next is cut at the antimeridian, as RFC 7946, section 3.1.9,
  /// recommends, and becomes several. Vertices keep their altitudes. The new vertices of a line get
  /// an altitude between those of its edge, and those of a polygon get none.
  ///
  /// - Parameter repairs: Whether a polygon that is not valid is repaired first.
  /// - Throws: ``GeometryError`` if a polygon to cut is not valid, or GEOS is not installed.
  package func wrapped(repairing repairs: Bool = false) throws(GeometryError) -> Geometry {
    try withView { (view) throws(GeometryError) in
      let rules = Wrapping(repairs: repairs)
      var rewriter = GeometryRewriter(view, rules: rules, altitudes: Longitude.images)
      return try rewriter.geometry()
    }
  }
}

extension GeometryView {
  /// Whether a longitude is beyond ±180.
  package var isBeyondAntimeridian: Bool {
    (0..<vertexCount).contains { abs(longitude($0)) > 180 }
  }
}

/// The rules of the cut at the antimeridian.
private struct Wrapping: GeometryRules {
  let repairs: Bool

  func point(_ longitude: Double) -> Double {
    Longitude.moved(longitude, by: Longitude.turn(of: longitude))
  }

  func polygons(of rings: [PlaneRing], name: String) throws(GeometryError) -> [[PlaneRing]] {
    guard rings.contains(where: { $0.xs.contains { abs($0) > 180 } }) else { return [rings] }
    var draft = PolygonBuilder(rings: rings)
    if repairs { draft.closeRings() }
    try draft.checkRings()
    var polygons = [draft.rings]
    if repairs {
      polygons = try draft.repair(.planar) ?? polygons
    } else if let fault = RingCheck(PlaneImage(written: rings)).fault() {
      throw fault.error(polygon: 0)
    }
    var pieces: [[PlaneRing]] = []
    for rings in polygons { pieces += try PolygonBuilder.cutIntoWorlds(rings) }
    // A polygon around the whole earth meets itself.
    return try PolygonBuilder.merged(pieces)?.polygons ?? pieces
  }

  func lines(of line: PlaneLine) -> [PlaneLine] {
    guard line.xs.contains(where: { abs($0) > 180 }) else { return [line] }
    var cut = LineCut(line)
    return cut.pieces()
  }
}

/// A line that is cut where it passes from one turn of the earth into the next.
private struct LineCut {
  private let line: PlaneLine
  /// The turn of the piece that grows.
  private var turn: Int?
  private var piece = PlaneLine()
  private var done: [PlaneLine] = []

  init(_ line: PlaneLine) { self.line = line }

  mutating func pieces() -> [PlaneLine] {
    for index in 1..<max(1, line.count) { addEdge(to: index) }
    if line.count == 1 {
      turn = Longitude.turn(of: line.xs[0])
      add(line.xs[0], y: line.ys[0], altitude: line.altitudes[0])
    }
    done.append(piece)
    return done
  }

  /// Adds the edge from the vertex before, in parts.
  private mutating func addEdge(to index: Int) {
    let (x0, x1) = (line.xs[index - 1], line.xs[index])
    let (y0, y1) = (line.ys[index - 1], line.ys[index])
    let (z0, z1) = (line.altitudes[index - 1], line.altitudes[index])
    var (x, y, z) = (x0, y0, z0)
    for border in Longitude.borders(between: x0, and: x1) {
      let share = (border - x0) / (x1 - x0)
      let height = z0.flatMap { low in z1.map { low + share * ($0 - low) } }
      addPart(from: (x, y, z), to: (border, y0 + share * (y1 - y0), height))
      (x, y, z) = (border, y0 + share * (y1 - y0), height)
    }
    addPart(from: (x, y, z), to: (x1, y1, z1))
  }

  private mutating func addPart(
    from start: (x: Double, y: Double, altitude: Double?),
    to end: (x: Double, y: Double, altitude: Double?)
  ) {
    // An edge along the border belongs to the turn of the edge before.
    let isOnBorder = start.x == end.x && Longitude.isBorder(start.x)
    let now =
      isOnBorder ? turn ?? Longitude.turn(of: start.x) : Longitude.turn(of: (start.x + end.x) / 2)
    if now != turn {
      if turn != nil { done.append(piece) }
      (turn, piece) = (now, PlaneLine())
      add(start.x, y: start.y, altitude: start.altitude)
    }
    add(end.x, y: end.y, altitude: end.altitude)
  }

  private mutating func add(_ x: Double, y: Double, altitude: Double?) {
    piece.append(Longitude.moved(x, by: turn ?? 0), y: y, altitude: altitude)
  }
}

/// Longitudes that continue beyond ±180: turn 0 of the earth is -180 to 180, turn 1 the next to the
/// east.
package enum Longitude {
  /// The turn that contains a longitude. The border between two turns is the end of the western one
  /// for positive longitudes, and the beginning of the eastern one for negative ones.
  package static func turn(of longitude: Double) -> Int {
    let turns = (longitude + 180) / 360
    return Int(longitude > 0 ? turns.rounded(.up) - 1 : turns.rounded(.down))
  }

  /// The same meridian in turn 0, for a longitude of another turn; rounded to the 13 decimals that a
  /// longitude of 360 has, because a bare subtraction would end in digits that no one wrote.
  package static func moved(_ longitude: Double, by turn: Int) -> Double {
    guard turn != 0 else { return longitude }
    let moved = ((longitude - Double(turn) * 360) * 1e13).rounded() / 1e13
    return max(-180, min(180, moved))
  }

  /// Whether a longitude is the border between two turns.
  static func isBorder(_ longitude: Double) -> Bool {
    (longitude + 180).truncatingRemainder(dividingBy: 360) == 0
  }

  /// The borders between two longitudes, without these, in the order from the first to the second.
  static func borders(between first: Double, and second: Double) -> [Double] {
    let (west, east) = (min(first, second), max(first, second))
    let least = Int(((west + 180) / 360).rounded(.down))
    let most = Int(((east + 180) / 360).rounded(.up))
    let borders = (least...max(least, most)).map { Double($0) * 360 - 180 }
      .filter { $0 > west && $0 < east }
    return first <= second ? borders : borders.reversed()
  }

  /// The longitudes to which a longitude may be wrapped: two at the antimeridian.
  static func images(_ longitude: Double) -> [Double] {
    let image = moved(longitude, by: turn(of: longitude))
    return abs(image) == 180 ? [-180, 180] : [image]
  }
}
