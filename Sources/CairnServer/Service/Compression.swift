import CairnIO
import CairnSystem

/// The compression of responses with gzip.
enum Compression {
  /// Shorter responses are sent as they are.
  static let minSize = 1024

  /// Returns the response in the form that the client accepts.
  ///
  /// - Parameter threads: The threads that compress the chunks of a stream.
  static func applied(
    to response: Response, for request: Request, on threads: RequestThreads
  ) -> Response {
    guard accepts(request.headers["Accept-Encoding"]),
      // Events must not wait in the compressor.
      let type = response.headers["Content-Type"], type != MediaType.events.header
    else { return response }
    var compressed = response
    compressed.headers["ETag"] = response.headers["ETag"].map(EntityTag.compressed)
    // A tile comes from the cache in this form.
    if response.headers["Content-Encoding"] != nil { return compressed }
    switch response.body {
    case .bytes(let bytes):
      guard bytes.count >= minSize,
        let packed = try? GzipCompressor(isFast: true).compress(bytes, isLast: true)
      else { return response }
      compressed.body = .bytes(packed)
    case .stream(let stream): compressed.body = .stream(packed(stream, on: threads))
    }
    compressed.headers["Content-Encoding"] = "gzip"
    return compressed
  }

  /// Whether a client accepts gzip.
  static func accepts(_ header: String?) -> Bool {
    guard let header else { return false }
    return header.lowercased().split(separator: ",").contains { part in
      let words = part.split(separator: ";").map { $0.filter { $0 != " " } }
      guard let name = words.first, name == "gzip" || name == "*" else { return false }
      return !words.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
    }
  }

  private static func packed(_ stream: ByteStream, on threads: RequestThreads) -> ByteStream {
    let packer = StreamPacker(stream, threads: threads)
    return ByteStream { try await packer.next() }
  }

  /// Compresses the chunks of a stream.
  private final class StreamPacker: @unchecked Sendable {
    // Sendable: one task at a time uses it, and waits while a request thread compresses a chunk.
    private let stream: ByteStream
    private let threads: RequestThreads
    private let compressor = GzipCompressor(isFast: true)
    private var isEnded = false

    init(_ stream: ByteStream, threads: RequestThreads) {
      (self.stream, self.threads) = (stream, threads)
    }

    func next() async throws -> [UInt8]? {
      while !isEnded {
        let chunk = try await stream.next()
        isEnded = chunk == nil
        let packed = try await threads.run { [self] in
          try compressor.compress(chunk ?? [], isLast: isEnded)
        }
        if !packed.isEmpty { return packed }
      }
      return nil
    }
  }
}
