/// The answer to a ``Request``.
public struct Response: Sendable {
  /// The content of a response.
  public enum Body: Sendable {
    /// All bytes at once.
    case bytes([UInt8])
    /// Bytes that are produced while they are sent.
    case stream(ByteStream)
  }

  /// The HTTP status code.
  public var status: Int
  /// The headers. Only the answer to HEAD has a `Content-Length`, unless the length is unknown.
  public var headers: Headers
  /// The content.
  public var body: Body

  /// Creates a response.
  public init(status: Int = 200, headers: Headers = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Creates a response with a text.
  init(status: Int = 200, _ type: MediaType, text: String) {
    self.init(
      status: status, headers: ["Content-Type": type.header], body: .bytes(Array(text.utf8)))
  }
}

/// A sequence of chunks of bytes that the transport pulls, so that a slow client slows down the
/// production instead of filling the memory.
public struct ByteStream: Sendable {
  /// Whether the stream waits for events until the client leaves. The transport then cancels the
  /// task that waits as soon as the client closes its side of the connection.
  public let isEndless: Bool
  private let produce: @Sendable () async throws -> [UInt8]?

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - isEndless: Whether the stream waits for events until the client leaves.
  ///   - produce: Returns the next chunk; nil at the end. It is not called again before it has
  ///     returned, nor after it has thrown.
  public init(
    isEndless: Bool = false, _ produce: @escaping @Sendable () async throws -> [UInt8]?
  ) {
    self.isEndless = isEndless
    self.produce = produce
  }

  /// Returns the next chunk; nil at the end.
  ///
  /// - Throws: An error if the content cannot be completed. The transport then closes the
  ///   connection, so that the client does not take a part for the whole.
  public func next() async throws -> [UInt8]? { try await produce() }
}
