#if Server
import CairnServer
import Logging
import Metrics
import ServiceLifecycle

/// Posts changes to the receivers of hooks while the server runs.
struct HookService: ServiceLifecycle.Service {
  private let deliveries: HookDeliveries
  private let client: HookClient
  private let logger: Logger

  init(_ deliveries: HookDeliveries, client: HookClient, logger: Logger) {
    (self.deliveries, self.client, self.logger) = (deliveries, client, logger)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [deliveries, client, logger] in
      await deliveries.run(
        report: { Self.report($0, to: logger) },
        send: { try await client.send($0) })
    }
    // libcurl's thread must not run while the process ends.
    await client.close()
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
#endif
