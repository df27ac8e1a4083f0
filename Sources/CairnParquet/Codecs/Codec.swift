/// The compression of the pages of a column chunk, with Parquet's numbers.
enum Codec: Int32, CaseIterable, Sendable {
  /// No compression.
  case uncompressed = 0
  /// Google's Snappy, without its framing.
  case snappy
  /// Gzip (RFC 1952), or zlib's own format (RFC 1950).
  case gzip
  /// LZO, which cannot be read.
  case lzo
  /// Brotli (RFC 7932).
  case brotli
  /// LZ4 in Hadoop's framing; some writers left the framing away, or wrote LZ4's own frames.
  case lz4
  /// Zstandard (RFC 8878).
  case zstd
  /// LZ4 blocks without a framing.
  case lz4Raw

  /// The name in Parquet's documents.
  var name: String {
    switch self {
    case .uncompressed: "UNCOMPRESSED"
    case .snappy: "SNAPPY"
    case .gzip: "GZIP"
    case .lzo: "LZO"
    case .brotli: "BROTLI"
    case .lz4: "LZ4"
    case .zstd: "ZSTD"
    case .lz4Raw: "LZ4_RAW"
    }
  }

  /// The codec of files that are written: Zstandard, or Snappy where its library is missing.
  static var best: Codec { Zstandard.isInstalled ? .zstd : .snappy }

  /// Unpacks a page.
  ///
  /// - Throws: ``ParquetError`` if the page is damaged, its unpacked bytes do not fill `output` exactly,
  ///   or the codec's library is not installed.
  func decompress(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) {
    // Writers leave an empty page without the header of its codec.
    if input.isEmpty, output.isEmpty { return }
    let size = try unpack(input, into: output)
    guard size == output.count else {
      throw ParquetError(
        "the page has \(size) bytes when unpacked, and its header says \(output.count)")
    }
  }

  /// Packs a page and appends it to `output`.
  ///
  /// - Throws: ``ParquetError`` if the codec is not written, or its library is not installed.
  func compress(
    _ input: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) throws(ParquetError) {
    switch self {
    case .uncompressed: output.append(contentsOf: input)
    case .snappy: try Snappy.compress(input, into: &output)
    case .gzip: try Gzip.compress(input, into: &output)
    case .zstd: try Zstandard.compress(input, into: &output)
    case .lzo, .brotli, .lz4, .lz4Raw: throw ParquetError("the codec \(name) is not written")
    }
  }

  /// Returns the number of bytes that it wrote.
  private func unpack(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ParquetError) -> Int {
    switch self {
    case .uncompressed:
      if input.count == output.count { output.copyMemory(from: input) }
      return input.count
    case .snappy: return try Snappy.decompress(input, into: output)
    case .gzip: return try Gzip.decompress(input, into: output)
    case .lzo: throw ParquetError("the codec LZO is not supported")
    case .brotli: return try Brotli.decompress(input, into: output)
    case .lz4: return try HadoopLZ4.decompress(input, into: output)
    case .zstd: return try Zstandard.decompress(input, into: output)
    case .lz4Raw: return try LZ4Block.decompress(input, into: output)
    }
  }
}

extension ParquetError {
  /// The fault of packed bytes that a codec cannot read.
  static func damaged(_ codec: Codec) -> ParquetError {
    ParquetError("the page is damaged: its bytes are not valid \(codec.name)")
  }

  /// The fault of packed bytes that do not fit in `output`.
  static func oversized(_ output: UnsafeMutableRawBufferPointer) -> ParquetError {
    ParquetError(
      "the page has more than \(output.count) bytes when unpacked, the size in its header")
  }
}
