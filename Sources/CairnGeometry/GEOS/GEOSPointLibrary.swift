/// The functions of libgeos that read geometries and make points of them.
struct GEOSPointLibrary: Sendable {
  typealias Context = GEOSLibrary.Context
  typealias Geometry = GEOSLibrary.Geometry
  typealias Measure = @convention(c) (Context, Geometry, UnsafeMutablePointer<Double>) -> Int32

  let makeGeoJSONReader: @convention(c) (Context) -> OpaquePointer?
  let destroyGeoJSONReader: @convention(c) (Context, OpaquePointer) -> Void
  let readGeoJSON: @convention(c) (Context, OpaquePointer, UnsafePointer<CChar>) -> Geometry?
  let makeWKTReader: @convention(c) (Context) -> OpaquePointer?
  let destroyWKTReader: @convention(c) (Context, OpaquePointer) -> Void
  let readWKT: @convention(c) (Context, OpaquePointer, UnsafePointer<CChar>) -> Geometry?
  let makeWKBReader: @convention(c) (Context) -> OpaquePointer?
  let destroyWKBReader: @convention(c) (Context, OpaquePointer) -> Void
  let readHexWKB: @convention(c) (Context, OpaquePointer, UnsafePointer<UInt8>, Int) -> Geometry?
  let centroid: @convention(c) (Context, Geometry) -> Geometry?
  let pointOnSurface: @convention(c) (Context, Geometry) -> Geometry?
  let isEmpty: @convention(c) (Context, Geometry) -> CChar
  let x: Measure
  let y: Measure
  let area: Measure
  let length: Measure

  private static let loaded: Result<GEOSPointLibrary, GeometryError> = load()

  /// The functions; throws a sentence that says what to install where there are none.
  static func shared() throws(GeometryError) -> GEOSPointLibrary { try loaded.get() }

  private static func load() -> Result<GEOSPointLibrary, GeometryError> {
    do throws(GeometryError) {
      return .success(try GEOSPointLibrary(DynamicLibrary.geos()))
    } catch {
      return .failure(error)
    }
  }

  private init(_ library: DynamicLibrary) throws(GeometryError) {
    makeGeoJSONReader = try library.function("GEOSGeoJSONReader_create_r")
    destroyGeoJSONReader = try library.function("GEOSGeoJSONReader_destroy_r")
    readGeoJSON = try library.function("GEOSGeoJSONReader_readGeometry_r")
    makeWKTReader = try library.function("GEOSWKTReader_create_r")
    destroyWKTReader = try library.function("GEOSWKTReader_destroy_r")
    readWKT = try library.function("GEOSWKTReader_read_r")
    makeWKBReader = try library.function("GEOSWKBReader_create_r")
    destroyWKBReader = try library.function("GEOSWKBReader_destroy_r")
    readHexWKB = try library.function("GEOSWKBReader_readHEX_r")
    centroid = try library.function("GEOSGetCentroid_r")
    pointOnSurface = try library.function("GEOSPointOnSurface_r")
    isEmpty = try library.function("GEOSisEmpty_r")
    x = try library.function("GEOSGeomGetX_r")
    y = try library.function("GEOSGeomGetY_r")
    area = try library.function("GEOSArea_r")
    length = try library.function("GEOSLength_r")
  }
}
