internal import CArrow
import CairnSystem

/// The functions of libgdal that read layers. Only the processes that read and write files with GDAL
/// look them up.
struct GDALLibrary: Sendable {
  typealias Handle = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>
  typealias ErrorFunction = @convention(c) (Int32, Int32, Text?) -> Void

  let registerAll: @convention(c) () -> Void
  let setOption: @convention(c) (Text, Text?) -> Void
  let pushErrorHandler: @convention(c) (ErrorFunction) -> Void
  let open: @convention(c) (Text, UInt32, Texts?, Texts?, Texts?) -> Handle?
  let driver: @convention(c) (Handle) -> Handle?
  let driverName: @convention(c) (Handle) -> Text?
  let layerCount: @convention(c) (Handle) -> Int32
  let layer: @convention(c) (Handle, Int32) -> Handle?
  let execute: @convention(c) (Handle, Text, Handle?, Text?) -> Handle?
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  /// Names bytes in memory as a file. They are freed with it if the last argument is 1.
  let fileOfBytes:
    @convention(c) (Text, UnsafeMutableRawPointer, UInt64, Int32) -> UnsafeMutableRawPointer?
  let closeFile: @convention(c) (UnsafeMutableRawPointer) -> Int32

  let layerName: @convention(c) (Handle) -> Text?
  let geometryType: @convention(c) (Handle) -> Int32
  let featureCount: @convention(c) (Handle, Int32) -> Int64
  let identifierColumn: @convention(c) (Handle) -> Text?
  let system: @convention(c) (Handle) -> Handle?
  let stream: @convention(c) (Handle, UnsafeMutablePointer<cairn_arrow_stream>, Texts?) -> Int32

  let layerDefinition: @convention(c) (Handle) -> Handle?
  let fieldCount: @convention(c) (Handle) -> Int32
  let field: @convention(c) (Handle, Int32) -> Handle?
  let fieldName: @convention(c) (Handle) -> Text?
  let fieldSubtype: @convention(c) (Handle) -> Int32
  let fieldIndex: @convention(c) (Handle, Text) -> Int32
  let ignoreFields: @convention(c) (Handle, Texts?) -> Int32
  let resetReading: @convention(c) (Handle) -> Void
  let nextFeature: @convention(c) (Handle) -> Handle?
  let destroyFeature: @convention(c) (Handle) -> Void
  let featureNumber: @convention(c) (Handle) -> Int64
  let isSet: @convention(c) (Handle, Int32) -> Int32
  let dateTime:
    @convention(c) (
      Handle, Int32, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
      UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Int32>
    ) -> Int32

  let authorityName: @convention(c) (Handle, Text?) -> Text?
  let authorityCode: @convention(c) (Handle, Text?) -> Text?
  let systemName: @convention(c) (Handle) -> Text?
  let newSystem: @convention(c) (Text?) -> Handle?
  let importEPSG: @convention(c) (Handle, Int32) -> Int32
  let isSame: @convention(c) (Handle, Handle, Texts?) -> Int32
  let isLocal: @convention(c) (Handle) -> Int32
  let exportWKT:
    @convention(c) (Handle, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, Texts?) -> Int32
  /// The numbers are valid until the system changes.
  let axisMapping: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafePointer<Int32>?
  let setAxisStrategy: @convention(c) (Handle, Int32) -> Void
  let cloneSystem: @convention(c) (Handle) -> Handle?
  let releaseSystem: @convention(c) (Handle) -> Void

  let readWKB:
    @convention(c) (UnsafeRawPointer, Handle?, UnsafeMutablePointer<Handle?>, Int32) -> Int32
  let linearized: @convention(c) (Handle, Double, Texts?) -> Handle?
  let forceMultiPolygon: @convention(c) (Handle) -> Handle?
  let swapAxes: @convention(c) (Handle) -> Void
  let sizeOfWKB: @convention(c) (Handle) -> Int32
  let writeWKB: @convention(c) (Handle, Int32, UnsafeMutablePointer<UInt8>) -> Int32
  let destroyGeometry: @convention(c) (Handle) -> Void

  /// Opens libgdal.
  init() throws(LibraryError) {
    let library = try DynamicLibrary.gdal()
    registerAll = try library.function("GDALAllRegister")
    setOption = try library.function("CPLSetConfigOption")
    pushErrorHandler = try library.function("CPLPushErrorHandler")
    open = try library.function("GDALOpenEx")
    driver = try library.function("GDALGetDatasetDriver")
    driverName = try library.function("GDALGetDescription")
    layerCount = try library.function("GDALDatasetGetLayerCount")
    layer = try library.function("GDALDatasetGetLayer")
    execute = try library.function("GDALDatasetExecuteSQL")
    free = try library.function("VSIFree")
    fileOfBytes = try library.function("VSIFileFromMemBuffer")
    closeFile = try library.function("VSIFCloseL")
    layerName = try library.function("OGR_L_GetName")
    geometryType = try library.function("OGR_L_GetGeomType")
    featureCount = try library.function("OGR_L_GetFeatureCount")
    identifierColumn = try library.function("OGR_L_GetFIDColumn")
    system = try library.function("OGR_L_GetSpatialRef")
    stream = try library.function("OGR_L_GetArrowStream")
    layerDefinition = try library.function("OGR_L_GetLayerDefn")
    fieldCount = try library.function("OGR_FD_GetFieldCount")
    field = try library.function("OGR_FD_GetFieldDefn")
    fieldName = try library.function("OGR_Fld_GetNameRef")
    fieldSubtype = try library.function("OGR_Fld_GetSubType")
    fieldIndex = try library.function("OGR_FD_GetFieldIndex")
    ignoreFields = try library.function("OGR_L_SetIgnoredFields")
    resetReading = try library.function("OGR_L_ResetReading")
    nextFeature = try library.function("OGR_L_GetNextFeature")
    destroyFeature = try library.function("OGR_F_Destroy")
    featureNumber = try library.function("OGR_F_GetFID")
    isSet = try library.function("OGR_F_IsFieldSetAndNotNull")
    dateTime = try library.function("OGR_F_GetFieldAsDateTimeEx")
    authorityName = try library.function("OSRGetAuthorityName")
    authorityCode = try library.function("OSRGetAuthorityCode")
    systemName = try library.function("OSRGetName")
    newSystem = try library.function("OSRNewSpatialReference")
    importEPSG = try library.function("OSRImportFromEPSG")
    isSame = try library.function("OSRIsSameEx")
    isLocal = try library.function("OSRIsLocal")
    exportWKT = try library.function("OSRExportToWktEx")
    axisMapping = try library.function("OSRGetDataAxisToSRSAxisMapping")
    setAxisStrategy = try library.function("OSRSetAxisMappingStrategy")
    cloneSystem = try library.function("OSRClone")
    releaseSystem = try library.function("OSRRelease")
    readWKB = try library.function("OGR_G_CreateFromWkb")
    linearized = try library.function("OGR_G_GetLinearGeometry")
    forceMultiPolygon = try library.function("OGR_G_ForceToMultiPolygon")
    swapAxes = try library.function("OGR_G_SwapXY")
    sizeOfWKB = try library.function("OGR_G_WkbSize")
    writeWKB = try library.function("OGR_G_ExportToIsoWkb")
    destroyGeometry = try library.function("OGR_G_DestroyGeometry")
  }
}

extension DynamicLibrary {
  /// libgdal, from Debian's libgdal32 (libgdal34t64, libgdal36 in later releases) or Homebrew's
  /// gdal. The number rises with every minor release; 32 is GDAL 3.6, the first with Arrow.
  static func gdal() throws(LibraryError) -> DynamicLibrary {
    try DynamicLibrary(
      name: "GDAL",
      files: (32...45).reversed().map { "libgdal.so.\($0)" } + [
        "libgdal.so", "libgdal.dylib", "/opt/homebrew/lib/libgdal.dylib",
        "/usr/local/lib/libgdal.dylib",
      ],
      advice: "apt install libgdal32, or brew install gdal")
  }
}
