internal import CZlib

/// Gzip's format, and zlib's own.
enum Gzip {
  /// Unpacks all members of the input and returns the number of bytes.
  static func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    // zlib wants an address even where it cannot write a byte.
    var nothing: UInt8 = 0
    return try withUnsafeMutableBytes(of: &nothing) { (nothing) throws(ParquetError) in
      let target = output.baseAddress == nil ? .init(rebasing: nothing[..<0]) : output
      return try inflateAll(input, into: target)
    }
  }

  private static func inflateAll(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    var stream = z_stream()
    guard czlib_inflate_any(&stream) == Z_OK else {
      throw ParquetError("not enough memory to unpack a page")
    }
    defer { inflateEnd(&stream) }
    var (consumed, written) = (0, 0)
    while true {
      let (available, capacity) = (
        UInt32(clamping: input.count - consumed), UInt32(clamping: output.count - written)
      )
      stream.next_in = (input.baseAddress?.assumingMemoryBound(to: UInt8.self)).map {
        UnsafeMutablePointer(mutating: $0 + consumed)
      }
      stream.avail_in = available
      stream.next_out = output.baseAddress.map {
        $0.assumingMemoryBound(to: UInt8.self) + written
      }
      stream.avail_out = capacity
      let status = inflate(&stream, Z_NO_FLUSH)
      consumed += Int(available - stream.avail_in)
      written += Int(capacity - stream.avail_out)
      switch status {
      case Z_OK: continue
      case Z_STREAM_END:
        if consumed == input.count { return written }
        guard inflateReset(&stream) == Z_OK else { throw .damaged(.gzip) }
      case Z_BUF_ERROR where consumed < input.count && written == output.count:
        throw .oversized(output)
      default: throw .damaged(.gzip)
      }
    }
  }

  /// Appends the input as one member of gzip's format.
  static func compress(
    _ input: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) throws(ParquetError) {
    var stream = z_stream()
    guard input.count <= Int(UInt32.max), czlib_deflate_gzip(&stream, Z_DEFAULT_COMPRESSION) == Z_OK
    else { throw ParquetError("not enough memory to pack a page") }
    defer { deflateEnd(&stream) }
    let capacity = Int(deflateBound(&stream, UInt(input.count)))
    try output.append(capacity: capacity) { (target) throws(ParquetError) in
      stream.next_in = (input.baseAddress?.assumingMemoryBound(to: UInt8.self)).map {
        UnsafeMutablePointer(mutating: $0)
      }
      stream.avail_in = UInt32(input.count)
      stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(clamping: target.count)
      guard deflate(&stream, Z_FINISH) == Z_STREAM_END else {
        throw ParquetError("zlib could not pack a page")
      }
      return target.count - Int(stream.avail_out)
    }
  }
}
