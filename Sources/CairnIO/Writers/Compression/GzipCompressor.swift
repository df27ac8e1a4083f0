import CairnSystem

/// Compresses bytes in the gzip format.
package final class GzipCompressor {
  /// The library that compresses, or nil if it could not allocate its memory.
  private let engine: (any GzipEngine)?
  private let pieceSize: Int

  /// Creates a compressor.
  ///
  /// - Parameter isFast: Whether to compress as fast as possible, into some more bytes, as for
  ///   responses that a client waits for.
  package convenience init(isFast: Bool = false) {
    self.init(isFast ? IgzipEngine() ?? ZlibEngine(isFast: true) : ZlibEngine(isFast: false))
  }

  /// Creates a compressor with an engine.
  ///
  /// - Parameter pieceSize: The number of bytes that the engine writes at once.
  init(_ engine: (any GzipEngine)?, pieceSize: Int = 1 << 16) {
    self.engine = engine
    self.pieceSize = pieceSize
  }

  /// Compresses bytes into a sink.
  ///
  /// - Parameter isLast: Whether the data ends after the bytes.
  func compress(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into sink: OutputSink
  ) throws(OutputError) {
    guard let engine else { throw .io(ENOMEM) }
    engine.take(bytes, isLast: isLast)
    var isFull = true
    while isFull {
      let target = UnsafeMutableRawBufferPointer(
        start: sink.reserve(pieceSize), count: pieceSize)
      guard let written = engine.write(to: target) else { throw .io(EINVAL) }
      sink.advance(written)
      try sink.flushWhenFull()
      isFull = written == pieceSize
    }
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
