import CPROJ
import CairnSystem

/// The functions of libproj, looked up when they are first needed: linking it would add 5.5 ms to
/// every start.
struct PROJLibrary: Sendable {
  typealias Context = OpaquePointer
  typealias Object = OpaquePointer
  typealias LogFunction =
    @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void

  /// `PJ_DIRECTION` in proj.h.
  enum Direction: Int32 {
    case forward = 1
    case inverse = -1
  }

  let createContext: @convention(c) () -> Context?
  let destroyContext: @convention(c) (Context) -> Context?
  let setLogFunction: @convention(c) (Context, UnsafeMutableRawPointer?, LogFunction?) -> Void
  let enableNetwork: @convention(c) (Context, Int32) -> Int32
  let create: @convention(c) (Context, UnsafePointer<CChar>) -> Object?
  let destroy: @convention(c) (Object) -> Object?
  let isCRS: @convention(c) (Object) -> Int32
  /// The text is valid while the object exists.
  let projJSON:
    @convention(c) (Context, Object, UnsafePointer<UnsafePointer<CChar>?>?) -> UnsafePointer<CChar>?
  /// The text is valid while the object exists.
  let name: @convention(c) (Object) -> UnsafePointer<CChar>?
  let areaOfUse:
    @convention(c) (
      Context, Object, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>,
      UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32
  let createOperation:
    @convention(c) (
      Context, Object, Object, OpaquePointer?, UnsafePointer<UnsafePointer<CChar>?>?
    ) -> Object?
  let datum: @convention(c) (Context, Object) -> Object?
  let ellipsoid: @convention(c) (Context, Object) -> Object?
  let ellipsoidParameters:
    @convention(c) (
      Context, Object, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?,
      UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Double>?
    ) -> Int32
  /// The code of an object in a register such as EPSG's, by the index of the code.
  let code: @convention(c) (Object, Int32) -> UnsafePointer<CChar>?
  let normalize: @convention(c) (Context, Object) -> Object?
  let sourceCRS: @convention(c) (Context, Object) -> Object?
  let coordinateSystem: @convention(c) (Context, Object) -> Object?
  let axis:
    @convention(c) (
      Context, Object, Int32, UnsafeMutablePointer<UnsafePointer<CChar>?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?,
      UnsafeMutablePointer<Double>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32
  let transform: @convention(c) (Object, Int32, cairn_proj_position) -> cairn_proj_position
  let error: @convention(c) (Object) -> Int32
  let resetError: @convention(c) (Object) -> Int32
  /// The text is valid until the next error in the context.
  let errorText: @convention(c) (Context, Int32) -> UnsafePointer<CChar>?
  let contextError: @convention(c) (Context) -> Int32
  let initialiseGeodesic:
    @convention(c) (UnsafeMutablePointer<cairn_proj_ellipsoid>, Double, Double) -> Void
  let inverseGeodesic:
    @convention(c) (
      UnsafePointer<cairn_proj_ellipsoid>, Double, Double, Double, Double,
      UnsafeMutablePointer<Double>?,
      UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?
    ) -> Void
  let directGeodesic:
    @convention(c) (
      UnsafePointer<cairn_proj_ellipsoid>, Double, Double, Double, Double,
      UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?
    ) -> Void
  let beginPolygon: @convention(c) (UnsafeMutablePointer<cairn_proj_polygon>, Int32) -> Void
  let addToPolygon:
    @convention(c) (
      UnsafePointer<cairn_proj_ellipsoid>, UnsafeMutablePointer<cairn_proj_polygon>, Double, Double
    ) -> Void
  let measurePolygon:
    @convention(c) (
      UnsafePointer<cairn_proj_ellipsoid>, UnsafePointer<cairn_proj_polygon>, Int32, Int32,
      UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?
    ) -> UInt32

  private static let loaded = Result { () throws(LibraryError) in
    try PROJLibrary(DynamicLibrary.proj())
  }.mapError { GeometryError($0) }

  /// The library. Throws an error that says what to install if it is missing.
  static func shared() throws(GeometryError) -> PROJLibrary { try loaded.get() }

  private init(_ library: DynamicLibrary) throws(LibraryError) {
    createContext = try library.function("proj_context_create")
    destroyContext = try library.function("proj_context_destroy")
    setLogFunction = try library.function("proj_log_func")
    enableNetwork = try library.function("proj_context_set_enable_network")
    create = try library.function("proj_create")
    destroy = try library.function("proj_destroy")
    isCRS = try library.function("proj_is_crs")
    projJSON = try library.function("proj_as_projjson")
    name = try library.function("proj_get_name")
    areaOfUse = try library.function("proj_get_area_of_use")
    createOperation = try library.function("proj_create_crs_to_crs_from_pj")
    datum = try library.function("proj_crs_get_datum")
    ellipsoid = try library.function("proj_get_ellipsoid")
    ellipsoidParameters = try library.function("proj_ellipsoid_get_parameters")
    code = try library.function("proj_get_id_code")
    normalize = try library.function("proj_normalize_for_visualization")
    sourceCRS = try library.function("proj_get_source_crs")
    coordinateSystem = try library.function("proj_crs_get_coordinate_system")
    axis = try library.function("proj_cs_get_axis_info")
    transform = try library.function("proj_trans")
    error = try library.function("proj_errno")
    resetError = try library.function("proj_errno_reset")
    errorText = try library.function("proj_context_errno_string")
    contextError = try library.function("proj_context_errno")
    initialiseGeodesic = try library.function("geod_init")
    inverseGeodesic = try library.function("geod_inverse")
    directGeodesic = try library.function("geod_direct")
    beginPolygon = try library.function("geod_polygon_init")
    addToPolygon = try library.function("geod_polygon_addpoint")
    measurePolygon = try library.function("geod_polygon_compute")
  }
}

/// A PROJ context for one thread, silent and without network access.
final class PROJContext {
  let library: PROJLibrary
  let handle: OpaquePointer
  /// The last message of PROJ, which otherwise writes it to standard error.
  private let log = Log()

  private final class Log {
    var text = ""
  }

  init() throws(GeometryError) {
    library = try PROJLibrary.shared()
    guard let made = library.createContext() else {
      throw GeometryError(.coordinateSystem, message: "PROJ could not start")
    }
    handle = made
    _ = library.enableNetwork(handle, 0)
    library.setLogFunction(handle, Unmanaged.passUnretained(log).toOpaque()) { data, _, text in
      guard let data, let text else { return }
      Unmanaged<Log>.fromOpaque(data).takeUnretainedValue().text = String(cString: text)
    }
  }

  deinit { _ = library.destroyContext(handle) }

  /// PROJ's reason for its last error.
  var reason: String { log.text.isEmpty ? "PROJ gives no reason" : log.text }
}

/// An object of PROJ, destroyed with its last user.
final class PROJObject {
  let context: PROJContext
  let handle: OpaquePointer

  /// Returns nil if PROJ returned no object.
  init?(_ handle: OpaquePointer?, in context: PROJContext) {
    guard let handle else { return nil }
    self.handle = handle
    self.context = context
  }

  deinit { _ = context.library.destroy(handle) }

  var name: String {
    context.library.name(handle).map { String(cString: $0) } ?? "unnamed"
  }
}

extension DynamicLibrary {
  /// libproj, from Debian's libproj25 or Homebrew's proj.
  static func proj() throws(LibraryError) -> DynamicLibrary {
    try DynamicLibrary(
      name: "PROJ",
      files: [
        "libproj.so.25", "libproj.so.22", "libproj.so", "libproj.25.dylib", "libproj.dylib",
        "/opt/homebrew/lib/libproj.dylib", "/usr/local/lib/libproj.dylib",
      ],
      advice: "apt install libproj25, or brew install proj")
  }
}
