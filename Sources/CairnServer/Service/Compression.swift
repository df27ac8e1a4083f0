import CairnFormats
import CairnSystem

/// The compression of responses with gzip.
enum Compression {
  /// Shorter responses are sent as they are.
  private static let minSize = 1024

  /// Returns the response in the form that the client accepts.
  static func applied(to response: Response, for request: Request) -> Response {
    guard accepts(request.headers["Accept-Encoding"]),
      // Events must not wait in the compressor.
      let type = response.headers["Content-Type"], type != MediaType.events.header
    else { return response }
    var compressed = response
    switch response.body {
    case .bytes(let bytes):
      guard bytes.count >= minSize,
        let packed = try? GzipCompressor().compress(bytes, isLast: true)
      else { return response }
      compressed.body = .bytes(packed)
    case .stream(let stream): compressed.body = .stream(packed(stream))
    }
    compressed.headers["Content-Encoding"] = "gzip"
    compressed.headers["ETag"] = response.headers["ETag"].map(EntityTag.compressed)
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

  private static func packed(_ stream: ByteStream) -> ByteStream {
    let packer = StreamPacker(stream)
    return ByteStream { try await packer.next() }
  }

  /// Compresses the chunks of a stream. One task at a time calls it.
  private final class StreamPacker: @unchecked Sendable {
    private let stream: ByteStream
    private let compressor = GzipCompressor()
    private var isEnded = false

    init(_ stream: ByteStream) { self.stream = stream }

    func next() async throws -> [UInt8]? {
      while !isEnded {
        let chunk = try await stream.next()
        isEnded = chunk == nil
        let packed = try compressor.compress(chunk ?? [], isLast: isEnded)
        if !packed.isEmpty { return packed }
      }
      return nil
    }
  }
}
