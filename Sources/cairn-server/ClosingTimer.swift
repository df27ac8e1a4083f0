#if Server
import NIOCore

/// Closes a connection after a time, unless it is stopped before. It belongs to the event loop of the
/// connection.
struct ClosingTimer {
  private let timeout: TimeAmount
  private var closing: Scheduled<Void>?

  init(_ timeout: TimeAmount) { self.timeout = timeout }

  /// Starts the timer, unless it runs already.
  mutating func start(for channel: any Channel) {
    guard closing == nil else { return }
    closing = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
  }

  /// Stops the timer.
  mutating func stop() {
    closing?.cancel()
    closing = nil
  }
}
#endif
