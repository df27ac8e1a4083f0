internal import CairnIO
import CairnSystem

/// Runs imports on threads of their own.
enum ImportThread {
  /// Runs the body on a new thread, and suspends the task until it ends. The cancellation of the
  /// task cancels the import.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable (Cancellation) throws(ImportError) -> Result,
    cancellation: Cancellation = Cancellation(),
    _isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let thread = Threads.startIfPossible {
            continuation.resume(with: Swift.Result { try body(cancellation) })
          }
          guard let thread else {
            let reason = errorText(errno)
            return continuation.resume(
              throwing: ImportError(.io, message: "cannot start a thread: \(reason)"))
          }
          thread.detach()
        }
      } onCancel: {
        cancellation.cancel()
      }
    } catch let error as ImportError where error.kind == .cancelled { throw CancellationError() }
  }
}
