import CairnSystem

/// Brotli, with libbrotlidec.
enum Brotli {
  /// Unpacks `input` and returns the number of bytes.
  static func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    let library = try BrotliLibrary.shared()
    var size = output.count
    guard library.decompress(input.count, input.baseAddress, &size, output.baseAddress) == 1 else {
      // The library does not tell damaged bytes from too little memory.
      throw ParquetError(
        "the page is damaged: its bytes are not valid BROTLI of at most \(output.count) bytes")
    }
    return size
  }
}

/// The function of libbrotlidec, looked up when it is first needed.
private struct BrotliLibrary: Sendable {
  /// `BrotliDecoderDecompress`
  let decompress:
    @convention(c) (
      Int, UnsafeRawPointer?, UnsafeMutablePointer<Int>, UnsafeMutableRawPointer?
    ) -> Int32

  private static let loaded = Result { () throws(LibraryError) in try BrotliLibrary() }
    .mapError { ParquetError($0) }

  /// The library. Throws an error that says what to install if it is missing.
  static func shared() throws(ParquetError) -> BrotliLibrary { try loaded.get() }

  private init() throws(LibraryError) {
    let library = try DynamicLibrary(
      name: "Brotli",
      files: [
        "libbrotlidec.so.1", "libbrotlidec.1.dylib", "/opt/homebrew/lib/libbrotlidec.1.dylib",
        "/usr/local/lib/libbrotlidec.1.dylib",
      ],
      advice: "apt install libbrotli1, or brew install brotli")
    decompress = try library.function("BrotliDecoderDecompress")
  }
}
