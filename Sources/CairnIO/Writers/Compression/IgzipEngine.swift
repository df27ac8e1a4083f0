internal import CIgzip
import CairnSystem

/// A compressor with [ISA-L](https://github.com/intel/isa-l), which writes about as many bytes as
/// zlib's fastest level in an eighth of the time.
final class IgzipEngine: GzipEngine {
  private let library: IgzipLibrary
  private let stream: UnsafeMutablePointer<cairn_igzip_stream>
  private let buffer: UnsafeMutableRawPointer

  /// The size of an `isal_zstream`, which has 82 384 bytes in version 2 of the shared library, rounded
  /// up.
  private static let streamSize = 96 << 10
  /// The size of the buffer of level 1, `ISAL_DEF_LVL1_SMALL`. ISA-L writes nothing before the buffer is
  /// full, so a larger one would delay the first chunk of a stream.
  private static let bufferSize = 84 << 10

  /// Creates a compressor, or returns nil if ISA-L is not installed.
  init?() {
    guard let library = IgzipLibrary.shared else { return nil }
    self.library = library
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.streamSize, alignment: 64)
    stream = memory.bindMemory(to: cairn_igzip_stream.self, capacity: 1)
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 64)
    library.start(memory)
    stream.pointee.level = 1
    stream.pointee.level_buf = buffer.assumingMemoryBound(to: UInt8.self)
    stream.pointee.level_buf_size = UInt32(Self.bufferSize)
    stream.pointee.gzip_flag = 1
  }

  deinit {
    UnsafeMutableRawPointer(stream).deallocate()
    buffer.deallocate()
  }

  func take(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
    stream.pointee.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    assert(bytes.count <= Int(UInt32.max), "there are more bytes than the library can take")
    stream.pointee.avail_in = UInt32(bytes.count)
    stream.pointee.end_of_stream = isLast ? 1 : 0
  }

  func write(to target: UnsafeMutableRawBufferPointer) -> Int? {
    stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(target.count)
    guard library.compress(UnsafeMutableRawPointer(stream)) == 0 else { return nil }
    assert(Int(stream.pointee.avail_out) <= target.count, "the library wrote behind the target")
    return target.count - Int(stream.pointee.avail_out)
  }
}

/// The functions of libisal, looked up when something is first compressed with them.
private struct IgzipLibrary: Sendable {
  /// `isal_deflate_init`
  let start: @convention(c) (UnsafeMutableRawPointer) -> Void
  /// `isal_deflate`
  let compress: @convention(c) (UnsafeMutableRawPointer) -> Int32

  /// The library, or nil if it is not installed.
  static let shared = try? IgzipLibrary()

  private init() throws(LibraryError) {
    let library = try DynamicLibrary(
      name: "ISA-L",
      files: [
        "libisal.so.2", "libisal.2.dylib", "/opt/homebrew/lib/libisal.2.dylib",
        "/usr/local/lib/libisal.2.dylib",
      ],
      advice: "apt install libisal2, or brew install isa-l")
    start = try library.function("isal_deflate_init")
    compress = try library.function("isal_deflate")
  }
}
