import CairnSystem

/// The functions of libgdal that write layers.
struct GDALWriting: Sendable {
  typealias Handle = GDALLibrary.Handle
  typealias Text = GDALLibrary.Text
  typealias Texts = GDALLibrary.Texts

  let driver: @convention(c) (Text) -> Handle?
  let create: @convention(c) (Handle, Text, Int32, Int32, Int32, Int32, Texts?) -> Handle?
  let close: @convention(c) (Handle) -> Void
  let createLayer: @convention(c) (Handle, Text, Handle?, Int32, Texts?) -> Handle?
  let startTransaction: @convention(c) (Handle, Int32) -> Int32
  let commit: @convention(c) (Handle) -> Int32

  let newField: @convention(c) (Text, Int32) -> Handle?
  let setSubtype: @convention(c) (Handle, Int32) -> Void
  let destroyField: @convention(c) (Handle) -> Void
  let addField: @convention(c) (Handle, Handle, Int32) -> Int32

  let newFeature: @convention(c) (Handle) -> Handle?
  let setNumber: @convention(c) (Handle, Int64) -> Int32
  let setNull: @convention(c) (Handle, Int32) -> Void
  let setBool: @convention(c) (Handle, Int32, Int32) -> Void
  let setInt: @convention(c) (Handle, Int32, Int64) -> Void
  let setDouble: @convention(c) (Handle, Int32, Double) -> Void
  let setText: @convention(c) (Handle, Int32, Text) -> Void
  let setBytes: @convention(c) (Handle, Int32, Int32, UnsafeRawPointer) -> Void
  let setTime:
    @convention(c) (Handle, Int32, Int32, Int32, Int32, Int32, Int32, Float, Int32) -> Void
  let setGeometry: @convention(c) (Handle, Handle?) -> Int32
  let addFeature: @convention(c) (Handle, Handle) -> Int32

  let setSystem: @convention(c) (Handle, Text) -> Int32

  /// Finds the functions.
  init() throws(LibraryError) {
    let library = try DynamicLibrary.gdal()
    driver = try library.function("GDALGetDriverByName")
    create = try library.function("GDALCreate")
    close = try library.function("GDALClose")
    createLayer = try library.function("GDALDatasetCreateLayer")
    startTransaction = try library.function("GDALDatasetStartTransaction")
    commit = try library.function("GDALDatasetCommitTransaction")
    newField = try library.function("OGR_Fld_Create")
    setSubtype = try library.function("OGR_Fld_SetSubType")
    destroyField = try library.function("OGR_Fld_Destroy")
    addField = try library.function("OGR_L_CreateField")
    newFeature = try library.function("OGR_F_Create")
    setNumber = try library.function("OGR_F_SetFID")
    setNull = try library.function("OGR_F_SetFieldNull")
    setBool = try library.function("OGR_F_SetFieldInteger")
    setInt = try library.function("OGR_F_SetFieldInteger64")
    setDouble = try library.function("OGR_F_SetFieldDouble")
    setText = try library.function("OGR_F_SetFieldString")
    setBytes = try library.function("OGR_F_SetFieldBinary")
    setTime = try library.function("OGR_F_SetFieldDateTimeEx")
    setGeometry = try library.function("OGR_F_SetGeometryDirectly")
    addFeature = try library.function("OGR_L_CreateFeature")
    setSystem = try library.function("OSRSetFromUserInput")
  }
}
