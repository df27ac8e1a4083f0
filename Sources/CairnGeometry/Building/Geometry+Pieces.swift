extension Geometry {
  /// Returns the pieces into which another geometry splits this one: polygons along its lines and
  /// outlines, and lines at its points, lines and outlines. Points stay as they are.
  ///
  /// Edges are straight in longitude and latitude. A point splits a line that is within 1e-9 degrees
  /// (0.1 mm) of it, and a line splits a polygon if it leads all the way across, or together with others
  /// does. All pieces of a polygon make the polygon again.
  ///
  /// - Returns: A collection of the pieces, with one member for each part that is not split.
  /// - Throws: ``GeometryError`` if one of the geometries is not valid, or GEOS is not installed.
  /// - Complexity: O(*n* log *n*) in the number of vertices, and O(*n* *m*) for the *m* points at which a
  ///   line of *n* vertices is split.
  public func split(by other: Geometry) throws(GeometryError) -> Geometry {
    try validate(edges: .planar)
    try other.validate(edges: .planar)
    let blade = try Blade(other)
    return try withView { (view) throws(GeometryError) in
      var pieces: [Geometry] = []
      for part in view.parts {
        switch part {
        case .point(let vertex): pieces += view.points(vertex..<vertex + 1).map { Geometry($0) }
        case .line(let vertices): pieces += try blade.pieces(of: view.line(vertices))
        case .polygon(let rings):
          pieces += try blade.pieces(of: rings.map { view.ring($0) }, view.altitudesByPlace)
        }
      }
      // Polygons of a multipolygon could not share edges.
      return try Geometry(members: pieces)
    }
  }

  /// Returns the polygons that the lines and outlines of the geometry enclose, each without the others.
  /// Lines that enclose nothing, and points, are left out.
  ///
  /// Edges are straight in longitude and latitude. Lines may cross anywhere.
  ///
  /// - Returns: A collection of polygons, empty if nothing is enclosed.
  /// - Throws: ``GeometryError`` if the geometry is not valid, or GEOS is not installed.
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public func polygonized() throws(GeometryError) -> Geometry {
    try validate(edges: .planar)
    let lines = try Blade(self).lines
    let altitudes = withView(\.altitudesByPlace)
    return try Geometry(
      members: GEOSGeometry.faces(of: lines).map { Geometry.polygon($0, altitudes: altitudes) })
  }

  /// A geometry with some members: of the kind of several points, lines or polygons if all have that
  /// kind, otherwise a collection.
  package init(collecting members: [Geometry]) throws(GeometryError) {
    let kinds = Set(members.lazy.filter { !$0.isEmpty }.map(\.kind.several))
    guard kinds.count == 1, let kind = kinds.first, kind != .geometryCollection else {
      self = try Geometry(members: members)
      return
    }
    var builder = GeometryBuilder()
    builder.begin(kind)
    for geometry in members {
      for member in geometry.kind == kind ? geometry.members : [geometry] {
        member.withView { builder.append($0) }
      }
    }
    builder.end()
    self = try Geometry(builder)
  }
}

extension Geometry.Kind {
  /// The kind of several geometries of this kind.
  fileprivate var several: Geometry.Kind {
    switch self {
    case .point, .multiPoint: .multiPoint
    case .lineString, .multiLineString: .multiLineString
    case .polygon, .multiPolygon: .multiPolygon
    case .geometryCollection: .geometryCollection
    }
  }
}

extension GeometryView {
  fileprivate func line(_ vertices: Range<Int>) -> PlaneLine {
    var line = PlaneLine()
    for vertex in vertices {
      line.append(longitude(vertex), y: latitude(vertex), altitude: altitude(vertex))
    }
    return line
  }

  /// The altitudes of the vertices.
  fileprivate var altitudesByPlace: [PlanePoint: Double] {
    var altitudes: [PlanePoint: Double] = [:]
    for vertex in 0..<(hasAltitudes ? vertexCount : 0) {
      altitudes[PlanePoint(x: longitude(vertex), y: latitude(vertex))] = altitude(vertex)
    }
    return altitudes
  }
}

/// The points, lines and outlines that split lines and polygons.
private struct Blade {
  /// The lines and the rings of polygons.
  private(set) var lines: [PlaneRing] = []
  private var points: [PlanePoint] = []
  /// The lines in the memory of GEOS; nil without any.
  private let edges: GEOSGeometry?
  private let context: GEOSContext

  init(_ geometry: Geometry) throws(GeometryError) {
    var lines: [PlaneRing] = []
    var points: [PlanePoint] = []
    geometry.withView { view in
      for part in view.parts {
        switch part {
        case .point(let vertex):
          points.append(PlanePoint(x: view.longitude(vertex), y: view.latitude(vertex)))
        case .line(let vertices): lines.append(view.ring(vertices))
        case .polygon(let rings): lines += rings.map { view.ring($0) }
        }
      }
    }
    context = try GEOSContext()
    edges = try GEOSGeometry.lines(lines, in: context)
    (self.lines, self.points) = (lines, points)
  }

  // MARK: Polygons

  /// The pieces of a polygon.
  func pieces(
    of rings: [PlaneRing], _ altitudes: [PlanePoint: Double]
  ) throws(GeometryError) -> [Geometry] {
    let polygon = Geometry.polygon(rings, altitudes: altitudes)
    let box = rings.first.map(PlanarBox.init) ?? .empty
    let near = lines.filter { PlanarBox($0).meets(box) }
    guard !near.isEmpty else { return [polygon] }
    let prepared = try PreparedShape(.geometry(polygon, edges: .planar))
    var pieces: [Geometry] = []
    for face in try GEOSGeometry.faces(of: rings + near) {
      let piece = Geometry.polygon(face, altitudes: altitudes)
      guard let inside = try piece.pointOnSurface(),
        prepared.holds(.intersects, longitude: inside.longitude, latitude: inside.latitude)
      else { continue }
      pieces.append(piece)
    }
    // A polygon that is not split keeps its vertices as they are.
    return pieces.count > 1 ? pieces : [polygon]
  }

  // MARK: Lines

  /// The distance in degrees up to which a point is on a line, which rounding is less than.
  private static let tolerance = 1e-9

  /// The pieces of a line.
  func pieces(of line: PlaneLine) throws(GeometryError) -> [Geometry] {
    let cuts = try points + crossings(with: line)
    var pieces: [PlaneLine] = []
    var piece = PlaneLine()
    func end(_ x: Double, _ y: Double, _ altitude: Double?) {
      if piece.count > 0 {
        piece.append(x, y: y, altitude: altitude)
        pieces.append(piece)
      }
      piece = PlaneLine()
      piece.append(x, y: y, altitude: altitude)
    }
    for index in 0..<line.count {
      let vertex = PlanePoint(x: line.xs[index], y: line.ys[index])
      if index > 0 {
        for cut in Self.cuts(cuts, in: line, edge: index - 1) {
          end(cut.point.x, cut.point.y, cut.altitude)
        }
      }
      let isEnd = index == 0 || index == line.count - 1
      if !isEnd, cuts.contains(where: { $0.isAt(vertex, within: Self.tolerance) }) {
        end(vertex.x, vertex.y, line.altitudes[index])
      } else {
        piece.append(vertex.x, y: vertex.y, altitude: line.altitudes[index])
      }
    }
    pieces.append(piece)
    return pieces.map { Geometry.line($0) }
  }

  /// The positions that a line has in common with the lines, and the ends of common parts.
  private func crossings(with line: PlaneLine) throws(GeometryError) -> [PlanePoint] {
    guard let edges else { return [] }
    let own = try GEOSGeometry.line(line.ring, in: context)
    return try own.intersection(edges).read().withView { view in
      view.parts.flatMap { part -> [PlanePoint] in
        let vertices =
          switch part {
          case .point(let vertex): [vertex]
          case .line(let line): [line.lowerBound, line.upperBound - 1]
          case .polygon: [Int]()
          }
        return vertices.map { PlanePoint(x: view.longitude($0), y: view.latitude($0)) }
      }
    }
  }

  /// The points on an edge of a line, without its ends, in their order.
  private static func cuts(
    _ points: [PlanePoint], in line: PlaneLine, edge: Int
  ) -> [(point: PlanePoint, altitude: Double?)] {
    let start = PlanePoint(x: line.xs[edge], y: line.ys[edge])
    let end = PlanePoint(x: line.xs[edge + 1], y: line.ys[edge + 1])
    let (wayX, wayY) = (end.x - start.x, end.y - start.y)
    let length = (wayX * wayX + wayY * wayY).squareRoot()
    var found: [(share: Double, point: PlanePoint)] = []
    for point in points
    where !point.isAt(start, within: tolerance) && !point.isAt(end, within: tolerance) {
      let (x, y) = (point.x - start.x, point.y - start.y)
      let share = (x * wayX + y * wayY) / (length * length)
      guard share > 0, share < 1, abs(x * wayY - y * wayX) <= tolerance * length,
        !found.contains(where: { $0.point.isAt(point, within: tolerance) })
      else { continue }
      found.append((share, point))
    }
    let (low, high) = (line.altitudes[edge], line.altitudes[edge + 1])
    return found.sorted { $0.share < $1.share }.map { share, point in
      (point, low.flatMap { low in high.map { low + ($0 - low) * share } })
    }
  }
}

extension PlanePoint {
  fileprivate func isAt(_ other: PlanePoint, within distance: Double) -> Bool {
    abs(x - other.x) <= distance && abs(y - other.y) <= distance
  }
}

extension PlanarBox {
  fileprivate init(_ ring: PlaneRing) {
    self = .empty
    for (x, y) in zip(ring.xs, ring.ys) { insert(PlanePoint(x: x, y: y)) }
  }
}

extension Geometry {
  fileprivate static func polygon(
    _ rings: [PlaneRing], altitudes: [PlanePoint: Double]
  ) -> Geometry {
    var builder = GeometryBuilder()
    builder.appendPolygon(rings, altitudes: altitudes)
    return builder.geometry()
  }

  fileprivate static func line(_ line: PlaneLine) -> Geometry {
    var builder = GeometryBuilder()
    builder.begin(.lineString)
    for index in 0..<line.count {
      builder.add(
        longitude: line.xs[index], latitude: line.ys[index], altitude: line.altitudes[index])
    }
    builder.end()
    return builder.geometry()
  }
}

extension GEOSGeometry {
  /// A multiline; nil without lines.
  fileprivate static func lines(
    _ lines: [PlaneRing], in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry? {
    var members: [GEOSGeometry] = []
    for line in lines { members.append(try GEOSGeometry.line(line, in: context)) }
    return try members.isEmpty ? nil : collection(.multiLine, of: members, in: context)
  }

  /// The polygons into which lines divide the plane, without the outer one.
  fileprivate static func faces(
    of lines: [PlaneRing]
  ) throws(GeometryError) -> [[PlaneRing]] {
    try GEOSGeometry.lines(lines, in: GEOSContext())?.robustUnion().faces() ?? []
  }

  /// The polygons that lines which cross at ends only enclose.
  private func faces() throws(GeometryError) -> [[PlaneRing]] {
    var lines: GEOSLibrary.Geometry? = geometry
    return try GEOSGeometry(
      GEOSOverlayLibrary.shared().polygonize(context.handle, &lines, 1), in: context,
      orFailedTo: "make polygons of lines"
    ).polygons()
  }
}
