/// The functions of libgeos that make new polygons; only repairing and cutting need them.
struct GEOSOverlayLibrary: Sendable {
  typealias Context = GEOSLibrary.Context
  typealias Geometry = GEOSLibrary.Geometry

  let makeValid: @convention(c) (Context, Geometry) -> Geometry?
  let boundary: @convention(c) (Context, Geometry) -> Geometry?
  let unaryUnion: @convention(c) (Context, Geometry) -> Geometry?
  let polygonize: @convention(c) (Context, UnsafePointer<Geometry?>?, UInt32) -> Geometry?
  let collection:
    @convention(c) (Context, Int32, UnsafeMutablePointer<Geometry?>?, UInt32) -> Geometry?
  let intersection: @convention(c) (Context, Geometry, Geometry) -> Geometry?
  let type: @convention(c) (Context, Geometry) -> Int32
  let partCount: @convention(c) (Context, Geometry) -> Int32
  let part: @convention(c) (Context, Geometry, Int32) -> Geometry?
  let outerRing: @convention(c) (Context, Geometry) -> Geometry?
  let holeCount: @convention(c) (Context, Geometry) -> Int32
  let hole: @convention(c) (Context, Geometry, Int32) -> Geometry?
  let sequence: @convention(c) (Context, Geometry) -> OpaquePointer?
  let size: @convention(c) (Context, OpaquePointer, UnsafeMutablePointer<UInt32>) -> Int32
  let copy:
    @convention(c) (
      Context, OpaquePointer, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?,
      UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?
    ) -> Int32

  private static let loaded: Result<GEOSOverlayLibrary, GeometryError> = load()

  /// The functions; throws a sentence that says what to install where there are none.
  static func shared() throws(GeometryError) -> GEOSOverlayLibrary { try loaded.get() }

  private static func load() -> Result<GEOSOverlayLibrary, GeometryError> {
    do throws(GeometryError) {
      return .success(try GEOSOverlayLibrary(DynamicLibrary.geos()))
    } catch {
      return .failure(error)
    }
  }

  private init(_ library: DynamicLibrary) throws(GeometryError) {
    makeValid = try library.function("GEOSMakeValid_r")
    boundary = try library.function("GEOSBoundary_r")
    unaryUnion = try library.function("GEOSUnaryUnion_r")
    polygonize = try library.function("GEOSPolygonize_r")
    collection = try library.function("GEOSGeom_createCollection_r")
    intersection = try library.function("GEOSIntersection_r")
    type = try library.function("GEOSGeomTypeId_r")
    partCount = try library.function("GEOSGetNumGeometries_r")
    part = try library.function("GEOSGetGeometryN_r")
    outerRing = try library.function("GEOSGetExteriorRing_r")
    holeCount = try library.function("GEOSGetNumInteriorRings_r")
    hole = try library.function("GEOSGetInteriorRingN_r")
    sequence = try library.function("GEOSGeom_getCoordSeq_r")
    size = try library.function("GEOSCoordSeq_getSize_r")
    copy = try library.function("GEOSCoordSeq_copyToArrays_r")
  }
}
