#if Server
import CairnSystem
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Refuses connections beyond a limit: each gets one response with the status 503, and is closed.
///
/// If there are many of them, further ones wait in the queue of the system.
final class ConnectionLimit: Sendable {
  /// The number of connections that are served at once.
  let maxConnections: Int
  private let number = Mutex(0)

  /// The connections beyond the limit that may wait for their response at once.
  private static let refusalsAtOnce = 64

  /// The number of connections that are accepted at once.
  var maxAccepted: Int { maxConnections + Self.refusalsAtOnce }

  init(_ maxConnections: Int) { self.maxConnections = maxConnections }

  /// Counts a connection, and returns whether it is within the limit.
  fileprivate func begin() -> Bool {
    number.withLock { number in
      number += 1
      return number <= maxConnections
    }
  }

  fileprivate func end() { number.withLock { $0 -= 1 } }

  /// The handler of one connection.
  func makeHandler() -> any RemovableChannelHandler { Handler(self) }

  private final class Handler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let limit: ConnectionLimit
    private var isWithin = true

    init(_ limit: ConnectionLimit) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) { isWithin = limit.begin() }

    func handlerRemoved(context: ChannelHandlerContext) { limit.end() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if isWithin { return context.fireChannelRead(data) }
      guard case .head(let request) = unwrapInboundIn(data) else { return }
      refuse(request, context: context)
    }

    private func refuse(_ request: HTTPRequest, context: ChannelHandlerContext) {
      let text =
        "the server has \(limit.maxConnections) connections at once, and as many are open\n"
      let fields: HTTPFields = [
        .contentType: "text/plain; charset=utf-8", .contentLength: "\(text.utf8.count)",
        .retryAfter: "5", .connection: "close",
      ]
      let head = HTTPResponse(status: .serviceUnavailable, headerFields: fields)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      if request.method != .head {
        context.write(wrapOutboundOut(.body(ByteBuffer(string: text))), promise: nil)
      }
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
        channel.close(promise: nil)
      }
    }
  }
}
#endif
