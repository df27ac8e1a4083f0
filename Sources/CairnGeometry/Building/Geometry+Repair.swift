extension Geometry {
  /// Returns a valid geometry with the area of this one. Edges are straight in longitude and
  /// latitude.
  ///
  /// Open rings are closed, and holes of fewer than four points are removed. A polygon that breaks
  /// another rule becomes the polygons that are left when the area between its edges is filled and
  /// emptied in turn, from the outside to the inside: a bow tie becomes two triangles. Polygons of a
  /// multipolygon that overlap or share an edge are merged. Valid parts stay as they are. Vertices
  /// keep their altitudes; new ones have none.
  ///
  /// - Throws: ``GeometryError`` if a location is not on the earth, a line has one point, nothing is
  ///   left of a polygon, or GEOS is not installed.
  public func repaired() throws(GeometryError) -> Geometry {
    var changes: [String] = []
    return try repaired(reporting: &changes)
  }

  /// Returns a valid geometry, and appends the changes as messages.
  package func repaired(reporting changes: inout [String]) throws(GeometryError) -> Geometry {
    do throws(GeometryError) {
      try validate(edges: .planar)
      return self
    } catch {
      let repair = try withView { (view) throws(GeometryError) in try GeometryRepair(view) }
      let result = repair.builder.geometry()
      try result.validate(edges: .planar)
      changes += repair.changes
      return result
    }
  }
}

/// A repair of the polygons of a geometry, member by member.
private struct GeometryRepair {
  private let view: GeometryView
  /// The altitudes of the vertices.
  private let altitudes: [PlanePoint: Double]
  /// The next word of the structure.
  private var word = 0
  /// The next vertex.
  private var vertex = 0
  /// The repaired geometry.
  private(set) var builder = GeometryBuilder()
  /// The changes that were made, as messages.
  private(set) var changes: [String] = []

  init(_ view: GeometryView) throws(GeometryError) {
    self.view = view
    var altitudes: [PlanePoint: Double] = [:]
    for index in 0..<(view.hasAltitudes ? view.vertexCount : 0) {
      let point = PlanePoint(x: view.longitude(index), y: view.latitude(index))
      if altitudes[point] == nil { altitudes[point] = view.altitude(index) }
    }
    self.altitudes = altitudes
    try view.checkLocations()
    try addMember()
  }

  private mutating func addMember() throws(GeometryError) {
    let kind = Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: view.structure(word)))
    let count = view.structure(word + 1)
    switch kind {
    case .polygon: try addPolygon()
    case .multiPolygon: try addPolygons()
    case .point, .lineString:
      word += 2
      builder.begin(kind ?? .point)
      for _ in 0..<count { addVertex() }
      builder.end()
    case .multiPoint, .multiLineString, .geometryCollection, nil:
      word += 2
      builder.begin(kind ?? .geometryCollection)
      for _ in 0..<count { try addMember() }
      builder.end()
    }
  }

  private mutating func addVertex() {
    builder.add(
      longitude: view.longitude(vertex), latitude: view.latitude(vertex),
      altitude: view.altitude(vertex))
    vertex += 1
  }

  private mutating func addPolygon() throws(GeometryError) {
    let polygons = try nextPolygon(name: "")
    if polygons.count > 1 { builder.begin(.multiPolygon) }
    for rings in polygons { add(rings) }
    if polygons.isEmpty { add([]) }
    if polygons.count > 1 { builder.end() }
  }

  private mutating func addPolygons() throws(GeometryError) {
    let count = view.structure(word + 1)
    word += 2
    var polygons: [[PlaneRing]] = []
    for index in 0..<count {
      polygons += try nextPolygon(name: count > 1 ? "polygon \(index + 1): " : "")
    }
    builder.begin(.multiPolygon)
    for rings in try merged(polygons) { add(rings) }
    builder.end()
  }

  private mutating func add(_ rings: [PlaneRing]) {
    builder.begin(.polygon)
    for ring in rings {
      builder.beginRing()
      for (x, y) in zip(ring.xs, ring.ys) {
        builder.add(longitude: x, latitude: y, altitude: altitudes[PlanePoint(x: x, y: y)])
      }
      builder.endRing()
    }
    builder.end()
  }

  /// The valid polygons of the next polygon; none if it is empty. `name` begins the messages.
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
    var draft = PolygonBuilder(rings: rings)
    draft.closeRings()
    try draft.checkRings()
    let polygons = try draft.repair(.planar)
    changes += draft.changes.map { name + $0 }
    return polygons ?? [draft.rings]
  }

  /// The polygons, merged if they overlap or share an edge.
  private mutating func merged(_ polygons: [[PlaneRing]]) throws(GeometryError) -> [[PlaneRing]] {
    guard polygons.count > 1 else { return polygons }
    let image = PlaneImage(written: Array(polygons.joined()))
    let check = RingCheck(image, ringCounts: polygons.map(\.count))
    guard let fault = check.fault() else { return polygons }
    let context = try GEOSContext()
    var parts: [GEOSGeometry] = []
    for rings in polygons { parts.append(try GEOSGeometry.polygon(rings, in: context)) }
    let merged = try GEOSGeometry.collection(.multiPolygon, of: parts, in: context)
      .unaryUnion().polygons()
    let suffix = fault.location.map { " at \($0.messageText)" } ?? ""
    changes.append(
      "\(fault.summary)\(suffix): \(polygons.count) polygons were merged into \(merged.count)")
    return merged
  }
}
