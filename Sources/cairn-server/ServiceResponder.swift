#if Server
import CairnServer
import HTTPTypes
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Answers the requests of Hummingbird with a service.
@available(macOS 14, *)
struct ServiceResponder: Sendable {
  private let service: CairnServer.Service
  private let registry: MetricsRegistry
  private let logger: Logger
  private let isBehindProxy: Bool
  private let date = DateHeader()

  private static let maxBodyLength = 1 << 20

  /// - Parameter isBehindProxy: Whether a proxy names the clients in `X-Forwarded-For`.
  init(
    service: CairnServer.Service, registry: MetricsRegistry, logger: Logger, isBehindProxy: Bool
  ) {
    self.service = service
    self.registry = registry
    self.logger = logger
    self.isBehindProxy = isBehindProxy
  }

  /// Answers a request on its connection.
  func respond(
    to request: HummingbirdCore.Request, writer: consuming ResponseWriter, channel: any Channel
  ) async throws {
    let start = ContinuousClock.now
    let client = client(of: request, channel: channel)
    var response = await answer(request, client: client, channel: channel)
    report(response, to: request, client: client, since: start)
    response.headers[.date] = date.text
    do {
      try await writer.write(response: response.head, body: response.body)
    } catch is HTTPParserError {
      // The framework would answer such an error itself, but the head is on its way.
      throw BrokenRequest()
    }
  }

  /// The rest of a request is not HTTP.
  private struct BrokenRequest: Error {}

  /// Counts a response, and writes it to the log.
  private func report(
    _ response: HummingbirdCore.Response, to request: HummingbirdCore.Request, client: String,
    since start: ContinuousClock.Instant
  ) {
    let status = response.status.code
    let elapsed = (ContinuousClock.now - start).components
    let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    Counter(label: "http_requests_total", dimensions: [("status", "\(status)")]).increment()
    Recorder(label: "http_request_seconds").record(seconds)
    logger.info(
      """
      \(client) \(request.method.rawValue) \(request.uri.string) \(status) \
      \(response.body.contentLength.map { "\($0)" } ?? "-") \
      \(Int((seconds * 1e6).rounded())) µs
      """)
  }

  /// The address of the client. Of several in the header, the proxy itself has added the last one.
  private func client(of request: HummingbirdCore.Request, channel: any Channel) -> String {
    guard isBehindProxy, let header = HTTPField.Name("X-Forwarded-For"),
      let last = request.headers[values: header].last?.split(separator: ",").last
    else { return channel.remoteAddress?.ipAddress ?? "-" }
    // The log and the limits know a client by a short, printable text.
    return String(last.filter { $0.isASCII && !$0.isWhitespace }.prefix(64))
  }

  private func answer(
    _ request: HummingbirdCore.Request, client: String, channel: any Channel
  ) async -> HummingbirdCore.Response {
    if request.uri.path == "/metrics", request.method == .get {
      return Self.text(.ok, registry.text)
    }
    // A client that sends its body slowly must not take the place of another request.
    let body: [UInt8]
    do {
      body = try await Self.body(of: request)
    } catch { return Self.text(.contentTooLarge, "the body is too long\n") }
    let answer = await service.respond(to: Self.request(request, client: client, body: body))
    // HTTP/1.1 would mark the end of a body of unknown length, but HEAD has no body to end.
    if request.method == .head, answer.headers["Content-Length"] == nil, answer.status != 304 {
      return Self.lastHead(answer, channel: channel)
    }
    return Self.response(answer, to: request)
  }

  /// The body of a request. That of a method whose body means nothing is not read.
  private static func body(of request: HummingbirdCore.Request) async throws -> [UInt8] {
    switch request.method {
    case .get, .head, .options: []
    default: Array(buffer: try await request.body.collect(upTo: maxBodyLength))
    }
  }

  /// The path and the query. A client of a proxy may send the whole URL.
  private static func target(of request: HummingbirdCore.Request) -> String {
    request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
  }

  private static func request(
    _ request: HummingbirdCore.Request, client: String, body: [UInt8]
  ) -> CairnServer.Request {
    var headers: Headers = [:]
    if let authority = request.head.authority { headers.append("Host", value: authority) }
    for field in request.headers {
      headers.append(field.name.canonicalName, value: field.value)
    }
    return CairnServer.Request(
      request.method.rawValue, target: target(of: request), headers: headers, body: body,
      client: client)
  }

  /// The headers of an answer.
  private static func headers(_ answer: CairnServer.Response) -> HTTPFields {
    var headers = HTTPFields()
    for (name, value) in answer.headers.fields {
      if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
    }
    return headers
  }

  /// The response to HEAD if the length of the body is unknown, after which the connection closes.
  private static func lastHead(
    _ answer: CairnServer.Response, channel: any Channel
  ) -> HummingbirdCore.Response {
    var headers = Self.headers(answer)
    headers[.connection] = "close"
    return HummingbirdCore.Response(
      status: HTTPResponse.Status(code: answer.status), headers: headers,
      body: ResponseBody { _ in channel.close(promise: nil) })
  }

  private static func response(
    _ answer: CairnServer.Response, to request: HummingbirdCore.Request
  ) -> HummingbirdCore.Response {
    let headers = Self.headers(answer)
    let status = HTTPResponse.Status(code: answer.status)
    switch answer.body {
    case .bytes(let bytes):
      return HummingbirdCore.Response(
        status: status, headers: headers,
        body: bytes.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: bytes)))
    case .stream(let stream):
      return HummingbirdCore.Response(
        status: status, headers: headers,
        body: ResponseBody { writer in
          guard stream.isEndless else { return try await write(stream, to: &writer) }
          // A client that leaves makes room for another one at once, and not with the next event.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await write(stream, to: &writer)
          }
        })
    }
  }

  private static func write(
    _ stream: ByteStream, to writer: inout any ResponseBodyWriter
  ) async throws {
    // A graceful stop ends the streams that do not end by themselves.
    while let chunk = try await cancelWhenGracefulShutdown({ try await stream.next() }) ?? nil {
      try await writer.write(ByteBuffer(bytes: chunk))
    }
    try await writer.finish(nil)
  }

  private static func text(
    _ status: HTTPResponse.Status, _ text: String
  ) -> HummingbirdCore.Response {
    HummingbirdCore.Response(
      status: status, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}
#endif
