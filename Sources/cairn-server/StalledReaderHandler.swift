#if Server
import NIOCore

/// Closes the connection of a client that does not read what is sent to it. The responses to such a
/// client wait, and would keep their state of the store for as long.
final class StalledReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private var timer: ClosingTimer

  /// - Parameter timeout: The time in which the client has to make room for more bytes.
  init(timeout: TimeAmount) { timer = ClosingTimer(timeout) }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { timer.stop() } else { timer.start(for: context.channel) }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer.stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer.stop() }
}
#endif
