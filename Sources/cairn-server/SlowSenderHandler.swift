#if Server
import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that takes too long to send the body of a request, even if a byte
/// arrives now and then. The time limit of idle connections does not end those.
final class SlowSenderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart

  private var timer: ClosingTimer
  /// Whether a request has begun and not ended.
  private var isReceiving = false

  /// - Parameter timeout: The time between the head of a request and its end.
  init(timeout: TimeAmount) { timer = ClosingTimer(timeout) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: isReceiving = true
    case .body: break
    case .end:
      isReceiving = false
      timer.stop()
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Most requests arrive at once, and need no timer.
    if isReceiving { timer.start(for: context.channel) }
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer.stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer.stop() }
}
#endif
