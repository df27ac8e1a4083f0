import CairnQuery
import CairnSystem

extension Service {
  /// Prepares the delivery of the changes to collections to the receivers of hooks.
  ///
  /// A hook that the file does not know begins with the changes after this call.
  ///
  /// - Throws: ``ServiceError`` if a hook names no collection or a wrong parameter, or if the file with
  ///   the cursors cannot be used.
  public func deliveries(
    to hooks: [Hook], options: HookOptions
  ) async throws(ServiceError) -> HookDeliveries {
    var starts: [(hook: Hook, cursor: String)] = []
    for hook in hooks {
      do {
        let cursor = try await events(of: hook, since: nil).cursor
        if let cursor { starts.append((hook, cursor.description)) }
      } catch {
        throw ServiceError(description: "\(hook.subject): \(Problem(error).detail)")
      }
    }
    let state = try HookState(options.statePath)
    for (hook, cursor) in starts where state.cursor(of: hook) == nil {
      try state.set(cursor, of: hook)
    }
    return HookDeliveries(service: self, hooks: Set(hooks), options: options, state: state)
  }

  /// The stream of the events of a hook.
  fileprivate func events(of hook: Hook, since cursor: String?) async throws -> LiveStream {
    var request = try hook.request()
    request.headers["Last-Event-ID"] = cursor
    let route = try Route(request.path)
    return try await threads.run { [self, request] in
      let context = try RequestContext(
        request, route: route, service: self,
        deadline: QueryDeadline(after: options.maxQuerySeconds))
      let collection = try Collection(route.className ?? "", context: context)
      return try LiveItems(collection).stream(place: nil, quietSeconds: 1)
    }
  }
}

/// The deliveries of the changes to collections to the receivers of hooks.
///
/// Each receiver gets the events of ``Hook/subject`` in order and at least once: a batch is sent again
/// until the receiver has taken it, and only then its cursor is written to the file. A batch has some
/// 64 KB, and the next one is made when the receiver has taken the last one, so that the store itself
/// is the queue. Receivers do not wait for each other.
public struct HookDeliveries: Sendable {
  fileprivate let service: Service
  fileprivate let hooks: Set<Hook>
  fileprivate let options: HookOptions
  fileprivate let state: HookState

  /// Delivers until the task is cancelled.
  ///
  /// - Parameters:
  ///   - report: Receives what happens, on any thread.
  ///   - send: Sends a batch, and returns once the receiver has taken it. The description of an error
  ///     is reported.
  public func run(
    report: @escaping @Sendable (HookReport) -> Void,
    send: @escaping @Sendable (HookBatch) async throws -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      for hook in hooks {
        let delivery = HookDelivery(hook, of: self, report: report, send: send)
        group.addTask { await delivery.run() }
      }
    }
  }
}

/// The delivery of the changes to the receiver of one hook.
private final class HookDelivery: @unchecked Sendable {
  // Sendable: only the task that runs the delivery uses `pause`, the only variable.
  private let hook: Hook
  private let service: Service
  private let state: HookState
  private let options: HookOptions
  private let report: @Sendable (HookReport) -> Void
  private let send: @Sendable (HookBatch) async throws -> Void
  /// The seconds before the next attempt after a failure.
  private var pause: Double

  init(
    _ hook: Hook, of deliveries: HookDeliveries, report: @escaping @Sendable (HookReport) -> Void,
    send: @escaping @Sendable (HookBatch) async throws -> Void
  ) {
    (self.hook, service) = (hook, deliveries.service)
    (state, options) = (deliveries.state, deliveries.options)
    (self.report, self.send) = (report, send)
    pause = options.firstPause
  }

  /// A receiver has failed for so long that the state before its events is given up.
  private struct HoldEnded: Error {}

  /// Delivers until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      do {
        try await follow()
        // Another file has replaced the store, or the class was removed.
        try await Task.sleep(for: .seconds(min(1, options.firstPause)))
      } catch is CancellationError {
        return
      } catch is HoldEnded {
        continue
      } catch {
        let problem = error as? ServiceError
        await wait(after: problem?.description ?? Problem(error).detail)
      }
    }
  }

  /// Delivers the events of a stream until it ends.
  private func follow() async throws {
    let stream = try await open()
    try await save(stream)
    while let chunk = try await stream.next() {
      let events = HookBatch.events(in: chunk)
      if !events.isEmpty {
        try await deliver(HookBatch(events, of: hook, cursor: stream.cursor?.description))
      }
      try await save(stream)
      // The last attempt may have ended after the delivery was cancelled.
      try Task.checkCancellation()
    }
    try Task.checkCancellation()
  }

  /// Opens the stream where the receiver was, or tells it that events are missing.
  private func open() async throws -> LiveStream {
    let cursor = state.cursor(of: hook)
    do {
      return try await service.events(of: hook, since: cursor)
    } catch let problem as Problem where problem.status == 410 {
      let stream = try await service.events(of: hook, since: nil)
      let since = cursor ?? ""
      report(.gap(hook, since: since))
      try await deliver(
        HookBatch(
          [HookBatch.gap(since: since)], of: hook, cursor: stream.cursor?.description))
      return stream
    }
  }

  /// Saves the cursor behind the events that the receiver has taken, if there is one.
  private func save(_ stream: LiveStream) async throws {
    guard let cursor = stream.cursor?.description else { return }
    try await service.threads.run { [state, hook] in try state.set(cursor, of: hook) }
  }

  /// Sends a batch until the receiver has taken it.
  ///
  /// - Throws: `HoldEnded` after a while, or `CancellationError`.
  private func deliver(_ batch: HookBatch) async throws {
    let end = MonotonicClock.seconds + options.maxHoldSeconds
    while true {
      try Task.checkCancellation()
      do {
        try await attempt(batch)
        pause = options.firstPause
        report(.delivered(batch))
        return
      } catch {
        try Task.checkCancellation()
        await wait(after: "\(error)")
      }
      if MonotonicClock.seconds >= end { throw HoldEnded() }
    }
  }

  /// Sends a batch once. If the delivery is cancelled meanwhile, the attempt may still end.
  private func attempt(_ batch: HookBatch) async throws {
    let attempt = Task { [send] in try await send(batch) }
    let seconds = options.stopSeconds
    try await withTaskCancellationHandler {
      try await attempt.value
    } onCancel: {
      Task {
        try? await Task.sleep(for: .seconds(seconds))
        attempt.cancel()
      }
    }
  }

  /// Reports a failure and waits, a little longer each time.
  private func wait(after reason: String) async {
    // Receivers that failed together are not all called at once again.
    let seconds = pause * Double.random(in: 0.8...1.2)
    pause = min(pause * 2, options.maxPause)
    report(.failed(hook, reason: reason, pause: seconds))
    try? await Task.sleep(for: .seconds(seconds))
  }
}
