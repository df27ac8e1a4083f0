import CairnSystem

/// The functions of libpq, looked up when the first connection opens.
struct PostgresLibrary: Sendable {
  typealias Handle = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>
  typealias NoticeProcessor = @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void
  typealias CancelFunction =
    @convention(c) (Handle?, UnsafeMutablePointer<CChar>?, Int32) -> Int32

  let parse:
    @convention(c) (Text, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) ->
      UnsafeMutableRawPointer?
  let freeOptions: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  /// The options are valid until `freeOptions`.
  let info: @convention(c) (Handle?) -> UnsafeMutableRawPointer?
  let password: @convention(c) (Handle?) -> Text?
  let connect: @convention(c) (Texts, Texts, Int32) -> Handle?
  let finish: @convention(c) (Handle?) -> Void
  let status: @convention(c) (Handle?) -> Int32
  let message: @convention(c) (Handle?) -> Text?
  let setNoticeProcessor:
    @convention(c) (Handle?, NoticeProcessor, UnsafeMutableRawPointer?) -> Void

  let send:
    @convention(c) (
      Handle?, Text, Int32, UnsafePointer<UInt32>?, Texts?, UnsafePointer<Int32>?,
      UnsafePointer<Int32>?, Int32
    ) -> Int32
  let setSingleRowMode: @convention(c) (Handle?) -> Int32
  let nextResult: @convention(c) (Handle?) -> Handle?
  let resultStatus: @convention(c) (Handle?) -> Int32
  let errorField: @convention(c) (Handle?, Int32) -> Text?
  let clear: @convention(c) (Handle?) -> Void
  let rowCount: @convention(c) (Handle?) -> Int32
  let columnCount: @convention(c) (Handle?) -> Int32
  let affectedRows: @convention(c) (Handle?) -> Text?
  /// The bytes are valid until the result is cleared.
  let value: @convention(c) (Handle?, Int32, Int32) -> UnsafePointer<UInt8>?
  let length: @convention(c) (Handle?, Int32, Int32) -> Int32
  let isNull: @convention(c) (Handle?, Int32, Int32) -> Int32

  let putCopyData: @convention(c) (Handle?, UnsafePointer<UInt8>?, Int32) -> Int32
  let putCopyEnd: @convention(c) (Handle?, Text?) -> Int32
  let getCopyData:
    @convention(c) (Handle?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, Int32) -> Int32

  let makeCancel: @convention(c) (Handle?) -> Handle?
  let freeCancel: @convention(c) (Handle?) -> Void
  let cancel: CancelFunction

  private static let loaded = Result { () throws(LibraryError) in try PostgresLibrary() }

  /// The library.
  ///
  /// - Throws: ``PostgresError`` of the kind `library` if it is not installed.
  static func shared() throws(PostgresError) -> PostgresLibrary {
    do throws(LibraryError) { return try loaded.get() } catch {
      throw PostgresError(.library, message: error.message)
    }
  }

  private init() throws(LibraryError) {
    let library = try DynamicLibrary(
      name: "libpq",
      files: [
        "libpq.so.5", "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
        "/usr/local/opt/libpq/lib/libpq.5.dylib",
      ],
      advice: "apt install libpq5, or brew install libpq")
    parse = try library.function("PQconninfoParse")
    freeOptions = try library.function("PQconninfoFree")
    free = try library.function("PQfreemem")
    info = try library.function("PQconninfo")
    password = try library.function("PQpass")
    connect = try library.function("PQconnectdbParams")
    finish = try library.function("PQfinish")
    status = try library.function("PQstatus")
    message = try library.function("PQerrorMessage")
    setNoticeProcessor = try library.function("PQsetNoticeProcessor")
    send = try library.function("PQsendQueryParams")
    setSingleRowMode = try library.function("PQsetSingleRowMode")
    nextResult = try library.function("PQgetResult")
    resultStatus = try library.function("PQresultStatus")
    errorField = try library.function("PQresultErrorField")
    clear = try library.function("PQclear")
    rowCount = try library.function("PQntuples")
    columnCount = try library.function("PQnfields")
    affectedRows = try library.function("PQcmdTuples")
    value = try library.function("PQgetvalue")
    length = try library.function("PQgetlength")
    isNull = try library.function("PQgetisnull")
    putCopyData = try library.function("PQputCopyData")
    putCopyEnd = try library.function("PQputCopyEnd")
    getCopyData = try library.function("PQgetCopyData")
    makeCancel = try library.function("PQgetCancel")
    freeCancel = try library.function("PQfreeCancel")
    cancel = try library.function("PQcancel")
  }
}
