import CairnServer
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import NIOCore
import ServiceLifecycle
import Synchronization

/// The request context, which remembers the address of the client.
struct ClientContext: Hummingbird.RequestContext {
  var coreContext: CoreRequestContextStorage
  let client: String

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    client = source.channel.remoteAddress?.ipAddress ?? "-"
  }
}

/// Answers the requests of Hummingbird with a service.
struct ServiceResponder: HTTPResponder {
  typealias Context = ClientContext

  private let service: CairnServer.Service
  private let registry: MetricsRegistry
  private let logger: Logger
  private let maxRequests: Int
  private let active = RequestCount()

  private static let maxBodyLength = 1 << 20

  init(
    service: CairnServer.Service, registry: MetricsRegistry, logger: Logger, maxRequests: Int
  ) {
    self.service = service
    self.registry = registry
    self.logger = logger
    self.maxRequests = maxRequests
  }

  func respond(
    to request: Hummingbird.Request, context: ClientContext
  ) async throws -> Hummingbird.Response {
    let start = ContinuousClock.now
    let response = await answer(request)
    let seconds =
      Double((ContinuousClock.now - start).components.attoseconds) * 1e-18
      + Double((ContinuousClock.now - start).components.seconds)
    let status = response.status.code
    Counter(label: "http_requests_total", dimensions: [("status", "\(status)")]).increment()
    Recorder(label: "http_request_seconds").record(seconds)
    logger.info(
      """
      \(context.client) \(request.method.rawValue) \(request.uri.string) \(status) \
      \(response.body.contentLength.map { "\($0)" } ?? "-") \
      \(Int((seconds * 1e6).rounded())) µs
      """)
    return response
  }

  private func answer(_ request: Hummingbird.Request) async -> Hummingbird.Response {
    if request.uri.path == "/metrics", request.method == .get {
      return Self.text(.ok, registry.text)
    }
    guard active.begin(below: maxRequests) else {
      var response = Self.text(.serviceUnavailable, "too many requests at once\n")
      response.headers[.retryAfter] = "1"
      return response
    }
    defer { active.end() }
    let body: [UInt8]
    do {
      body = Array(buffer: try await request.body.collect(upTo: Self.maxBodyLength))
    } catch { return Self.text(.contentTooLarge, "the body is too long\n") }
    let answer = await service.respond(to: Self.request(request, body: body))
    return Self.response(answer, isHead: request.method == .head)
  }

  private static func request(
    _ request: Hummingbird.Request, body: [UInt8]
  ) -> CairnServer.Request {
    var headers: Headers = [:]
    if let authority = request.head.authority { headers.append("Host", value: authority) }
    for field in request.headers {
      headers.append(field.name.canonicalName, value: field.value)
    }
    return CairnServer.Request(
      request.method.rawValue, target: request.uri.string, headers: headers, body: body)
  }

  private static func response(
    _ answer: CairnServer.Response, isHead: Bool
  ) -> Hummingbird.Response {
    var headers = HTTPFields()
    for (name, value) in answer.headers.fields {
      if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
    }
    let status = HTTPResponse.Status(code: answer.status)
    switch answer.body {
    case .bytes(let bytes):
      return Hummingbird.Response(
        status: status, headers: headers,
        body: bytes.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: bytes)))
    case .stream(let stream):
      return Hummingbird.Response(
        status: status, headers: headers,
        body: ResponseBody { writer in
          // A graceful stop ends the streams that do not end by themselves.
          while let chunk = try await cancelWhenGracefulShutdown({ try await stream.next() }) ?? nil
          {
            try await writer.write(ByteBuffer(bytes: chunk))
          }
          try await writer.finish(nil)
        })
    }
  }

  private static func text(
    _ status: HTTPResponse.Status, _ text: String
  ) -> Hummingbird.Response {
    Hummingbird.Response(
      status: status, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}

/// The number of requests in progress.
final class RequestCount: Sendable {
  private let number = Atomic(0)

  /// Counts a request, and returns true if there were fewer than the limit.
  func begin(below limit: Int) -> Bool {
    guard number.add(1, ordering: .relaxed).oldValue < limit else {
      end()
      return false
    }
    return true
  }

  /// Ends a request.
  func end() { number.subtract(1, ordering: .relaxed) }
}
