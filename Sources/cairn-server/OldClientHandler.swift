#if Server
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Answers clients of HTTP/1.0, such as old proxies, in the way that they understand: without chunks, and
/// with the end of the connection behind the body.
///
/// The framework's requests have lost the version, so this handler comes before their conversion.
final class OldClientHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Whether a request of the connection was of HTTP/1.0.
  private var isOld = false

  /// A handler that moves itself to its place in the pipeline when it is added.
  static func makeInstaller() -> any RemovableChannelHandler { Installer() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data), head.version != .http1_1 { isOld = true }
    context.fireChannelRead(data)
  }

  func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    guard isOld else { return context.write(data, promise: promise) }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      head.version = .http1_0
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      let channel = context.channel
      let written = promise ?? context.eventLoop.makePromise()
      written.futureResult.whenComplete { _ in channel.close(promise: nil) }
      context.writeAndFlush(data, promise: written)
    }
  }

  private final class Installer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
      let pipeline = context.pipeline.syncOperations
      guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
      try? pipeline.addHandler(OldClientHandler(), position: .before(codec))
      pipeline.removeHandler(self, promise: nil)
    }
  }
}
#endif
