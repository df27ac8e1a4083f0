import CairnSystem

/// The functions of libgeos, looked up when they are first needed: linking it would add 1.3 ms to
/// every start.
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
  let destroy: @convention(c) (Context, Geometry) -> Void

  private static let loaded = Result { () throws(LibraryError) in
    try GEOSLibrary(DynamicLibrary.geos())
  }.mapError { GeometryError($0) }

  /// The library. Throws an error that says what to install if it is missing.
  static func shared() throws(GeometryError) -> GEOSLibrary { try loaded.get() }

  private init(_ library: DynamicLibrary) throws(LibraryError) {
    initialise = try library.function("GEOS_init_r")
    finish = try library.function("GEOS_finish_r")
    setErrorHandler = try library.function("GEOSContext_setErrorMessageHandler_r")
    sequence = try library.function("GEOSCoordSeq_copyFromArrays_r")
    ring = try library.function("GEOSGeom_createLinearRing_r")
    polygon = try library.function("GEOSGeom_createPolygon_r")
    destroy = try library.function("GEOSGeom_destroy_r")
  }
}

/// The functions of libgeos that create new polygons. Only repairing and cutting need them.
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

  private static let loaded = Result { () throws(LibraryError) in
    try GEOSOverlayLibrary(DynamicLibrary.geos())
  }.mapError { GeometryError($0) }

  /// The functions. Throws an error that says what to install if the library is missing.
  static func shared() throws(GeometryError) -> GEOSOverlayLibrary { try loaded.get() }

  private init(_ library: DynamicLibrary) throws(LibraryError) {
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

/// The functions of libgeos that measure geometries and derive points from them.
struct GEOSPointLibrary: Sendable {
  typealias Context = GEOSLibrary.Context
  typealias Geometry = GEOSLibrary.Geometry
  typealias Measure = @convention(c) (Context, Geometry, UnsafeMutablePointer<Double>) -> Int32

  let centroid: @convention(c) (Context, Geometry) -> Geometry?
  let pointOnSurface: @convention(c) (Context, Geometry) -> Geometry?
  let isEmpty: @convention(c) (Context, Geometry) -> CChar
  let isValid: @convention(c) (Context, Geometry) -> CChar
  let x: Measure
  let y: Measure
  let area: Measure
  let length: Measure

  private static let loaded = Result { () throws(LibraryError) in
    try GEOSPointLibrary(DynamicLibrary.geos())
  }.mapError { GeometryError($0) }

  /// The functions. Throws an error that says what to install if the library is missing.
  static func shared() throws(GeometryError) -> GEOSPointLibrary { try loaded.get() }

  private init(_ library: DynamicLibrary) throws(LibraryError) {
    centroid = try library.function("GEOSGetCentroid_r")
    pointOnSurface = try library.function("GEOSPointOnSurface_r")
    isEmpty = try library.function("GEOSisEmpty_r")
    isValid = try library.function("GEOSisValid_r")
    x = try library.function("GEOSGeomGetX_r")
    y = try library.function("GEOSGeomGetY_r")
    area = try library.function("GEOSArea_r")
    length = try library.function("GEOSLength_r")
  }
}

/// The functions of libgeos that compute a geometry from one or two others.
struct GEOSOperationLibrary: Sendable {
  typealias Context = GEOSLibrary.Context
  typealias Geometry = GEOSLibrary.Geometry
  typealias Unary = @convention(c) (Context, Geometry) -> Geometry?
  typealias Binary = @convention(c) (Context, Geometry, Geometry) -> Geometry?

  /// Takes ownership of the sequence, as `line` does.
  let point: @convention(c) (Context, OpaquePointer) -> Geometry?
  let line: @convention(c) (Context, OpaquePointer) -> Geometry?
  let difference: Binary
  let convexHull: Unary
  let symmetricDifference: Binary
  let buffer: @convention(c) (Context, Geometry, Double, Int32, Int32, Int32, Double) -> Geometry?
  let unaryUnionOnGrid: @convention(c) (Context, Geometry, Double) -> Geometry?

  private static let loaded = Result { () throws(LibraryError) in
    try GEOSOperationLibrary(DynamicLibrary.geos())
  }.mapError { GeometryError($0) }

  /// The functions. Throws an error that says what to install if the library is missing.
  static func shared() throws(GeometryError) -> GEOSOperationLibrary { try loaded.get() }

  private init(_ library: DynamicLibrary) throws(LibraryError) {
    point = try library.function("GEOSGeom_createPoint_r")
    line = try library.function("GEOSGeom_createLineString_r")
    difference = try library.function("GEOSDifference_r")
    convexHull = try library.function("GEOSConvexHull_r")
    symmetricDifference = try library.function("GEOSSymDifference_r")
    buffer = try library.function("GEOSBufferWithStyle_r")
    unaryUnionOnGrid = try library.function("GEOSUnaryUnionPrec_r")
  }
}

/// The functions of libgeos that compute other shapes from a geometry.
struct GEOSShapeLibrary: Sendable {
  typealias Context = GEOSLibrary.Context
  typealias Geometry = GEOSLibrary.Geometry
  typealias Unary = @convention(c) (Context, Geometry) -> Geometry?

  let rotatedRectangle: Unary
  let lineMerge: Unary
  typealias Concave = @convention(c) (Context, Geometry, Double, UInt32) -> Geometry?
  /// The concave hull; an error before version 3.11.
  let concaveHull: Result<Concave, GeometryError>
  let setPrecision: @convention(c) (Context, Geometry, Double, Int32) -> Geometry?

  private static let loaded = Result { () throws(LibraryError) in
    try GEOSShapeLibrary(DynamicLibrary.geos())
  }.mapError { GeometryError($0) }

  /// The functions. Throws an error that says what to install if the library is missing.
  static func shared() throws(GeometryError) -> GEOSShapeLibrary { try loaded.get() }

  private init(_ library: DynamicLibrary) throws(LibraryError) {
    rotatedRectangle = try library.function("GEOSMinimumRotatedRectangle_r")
    lineMerge = try library.function("GEOSLineMerge_r")
    concaveHull = Result { () throws(LibraryError) -> Concave in
      try library.function("GEOSConcaveHull_r")
    }.mapError { error in
      GeometryError(.missingLibrary, message: "\(error.message) (GEOS 3.11 or later is needed)")
    }
    setPrecision = try library.function("GEOSGeom_setPrecision_r")
  }
}

/// A GEOS handle with its last error, for one thread at a time.
final class GEOSContext {
  let library: GEOSLibrary
  let handle: GEOSLibrary.Context
  private let report = ErrorReport()

  init() throws(GeometryError) {
    library = try GEOSLibrary.shared()
    guard let handle = library.initialise() else {
      throw GeometryError(.library, message: "GEOS could not start")
    }
    self.handle = handle
    let target = Unmanaged.passUnretained(report).toOpaque()
    _ = library.setErrorHandler(handle, keepMessage, target)
  }

  deinit { library.finish(handle) }

  /// The error of the call that has just failed.
  func failure(_ what: String) -> GeometryError {
    GeometryError(.library, message: "GEOS could not \(what): \(report.take())")
  }
}

/// The message of GEOS's last error.
final class ErrorReport {
  private var message = ""

  func keep(_ text: String) { message = text }

  func take() -> String {
    defer { message = "" }
    return message.isEmpty ? "it gave no reason" : message
  }
}

private func keepMessage(_ text: UnsafePointer<CChar>?, target: UnsafeMutableRawPointer?) {
  guard let text, let target else { return }
  Unmanaged<ErrorReport>.fromOpaque(target).takeUnretainedValue().keep(String(cString: text))
}

extension DynamicLibrary {
  /// libgeos, from Debian's libgeos-c1v5 (libgeos-c1t64 in later releases) or Homebrew's geos.
  static func geos() throws(LibraryError) -> DynamicLibrary {
    try DynamicLibrary(
      name: "GEOS",
      files: [
        "libgeos_c.so.1", "libgeos_c.so", "libgeos_c.1.dylib",
        "/opt/homebrew/lib/libgeos_c.1.dylib", "/usr/local/lib/libgeos_c.1.dylib",
      ],
      advice: "apt install libgeos-c1v5, or brew install geos")
  }
}
