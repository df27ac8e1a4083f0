extension Geometry {
  /// Creates a point. An altitude of 0 means that it has none.
  public init(_ point: GeoPoint) {
    var builder = GeometryBuilder()
    builder.append(point)
    self = builder.geometry()
  }

  /// Creates a line.
  public init(_ line: GeoLineString) {
    var builder = GeometryBuilder()
    builder.append(line)
    self = builder.geometry()
  }

  /// Creates a polygon, or a multipolygon if the shape consists of several polygons. The kind of
  /// edges is not kept: each question says it.
  public init(_ polygon: GeoPolygon) {
    var builder = GeometryBuilder()
    if let rings = polygon.polygons.first, polygon.polygons.count == 1 {
      builder.append(polygon: rings)
    } else {
      builder.begin(.multiPolygon)
      for rings in polygon.polygons { builder.append(polygon: rings) }
      builder.end()
    }
    self = builder.geometry()
  }

  /// Creates a multipoint.
  public init(points: [GeoPoint]) {
    self.init(.multiPoint, of: points) { $0.append($1) }
  }

  /// Creates a multiline.
  public init(lines: [GeoLineString]) {
    self.init(.multiLineString, of: lines) { $0.append($1) }
  }

  /// Creates a multipolygon. The kinds of edges are not kept.
  public init(polygons: [GeoPolygon]) {
    self.init(.multiPolygon, of: polygons.flatMap(\.polygons)) { $0.append(polygon: $1) }
  }

  /// Creates a collection of geometries of any kind, which must not be nested more than 99 levels
  /// deep.
  ///
  /// - Throws: ``GeometryError`` if the nesting is too deep.
  public init(members: [Geometry]) throws(GeometryError) {
    let depth = members.reduce(0) { max($0, $1.withView { $0.nestingDepth }) }
    guard depth < GeometryView.maxNestingDepth else { throw GeometryView.nestingError }
    self.init(.geometryCollection, of: members) { builder, member in
      member.withView { builder.append($0) }
    }
  }

  private init<Member>(
    _ kind: Kind, of members: [Member], append: (inout GeometryBuilder, Member) -> Void
  ) {
    var builder = GeometryBuilder()
    builder.begin(kind)
    for member in members { append(&builder, member) }
    builder.end()
    self = builder.geometry()
  }

  /// Creates the geometry that was built, without the noise of rounding at the limits of the earth.
  ///
  /// - Throws: ``GeometryError`` if it breaks a rule, as ``GeometryView/checkRules()`` does.
  package init(_ builder: GeometryBuilder) throws(GeometryError) {
    var builder = builder
    builder.removeNoise()
    self = builder.geometry()
    try withView { view throws(GeometryError) in try view.checkRules() }
  }
}

extension GeometryBuilder {
  fileprivate mutating func append(_ point: GeoPoint) {
    begin(.point)
    add([point][...])
    end()
  }

  fileprivate mutating func append(_ line: GeoLineString) {
    begin(.lineString)
    add(line.points[...])
    end()
  }

  fileprivate mutating func append(polygon rings: [[GeoPoint]]) {
    begin(.polygon)
    for ring in rings {
      beginRing()
      add(ring[...])
      endRing()
    }
    end()
  }

  /// Adds vertices; their altitudes only if one of them is not 0.
  private mutating func add(_ points: ArraySlice<GeoPoint>) {
    let hasAltitudes = points.contains { $0.altitude != 0 }
    for point in points {
      let isKept = hasAltitudes && point.altitude.isFinite
      add(
        longitude: point.longitude, latitude: point.latitude,
        altitude: isKept ? point.altitude : nil)
    }
  }
}

extension Geometry {
  /// The number of vertices, including those that close rings.
  public var vertexCount: Int { withView { $0.vertexCount } }

  /// Whether a vertex has an altitude.
  public var hasAltitudes: Bool { withView { $0.hasAltitudes } }

  /// The least box around the vertices, or nil if the geometry is empty. In the reading of straight
  /// edges in longitude and latitude, it contains the geometry.
  public var bounds: GeoBox? {
    withView { view in
      view.planarBounds.flatMap {
        GeoBox(bottomLeft: ($0.south, $0.west), topRight: ($0.north, $0.east))
      }
    }
  }

  /// Every vertex, in order. A negative altitude, which ``GeoPoint`` does not have, reads as 0.
  public var points: [GeoPoint] { withView { $0.points(0..<$0.vertexCount) } }

  /// The location of a point; nil if the geometry is of another kind or empty.
  public var point: GeoPoint? { kind == .point ? points.first : nil }

  /// The line of a line string; nil if the geometry is of another kind or empty.
  public var lineString: GeoLineString? { kind == .lineString ? GeoLineString(points) : nil }

  /// The area of a polygon or a multipolygon; nil if the geometry is of another kind or empty.
  ///
  /// - Parameter edges: the kind of line that joins neighbouring vertices.
  public func polygon(edges: GeoPolygon.Edges = .geodesic) -> GeoPolygon? {
    guard kind == .polygon || kind == .multiPolygon else { return nil }
    let polygons = withView { view in
      view.parts.compactMap { part -> [[GeoPoint]]? in
        guard case .polygon(let rings) = part else { return nil }
        return rings.map { view.points($0.dropLast()) + view.points($0.prefix(1)) }
      }
    }
    return polygons.isEmpty ? nil : try? GeoPolygon(polygons: polygons, edges: edges)
  }

  /// The members of a multipoint, multiline, multipolygon or collection, including empty ones. The
  /// other kinds have no members.
  public var members: [Geometry] {
    guard kind.hasMembers else { return [] }
    return withView { view in
      var cursor = GeometryView.Cursor(word: 2, vertex: 0)
      return (0..<view.structure(1)).map { _ in
        let start = cursor
        view.skipGeometry(&cursor)
        var builder = GeometryBuilder()
        builder.append(view, from: start, to: cursor)
        return builder.geometry()
      }
    }
  }

  /// The points, lines and polygons that the geometry consists of, also those of members of members.
  /// Empty ones are left out.
  ///
  /// - Complexity: O(*n*) in the number of vertices, for each level of collections.
  public var parts: [Geometry] {
    kind.hasMembers ? members.flatMap(\.parts) : isEmpty ? [] : [self]
  }
}

extension Geometry.Kind {
  /// Whether a geometry of the kind consists of other geometries.
  package var hasMembers: Bool { rawValue >= Self.multiPoint.rawValue }

  /// The kind that all members must have; nil if they may have any kind.
  package var memberKind: Geometry.Kind? {
    switch self {
    case .multiPoint: .point
    case .multiLineString: .lineString
    case .multiPolygon: .polygon
    default: nil
    }
  }

  /// The name of the kind in GeoJSON.
  package var geoJSONName: String {
    switch self {
    case .point: "Point"
    case .lineString: "LineString"
    case .polygon: "Polygon"
    case .multiPoint: "MultiPoint"
    case .multiLineString: "MultiLineString"
    case .multiPolygon: "MultiPolygon"
    case .geometryCollection: "GeometryCollection"
    }
  }

  /// The kind with a name in GeoJSON.
  package init?(geoJSONName name: String) {
    guard let kind = Self.allCases.first(where: { $0.geoJSONName == name }) else { return nil }
    self = kind
  }
}

extension GeometryView {
  /// A position in the structure, and the first vertex of what follows.
  package struct Cursor {
    package var word = 0
    package var vertex = 0
  }

  /// Moves a cursor from the start of a geometry to its end.
  package func skipGeometry(_ cursor: inout Cursor) {
    var pending = 1
    while pending > 0, cursor.word + 1 < structureCount {
      let (kind, count) = (structure(cursor.word), structure(cursor.word + 1))
      cursor.word += 2
      pending -= 1
      switch kind {
      case 1, 2: cursor.vertex += count
      case 3:
        for ring in cursor.word..<cursor.word + count { cursor.vertex += structure(ring) }
        cursor.word += count
      default: pending += count
      }
    }
  }

  /// The locations of some vertices. A negative altitude reads as 0.
  package func points(_ vertices: Range<Int>) -> [GeoPoint] {
    vertices.compactMap { index in
      GeoPoint(
        latitude: latitude(index), longitude: longitude(index),
        altitude: max(0, altitude(index) ?? 0))
    }
  }
}
