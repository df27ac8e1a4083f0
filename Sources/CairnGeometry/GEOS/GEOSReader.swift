/// Reads geometries in the memory of GEOS.
struct GEOSReader {
  private let context: GEOSContext
  private let overlay: GEOSOverlayLibrary
  private let points: GEOSPointLibrary

  init(_ context: GEOSContext) throws(GeometryError) {
    self.context = context
    overlay = try GEOSOverlayLibrary.shared()
    points = try GEOSPointLibrary.shared()
  }

  /// Adds a geometry to a builder. Empty members are left out.
  func add(
    _ geometry: GEOSLibrary.Geometry, to builder: inout GeometryBuilder
  ) throws(GeometryError) {
    let handle = context.handle
    let isEmpty = points.isEmpty(handle, geometry) != 0
    switch GEOSGeometry.Kind(rawValue: overlay.type(handle, geometry)) {
    case .point:
      builder.begin(.point)
      if !isEmpty { try add(verticesOf: geometry, to: &builder) }
      builder.end()
    case .line, .ring:
      builder.begin(.lineString)
      if !isEmpty { try add(verticesOf: geometry, to: &builder) }
      builder.end()
    case .polygon:
      builder.begin(.polygon)
      if !isEmpty { try add(ringsOf: geometry, to: &builder) }
      builder.end()
    case .multiPoint: try add(membersOf: geometry, of: .multiPoint, to: &builder)
    case .multiLine: try add(membersOf: geometry, of: .multiLineString, to: &builder)
    case .multiPolygon: try add(membersOf: geometry, of: .multiPolygon, to: &builder)
    case .collection: try add(membersOf: geometry, of: .geometryCollection, to: &builder)
    case nil:
      throw GeometryError(.library, message: "GEOS returned a geometry of an unknown kind")
    }
  }

  private func add(
    membersOf geometry: GEOSLibrary.Geometry, of kind: Geometry.Kind,
    to builder: inout GeometryBuilder
  ) throws(GeometryError) {
    builder.begin(kind)
    for index in 0..<max(0, overlay.partCount(context.handle, geometry)) {
      guard let member = overlay.part(context.handle, geometry, index),
        points.isEmpty(context.handle, member) == 0
      else { continue }
      try add(member, to: &builder)
    }
    builder.end()
  }

  private func add(
    ringsOf polygon: GEOSLibrary.Geometry, to builder: inout GeometryBuilder
  ) throws(GeometryError) {
    guard let outer = overlay.outerRing(context.handle, polygon) else {
      throw context.failure("read a polygon")
    }
    builder.beginRing()
    try add(verticesOf: outer, to: &builder)
    builder.endRing()
    for index in 0..<max(0, overlay.holeCount(context.handle, polygon)) {
      guard let hole = overlay.hole(context.handle, polygon, index) else {
        throw context.failure("read a polygon")
      }
      builder.beginRing()
      try add(verticesOf: hole, to: &builder)
      builder.endRing()
    }
  }

  private func add(
    verticesOf line: GEOSLibrary.Geometry, to builder: inout GeometryBuilder
  ) throws(GeometryError) {
    var size: UInt32 = 0
    guard let sequence = overlay.sequence(context.handle, line),
      overlay.size(context.handle, sequence, &size) == 1
    else { throw context.failure("read a line") }
    var xs = [Double](repeating: 0, count: Int(size))
    var ys = xs
    var zs = [Double](repeating: .nan, count: Int(size))
    guard overlay.copy(context.handle, sequence, &xs, &ys, &zs, nil) == 1 else {
      throw context.failure("read a line")
    }
    for index in xs.indices {
      builder.add(
        longitude: xs[index], latitude: ys[index], altitude: zs[index].isFinite ? zs[index] : nil)
    }
  }
}
