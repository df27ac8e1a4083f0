#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The functions of libgeos, found when they are first needed: linking it would cost every start 1.3 ms.
struct GEOSLibrary: Sendable {
  /// `GEOSContextHandle_t` in geos_c.h.
  typealias Context = OpaquePointer
  /// `GEOSGeometry *` in geos_c.h.
  typealias Geometry = OpaquePointer
  /// `GEOSMessageHandler_r` in geos_c.h: receives a message and the pointer it was set with.
  typealias MessageHandler =
    @convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void

  let initialise: @convention(c) () -> Context?
  let finish: @convention(c) (Context) -> Void
  let setErrorHandler:
    @convention(c) (Context, MessageHandler?, UnsafeMutableRawPointer?) -> MessageHandler?
  let sequence:
    @convention(c) (
      Context, UnsafePointer<Double>?, UnsafePointer<Double>?, UnsafePointer<Double>?,
      UnsafePointer<Double>?, UInt32
    ) -> OpaquePointer?
  let ring: @convention(c) (Context, OpaquePointer) -> Geometry?
  let polygon:
    @convention(c) (Context, Geometry, UnsafeMutablePointer<Geometry?>?, UInt32) -> Geometry?
  let point: @convention(c) (Context, Double, Double) -> Geometry?
  let destroy: @convention(c) (Context, Geometry) -> Void
  let prepare: @convention(c) (Context, Geometry) -> OpaquePointer?
  let destroyPrepared: @convention(c) (Context, OpaquePointer) -> Void
  let intersects: @convention(c) (Context, OpaquePointer, Geometry) -> CChar

  private static let loaded: Result<GEOSLibrary, GeometryError> = load()

  /// The library; throws a sentence that says what to install where there is none.
  static func shared() throws(GeometryError) -> GEOSLibrary { try loaded.get() }

  private static func load() -> Result<GEOSLibrary, GeometryError> {
    do throws(GeometryError) {
      return .success(try GEOSLibrary(DynamicLibrary.geos()))
    } catch {
      return .failure(error)
    }
  }

  private init(_ library: DynamicLibrary) throws(GeometryError) {
    initialise = try library.function("GEOS_init_r")
    finish = try library.function("GEOS_finish_r")
    setErrorHandler = try library.function("GEOSContext_setErrorMessageHandler_r")
    sequence = try library.function("GEOSCoordSeq_copyFromArrays_r")
    ring = try library.function("GEOSGeom_createLinearRing_r")
    polygon = try library.function("GEOSGeom_createPolygon_r")
    point = try library.function("GEOSGeom_createPointFromXY_r")
    destroy = try library.function("GEOSGeom_destroy_r")
    prepare = try library.function("GEOSPrepare_r")
    destroyPrepared = try library.function("GEOSPreparedGeom_destroy_r")
    intersects = try library.function("GEOSPreparedIntersects_r")
  }
}
