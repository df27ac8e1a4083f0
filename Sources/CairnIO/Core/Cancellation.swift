import CairnSystem

/// Ends an import that runs on other threads.
package final class Cancellation: Sendable {
  private let flag = Mutex(false)
  private let isRequested: @Sendable () -> Bool

  /// - Parameter isRequested: Returns whether something else, such as a signal, ends the import. Any
  ///   thread calls it.
  package init(isRequested: @escaping @Sendable () -> Bool = { false }) {
    self.isRequested = isRequested
  }

  /// Whether the import is to end.
  package var isCancelled: Bool { flag.withLock { $0 } || isRequested() }

  /// Ends the import at its next block.
  package func cancel() { flag.withLock { $0 = true } }

  /// Throws if the import is to end.
  func check() throws(ImportError) {
    if isCancelled { throw ImportError(.cancelled, message: "the import was cancelled") }
  }
}
