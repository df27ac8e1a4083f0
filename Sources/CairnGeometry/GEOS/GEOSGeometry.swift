/// A geometry in the memory of GEOS; finite coordinates only. For one thread at a time.
final class GEOSGeometry {
  /// The numbers that GEOS has for the kinds of geometries. A ring is a line here.
  enum Kind: Int32 {
    case point = 0
    case line = 1
    case ring = 2
    case polygon = 3
    case multiPoint = 4
    case multiLine = 5
    case multiPolygon = 6
    case collection = 7
  }

  let context: GEOSContext
  let geometry: GEOSLibrary.Geometry
  private var isOwned = true

  /// Takes ownership of a geometry that GEOS returned. Throws if it returned none, because it could
  /// not do `what`.
  init(
    _ geometry: GEOSLibrary.Geometry?, in context: GEOSContext, orFailedTo what: String
  ) throws(GeometryError) {
    guard let geometry else { throw context.failure(what) }
    self.context = context
    self.geometry = geometry
  }

  deinit { if isOwned { context.library.destroy(context.handle, geometry) } }

  /// Gives ownership to GEOS.
  func release() -> GEOSLibrary.Geometry {
    isOwned = false
    return geometry
  }

  // MARK: Making geometries

  /// Creates a collection or a multi-geometry of its members.
  static func collection(
    _ kind: Kind, of members: [GEOSGeometry], in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry {
    let overlay = try GEOSOverlayLibrary.shared()
    // The collection takes ownership of the members, and frees them when it fails.
    var parts: [GEOSLibrary.Geometry?] = members.map { $0.release() }
    return try GEOSGeometry(
      overlay.collection(context.handle, kind.rawValue, &parts, UInt32(parts.count)), in: context,
      orFailedTo: "make a collection")
  }

  /// Creates a polygon of its rings, the outer one first.
  static func polygon(
    _ rings: [PlaneRing], in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSPolygon.polygon(rings, context: context), in: context, orFailedTo: "make a polygon")
  }

  /// Creates a line, or the point of a single vertex.
  static func line(
    _ line: PlaneRing, in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry {
    let operations = try GEOSOperationLibrary.shared()
    let made = context.library.sequence(
      context.handle, line.xs, line.ys, nil, nil, UInt32(line.count))
    guard let sequence = made else { throw context.failure("make a line") }
    let make = line.count == 1 ? operations.point : operations.line
    return try GEOSGeometry(
      make(context.handle, sequence), in: context, orFailedTo: "make a line")
  }

  /// Creates a point, a line or a ring of vertices of a stored geometry, with their altitudes.
  static func vertices(
    _ vertices: Range<Int>, of view: GeometryView, as kind: Kind, in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry {
    let operations = try GEOSOperationLibrary.shared()
    let xs = vertices.map { view.longitude($0) }
    let ys = vertices.map { view.latitude($0) }
    let zs = view.hasAltitudes ? vertices.map { view.altitude($0) ?? .nan } : nil
    let made = context.library.sequence(context.handle, xs, ys, zs, nil, UInt32(xs.count))
    guard let sequence = made else { throw context.failure("make a line") }
    // The geometry takes ownership of the sequence, and frees it when it fails.
    let make =
      switch kind {
      case .point: operations.point
      case .ring: context.library.ring
      default: operations.line
      }
    return try GEOSGeometry(
      make(context.handle, sequence), in: context, orFailedTo: "make a line")
  }

  /// Creates a polygon of rings of a stored geometry.
  static func polygon(
    _ rings: GeometryView.Rings, of view: GeometryView, in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry {
    var made: [GEOSGeometry] = []
    for ring in rings { made.append(try vertices(ring, of: view, as: .ring, in: context)) }
    guard let outer = made.first else {
      throw GeometryError(.tooFewPoints, message: "a polygon has no ring")
    }
    // The polygon takes ownership of the rings, and frees them when it fails.
    let shell = outer.release()
    var holes: [GEOSLibrary.Geometry?] = made.dropFirst().map { $0.release() }
    return try GEOSGeometry(
      context.library.polygon(context.handle, shell, &holes, UInt32(holes.count)), in: context,
      orFailedTo: "make a polygon")
  }

  // MARK: Operations

  /// The union of everything in the geometry, where nothing overlaps.
  func unaryUnion() throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSOverlayLibrary.shared().unaryUnion(context.handle, geometry), in: context,
      orFailedTo: "unite geometries")
  }

  /// The same union with all vertices on a grid, which cannot fail by rounding.
  func unaryUnion(grid: Double) throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSOperationLibrary.shared().unaryUnionOnGrid(context.handle, geometry, grid), in: context,
      orFailedTo: "unite geometries")
  }

  /// The grid, in degrees, of the vertices of a union that fails without one: 0.1 mm.
  private static let grid = 1e-9

  /// The union of everything in the geometry, on a grid if many pieces with nearly the same boundary
  /// are too much for floating point.
  func robustUnion() throws(GeometryError) -> GEOSGeometry {
    do throws(GeometryError) {
      return try unaryUnion()
    } catch {
      return try unaryUnion(grid: Self.grid)
    }
  }

  /// The points of both geometries. Neither may be a collection.
  func intersection(_ other: GEOSGeometry) throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSOverlayLibrary.shared().intersection(context.handle, geometry, other.geometry),
      in: context, orFailedTo: "intersect geometries")
  }

  /// The points that the other geometry does not have. Neither is a collection.
  func difference(_ other: GEOSGeometry) throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSOperationLibrary.shared().difference(context.handle, geometry, other.geometry),
      in: context, orFailedTo: "subtract a geometry")
  }

  /// The points that only one of both geometries has. Neither is a collection.
  func symmetricDifference(_ other: GEOSGeometry) throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSOperationLibrary.shared().symmetricDifference(
        context.handle, geometry, other.geometry),
      in: context, orFailedTo: "compare geometries")
  }

  /// The area within a distance in the plane.
  func buffer(_ distance: Double, style: BufferStyle) throws(GeometryError) -> GEOSGeometry {
    // The numbers of GEOSBufCapStyles and GEOSBufJoinStyles in geos_c.h.
    let cap: Int32 =
      switch style.cap {
      case .round: 1
      case .flat: 2
      case .square: 3
      }
    let join: Int32 =
      switch style.join {
      case .round: 1
      case .mitre: 2
      case .bevel: 3
      }
    return try GEOSGeometry(
      GEOSOperationLibrary.shared().buffer(
        context.handle, geometry, distance, Int32(style.quadSegments), cap, join,
        style.mitreLimit),
      in: context, orFailedTo: "make a buffer")
  }

  // MARK: Reading

  /// Whether the geometry has no vertex.
  var isEmpty: Bool {
    get throws(GeometryError) {
      try GEOSPointLibrary.shared().isEmpty(context.handle, geometry) != 0
    }
  }

  /// Adds the geometry to a builder. Empty members are left out.
  func add(to builder: inout GeometryBuilder) throws(GeometryError) {
    try GEOSReader(context).add(geometry, to: &builder)
  }

  /// The geometry in Cairn's form.
  func read() throws(GeometryError) -> Geometry {
    var builder = GeometryBuilder()
    try add(to: &builder)
    return builder.geometry()
  }

  /// The rings of the geometry's polygons; points and lines are left out.
  func polygons() throws(GeometryError) -> [[PlaneRing]] {
    try read().withView { view in
      view.parts.compactMap { part in
        guard case .polygon(let rings) = part else { return nil }
        return rings.map { view.ring($0) }
      }
    }
  }
}
