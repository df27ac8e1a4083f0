internal import CZlib
import CairnSystem

/// Compresses bytes in the gzip format.
package final class GzipCompressor {
  private var stream = z_stream()
  private let isOpen: Bool

  private static let pieceSize = 1 << 16

  /// - Parameter isFast: Whether to compress in a third of the time, into some 6 % more bytes, as for
  ///   responses that a client waits for.
  package init(isFast: Bool = false) {
    let level = isFast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION
    isOpen = czlib_deflate_gzip(&stream, level) == Z_OK
  }

  deinit { if isOpen { deflateEnd(&stream) } }

  /// Compresses bytes into a sink.
  ///
  /// - Parameter isLast: Whether the data ends after the bytes.
  func compress(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into sink: OutputSink
  ) throws(OutputError) {
    guard isOpen else { throw .io(ENOMEM) }
    stream.next_in = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.avail_in = UInt32(bytes.count)
    repeat {
      let target = sink.reserve(Self.pieceSize)
      stream.next_out = target.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(Self.pieceSize)
      guard deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH) != Z_STREAM_ERROR else {
        throw .io(EINVAL)
      }
      sink.advance(Self.pieceSize - Int(stream.avail_out))
      try sink.flushWhenFull()
    } while stream.avail_out == 0
  }
}

extension GzipCompressor {
  /// Compresses more bytes, and returns those that are ready.
  ///
  /// - Parameter isLast: Whether the data ends after the bytes.
  package func compress(_ bytes: [UInt8], isLast: Bool) throws(OutputError) -> [UInt8] {
    let sink = OutputSink.memory()
    let failure = bytes.withUnsafeBytes { bytes -> OutputError? in
      do throws(OutputError) {
        try compress(bytes, isLast: isLast, into: sink)
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
    return Array(sink.collected)
  }
}
