import CairnGeometry

/// Reads bytes as a geometry in each of its forms: packed, WKB and WKT.
enum GeometryProbe {
  /// Accepts any bytes, but checks every geometry that they are read as.
  static func read(_ bytes: [UInt8]) {
    readPacked(bytes)
    if let geometry = try? Geometry(wkb: bytes) { check(geometry) }
    if let geometry = try? Geometry(wkt: String(decoding: bytes, as: UTF8.self)) { check(geometry) }
  }

  /// Checks that the packed form of a geometry is the only one that is accepted.
  private static func readPacked(_ bytes: [UInt8]) {
    let isAccepted = bytes.withUnsafeBytes { (try? GeometryView(validating: $0)) != nil }
    guard isAccepted else { return }
    let geometry = Geometry(packed: bytes)
    var builder = GeometryBuilder()
    geometry.withView { builder.append($0) }
    require(builder.geometry().bytes == bytes, "\(bytes) and \(builder.geometry().bytes) are equal")
    check(geometry)
  }

  private static func check(_ geometry: Geometry) {
    do {
      _ = try geometry.bytes.withUnsafeBytes { try GeometryView(validating: $0) }
    } catch {
      fatalError("\(geometry.wkt) is read, but its packed form is refused: \(error)")
    }
    require((try? Geometry(wkb: geometry.wkb)) == geometry, "\(geometry.wkt) changes in WKB")
    require((try? Geometry(wkt: geometry.wkt)) == geometry, "\(geometry.wkt) changes in WKT")
    checkBounds(geometry)
    guard geometry.withView(isComparable) else { return }
    for edges in [GeoPolygon.Edges.planar, .geodesic] {
      if (try? geometry.validate(edges: edges)) != nil { checkRelations(geometry, edges) }
    }
  }

  /// Whether the geometry is small enough to be compared fast, and no product of its coordinates
  /// is below the range of Double, where no sign is certain.
  private static func isComparable(_ view: GeometryView) -> Bool {
    1...200 ~= view.vertexCount
      && (0..<view.vertexCount).allSatisfy { vertex in
        [view.longitude(vertex), view.latitude(vertex)].allSatisfy { $0 == 0 || abs($0) > 1e-100 }
      }
  }

  private static func checkBounds(_ geometry: Geometry) {
    geometry.withView { view in
      let bounds = view.bounds
      require((bounds == nil) == (view.vertexCount == 0), "\(geometry.wkt) has \(bounds as Any)")
      guard let bounds else { return }
      for vertex in 0..<view.vertexCount {
        let (x, y) = (view.longitude(vertex), view.latitude(vertex))
        require(
          bounds.west <= x && x <= bounds.east && bounds.south <= y && y <= bounds.north,
          "\(bounds) does not contain vertex \(vertex) of \(geometry.wkt)")
      }
    }
  }

  /// Checks the relations of a valid geometry to itself.
  private static func checkRelations(_ geometry: Geometry, _ edges: GeoPolygon.Edges) {
    geometry.withView { view in
      guard let shape = try? PreparedShape(stored: view, edges: edges),
        let origin = try? PreparedOrigin(.geometry(geometry, edges: .geodesic))
      else { fatalError("\(geometry.wkt) cannot be prepared") }
      for relation in SpatialRelation.allCases where edges == .planar || !relation.isPlanar {
        let expected = [.within, .intersects, .contains, .equals].contains(relation)
        require(
          shape.holds(relation, view) == expected, "\(relation) itself, \(edges): \(geometry.wkt)")
        guard edges == .planar else { continue }
        require(
          PlanarRelation.holds(relation, view, to: view) == expected,
          "\(relation) itself, unprepared: \(geometry.wkt)")
      }
      for vertex in 0..<view.vertexCount {
        let (x, y) = (view.longitude(vertex), view.latitude(vertex))
        require(
          shape.holds(.intersects, longitude: x, latitude: y),
          "vertex \(vertex) is outside, \(edges): \(geometry.wkt)")
        guard edges == .planar else { continue }
        require(
          PlanarRelation.holds(.intersects, longitude: x, latitude: y, to: view),
          "vertex \(vertex) is outside, unprepared: \(geometry.wkt)")
      }
      require(origin.distance(to: view) == 0, "a distance to itself: \(geometry.wkt)")
    }
  }
}
