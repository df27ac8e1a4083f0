import CairnSystem

/// The functions of libsqlite3, looked up when an MBTiles file is written.
struct SQLiteLibrary: Sendable {
  typealias Connection = OpaquePointer
  typealias Statement = OpaquePointer
  typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void

  let open:
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutablePointer<Connection?>, Int32, UnsafePointer<CChar>?
    ) -> Int32
  let close: @convention(c) (Connection?) -> Int32
  let execute:
    @convention(c) (
      Connection, UnsafePointer<CChar>, OpaquePointer?, UnsafeMutableRawPointer?,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32
  let prepare:
    @convention(c) (
      Connection, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Statement?>,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32
  let bindInt: @convention(c) (Statement, Int32, Int64) -> Int32
  let bindBlob: @convention(c) (Statement, Int32, UnsafeRawPointer?, Int32, Destructor?) -> Int32
  let bindText: @convention(c) (Statement, Int32, UnsafePointer<CChar>, Int32, Destructor?) -> Int32
  let step: @convention(c) (Statement) -> Int32
  let reset: @convention(c) (Statement) -> Int32
  let finalize: @convention(c) (Statement?) -> Int32
  /// The text is valid until the next call on the connection.
  let message: @convention(c) (Connection?) -> UnsafePointer<CChar>?

  private static let loaded = Result { () throws(LibraryError) in try SQLiteLibrary() }

  /// The library.
  ///
  /// - Throws: ``TileError`` of the kind `library` if it is not installed.
  static func shared() throws(TileError) -> SQLiteLibrary {
    do throws(LibraryError) { return try loaded.get() } catch {
      throw TileError(.library, message: error.message)
    }
  }

  private init() throws(LibraryError) {
    let library = try DynamicLibrary(
      name: "SQLite",
      files: ["libsqlite3.so.0", "libsqlite3.so", "/usr/lib/libsqlite3.dylib"],
      advice: "apt install libsqlite3-0")
    open = try library.function("sqlite3_open_v2")
    close = try library.function("sqlite3_close_v2")
    execute = try library.function("sqlite3_exec")
    prepare = try library.function("sqlite3_prepare_v2")
    bindInt = try library.function("sqlite3_bind_int64")
    bindBlob = try library.function("sqlite3_bind_blob")
    bindText = try library.function("sqlite3_bind_text")
    step = try library.function("sqlite3_step")
    reset = try library.function("sqlite3_reset")
    finalize = try library.function("sqlite3_finalize")
    message = try library.function("sqlite3_errmsg")
  }
}
