import CairnSystem

/// Zstandard, with libzstd.
package enum Zstandard {
  /// The level: the fastest of those that packs about as well as the library's default.
  static let level: Int32 = 1

  /// Whether the library can be used.
  static var isInstalled: Bool { (try? ZstandardLibrary.shared()) != nil }

  /// Unpacks `input` and returns the number of bytes.
  package static func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    let library = try ZstandardLibrary.shared()
    let context = try unpackers.take(library.newUnpacker)
    defer { unpackers.give(context) }
    let size = library.decompress(
      context, output.baseAddress, output.count, input.baseAddress, input.count)
    guard library.isError(size) == 0 else {
      throw ParquetError("the page is damaged: libzstd says: \(library.message(size))")
    }
    return size
  }

  /// Appends the input as one frame.
  static func compress(
    _ input: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) throws(ParquetError) {
    let library = try ZstandardLibrary.shared()
    let context = try packers.take(library.newPacker)
    defer { packers.give(context) }
    let bound = library.compressBound(input.count)
    guard library.isError(bound) == 0 else {
      throw ParquetError("libzstd cannot pack \(input.count) bytes")
    }
    try output.append(capacity: bound) { (target) throws(ParquetError) in
      let size = library.compress(
        context, target.baseAddress, target.count, input.baseAddress, input.count, level)
      guard library.isError(size) == 0 else {
        throw ParquetError("libzstd cannot pack a page: \(library.message(size))")
      }
      return size
    }
  }

  private static let unpackers = ContextPool()
  private static let packers = ContextPool()
}

/// Contexts of libzstd that no thread uses at the moment: creating one takes as long as unpacking a small
/// page. There are never more than threads that have worked at the same time.
private final class ContextPool: Sendable {
  // Sendable: the thread that takes a context owns it.
  private struct Context: @unchecked Sendable { let pointer: OpaquePointer }

  private let free = Mutex<[Context]>([])

  func take(_ create: () -> OpaquePointer?) throws(ParquetError) -> OpaquePointer {
    if let context = free.withLock({ $0.popLast() }) { return context.pointer }
    guard let new = create() else { throw ParquetError("not enough memory for a page") }
    return new
  }

  func give(_ context: OpaquePointer) { free.withLock { $0.append(Context(pointer: context)) } }
}

/// The functions of libzstd, looked up when they are first needed.
private struct ZstandardLibrary: Sendable {
  /// `ZSTD_createDCtx`
  let newUnpacker: @convention(c) () -> OpaquePointer?
  /// `ZSTD_decompressDCtx`
  let decompress:
    @convention(c) (
      OpaquePointer, UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int
    ) -> Int
  /// `ZSTD_createCCtx`
  let newPacker: @convention(c) () -> OpaquePointer?
  /// `ZSTD_compressCCtx`
  let compress:
    @convention(c) (
      OpaquePointer, UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int, Int32
    ) -> Int
  /// `ZSTD_compressBound`
  let compressBound: @convention(c) (Int) -> Int
  /// `ZSTD_isError`
  let isError: @convention(c) (Int) -> UInt32
  /// `ZSTD_getErrorName`
  private let errorName: @convention(c) (Int) -> UnsafePointer<CChar>?

  private static let loaded = Result { () throws(LibraryError) in try ZstandardLibrary() }
    .mapError { ParquetError($0) }

  /// The library. Throws an error that says what to install if it is missing.
  static func shared() throws(ParquetError) -> ZstandardLibrary { try loaded.get() }

  private init() throws(LibraryError) {
    let library = try DynamicLibrary(
      name: "Zstandard",
      files: [
        "libzstd.so.1", "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib",
        "/usr/local/lib/libzstd.1.dylib",
      ],
      advice: "apt install libzstd1, or brew install zstd")
    newUnpacker = try library.function("ZSTD_createDCtx")
    decompress = try library.function("ZSTD_decompressDCtx")
    newPacker = try library.function("ZSTD_createCCtx")
    compress = try library.function("ZSTD_compressCCtx")
    compressBound = try library.function("ZSTD_compressBound")
    isError = try library.function("ZSTD_isError")
    errorName = try library.function("ZSTD_getErrorName")
  }

  /// The library's message for a size that is an error.
  func message(_ size: Int) -> String { errorName(size).map { String(cString: $0) } ?? "error" }
}
