import CairnSystem

/// Compresses strings of bytes in the gzip format, each as a whole.
///
/// With [libdeflate](https://github.com/ebiggers/libdeflate), which comes with the packages of GDAL,
/// this takes half of zlib's time, into as many bytes. A packer belongs to one thread.
package final class GzipPacker {
  private let library: DeflateLibrary?
  private let compressor: OpaquePointer?

  /// The level that zlib has by default.
  private static let level: Int32 = 6

  /// Creates a packer.
  package convenience init() { self.init(DeflateLibrary.shared) }

  /// - Parameter library: The library; nil for zlib.
  init(_ library: DeflateLibrary?) {
    self.library = library
    compressor = library?.make(Self.level)
  }

  deinit { if let library { library.free(compressor) } }

  /// Compresses bytes, less than 4 GiB.
  ///
  /// - Throws: `.io` if memory runs out or the library fails.
  package func pack(_ bytes: [UInt8]) throws(OutputError) -> [UInt8] {
    guard let library, let compressor else {
      return try GzipCompressor().compress(bytes, isLast: true)
    }
    let bound = library.bound(compressor, bytes.count)
    let packed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      count = bytes.withUnsafeBytes {
        library.compress(compressor, $0.baseAddress, $0.count, target.baseAddress, bound)
      }
    }
    // The bound is enough for any bytes, so this is a fault of the library.
    guard !packed.isEmpty else { throw .io(EINVAL) }
    return packed
  }
}

/// The functions of libdeflate, looked up when something is first compressed with them.
struct DeflateLibrary: Sendable {
  /// `libdeflate_alloc_compressor`
  let make: @convention(c) (Int32) -> OpaquePointer?
  /// `libdeflate_free_compressor`
  let free: @convention(c) (OpaquePointer?) -> Void
  /// `libdeflate_gzip_compress_bound`
  let bound: @convention(c) (OpaquePointer?, Int) -> Int
  /// `libdeflate_gzip_compress`
  let compress:
    @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int) -> Int

  /// The library, or nil if it is not installed.
  static let shared = try? DeflateLibrary()

  private init() throws(LibraryError) {
    let library = try DynamicLibrary(
      name: "libdeflate",
      files: [
        "libdeflate.so.0", "libdeflate.0.dylib", "/opt/homebrew/lib/libdeflate.0.dylib",
        "/usr/local/lib/libdeflate.0.dylib",
      ],
      advice: "apt install libdeflate0, or brew install libdeflate")
    make = try library.function("libdeflate_alloc_compressor")
    free = try library.function("libdeflate_free_compressor")
    bound = try library.function("libdeflate_gzip_compress_bound")
    compress = try library.function("libdeflate_gzip_compress")
  }
}
