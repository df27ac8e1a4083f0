import CairnSystem

/// The connection of an operation, which another thread may cancel.
final class RunningOperation: Sendable {
  private struct State {
    var connection: PostgresConnection?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Whether the operation was cancelled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Connects to a database, so that `cancel` ends the statements of the connection.
  func connect(_ address: PostgresAddress) throws(PostgresError) -> PostgresConnection {
    if isCancelled { throw Self.cancelled }
    let connection = try PostgresConnection(address)
    state.withLock { $0.connection = connection }
    if isCancelled { throw Self.cancelled }
    return connection
  }

  private static let cancelled = PostgresError(.cancelled, message: "the task was cancelled")

  /// Ends the present statement and all later ones. It does not wait for the server.
  func cancel() {
    let connection = state.withLock { state in
      state.isCancelled = true
      return state.connection
    }
    guard let connection else { return }
    // The request goes through a connection of its own, which takes a while.
    Threads.startIfPossible { connection.cancel() }?.detach()
  }
}

/// Runs operations on threads of their own, because libpq waits for the server.
enum PostgresThread {
  /// Runs the body on a new thread, and suspends the task until it ends. The cancellation of the task
  /// cancels the statement that the server runs.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable (RunningOperation) throws -> Result,
    _isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    let operation = RunningOperation()
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          start(
            { continuation.resume(with: Swift.Result { try body(operation) }) },
            orElse: { continuation.resume(throwing: $0) })
        }
      } onCancel: {
        operation.cancel()
      }
    } catch let error as PostgresError where error.kind == .cancelled { throw CancellationError() }
  }

  /// Starts a thread, or calls `fail` if the system cannot start one.
  static func start(
    _ body: @escaping @Sendable () -> Void, orElse fail: (PostgresError) -> Void
  ) {
    guard let thread = Threads.startIfPossible(body) else {
      return fail(
        PostgresError(.noThread, message: "cannot start a thread: \(errorText(errno))"))
    }
    thread.detach()
  }
}
