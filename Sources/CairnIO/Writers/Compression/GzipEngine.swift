internal import CZlib

/// A library's compressor of the gzip format, for one stream of bytes.
protocol GzipEngine: AnyObject {
  /// Takes the next bytes to compress, less than 4 GiB. They must stay in place until `write` has
  /// consumed them.
  ///
  /// - Parameter isLast: Whether the data ends after the bytes.
  func take(_ bytes: UnsafeRawBufferPointer, isLast: Bool)

  /// Writes compressed bytes and returns their number, or nil if the library fails. If the target is
  /// not full afterwards, the engine has consumed all bytes that it took.
  func write(to target: UnsafeMutableRawBufferPointer) -> Int?
}

/// A compressor with zlib.
final class ZlibEngine: GzipEngine {
  private var stream = z_stream()
  private var isLast = false

  /// Creates a compressor, or returns nil if zlib cannot allocate its memory.
  ///
  /// - Parameter isFast: Whether to compress at the fastest level instead of the default one.
  init?(isFast: Bool) {
    let level = isFast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION
    guard czlib_deflate_gzip(&stream, level) == Z_OK else { return nil }
  }

  deinit { deflateEnd(&stream) }

  func take(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
    stream.next_in = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    assert(bytes.count <= Int(UInt32.max), "there are more bytes than the library can take")
    stream.avail_in = UInt32(bytes.count)
    self.isLast = isLast
  }

  func write(to target: UnsafeMutableRawBufferPointer) -> Int? {
    stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(target.count)
    guard deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH) != Z_STREAM_ERROR else { return nil }
    assert(Int(stream.avail_out) <= target.count, "the library wrote behind the target")
    return target.count - Int(stream.avail_out)
  }
}
