#if Server
import CairnServer
import Logging
import Metrics
import ServiceLifecycle

/// Measures and reports readers that keep old states of the store while the server runs.
struct SnapshotService: ServiceLifecycle.Service {
  private let service: CairnServer.Service
  private let logger: Logger

  /// The time between two looks.
  private static let interval = Duration.seconds(5)

  init(_ service: CairnServer.Service, logger: Logger) {
    (self.service, self.logger) = (service, logger)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await look()
        try? await Task.sleep(for: Self.interval)
      }
    }
  }

  private func look() async {
    let held = await service.oldestHeldState()
    Gauge(label: "cairn_oldest_snapshot_age_seconds").record(held?.seconds ?? 0)
    Gauge(label: "cairn_oldest_snapshot_commits").record(held?.commits ?? 0)
    Gauge(label: "cairn_oldest_snapshot_bytes").record(held?.bytes ?? 0)
    if let warning = held?.warning { logger.warning("\(warning)") }
  }
}
#endif
