import AsyncHTTPClient
import CairnServer
import Logging
import Metrics
import NIOCore
import ServiceLifecycle

/// Posts changes to the receivers of hooks while the server runs.
struct HookService: ServiceLifecycle.Service {
  private let deliveries: HookDeliveries
  private let logger: Logger
  /// The time that a receiver has for its answer.
  private let timeout: TimeAmount

  init(_ deliveries: HookDeliveries, timeout: TimeAmount, logger: Logger) {
    (self.deliveries, self.timeout, self.logger) = (deliveries, timeout, logger)
  }

  func run() async throws {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.timeout.connect = min(timeout, .seconds(10))
    configuration.timeout.read = timeout
    configuration.connectionPool.idleTimeout = .seconds(60)
    let client = HTTPClient(configuration: configuration)
    let (logger, timeout) = (logger, timeout)
    await cancelWhenGracefulShutdown { [deliveries] in
      await deliveries.run(
        report: { Self.report($0, to: logger) },
        send: { try await Self.send($0, with: client, timeout: timeout) })
    }
    try await client.shutdown()
  }

  /// A receiver that has not taken a batch.
  private struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private static func send(
    _ batch: HookBatch, with client: HTTPClient, timeout: TimeAmount
  ) async throws {
    var request = HTTPClientRequest(url: batch.hook.url)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    request.headers.add(name: "User-Agent", value: "cairn-server")
    request.body = .bytes(batch.body)
    let deadline = NIODeadline.now() + timeout
    let response: HTTPClientResponse
    do {
      response = try await client.execute(request, deadline: deadline)
    } catch let error as HTTPClientError {
      throw Refusal(description: "\(error)".replacing("HTTPClientError.", with: ""))
    }
    await Self.drain(response.body, until: deadline)
    guard (200..<300).contains(response.status.code) else {
      throw Refusal(description: "the receiver answered \(response.status.code)")
    }
  }

  /// Reads a short body, after which the connection can be used again. The status has decided already.
  private static func drain(
    _ body: HTTPClientResponse.Body, until deadline: NIODeadline
  ) async {
    var length = 0
    do {
      for try await part in body {
        length += part.readableBytes
        if length > 1 << 16 || NIODeadline.now() > deadline { return }
      }
    } catch { return }
  }

  private static func report(_ report: HookReport, to logger: Logger) {
    let labels = [("hook", report.hook.subject)]
    let name = "\(report.hook.subject) to \(report.hook.shownURL)"
    switch report {
    case .delivered(let batch):
      Counter(label: "hook_batches_total", dimensions: labels).increment()
      Counter(label: "hook_events_total", dimensions: labels).increment(by: batch.count)
      logger.debug("hook \(name): \(batch.count) events delivered")
    case .failed(_, let reason, let pause):
      Counter(label: "hook_failures_total", dimensions: labels).increment()
      let seconds = (pause * 10).rounded() / 10
      logger.error("hook \(name): \(reason); trying again in \(seconds) s")
    case .gap(_, let since):
      Counter(label: "hook_gaps_total", dimensions: labels).increment()
      logger.error("hook \(name): the changes since \(since) are no longer known")
    }
  }
}
