import CairnValues
import Dispatch

extension Realm {
  /// Opens a store on another thread, with all that has to be done before: copying, compacting and migrating it.
  ///
  ///     Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
  ///       let realm = try? result.get()
  ///     }
  ///
  /// - Parameters:
  ///   - configuration: how to open the store.
  ///   - callbackQueue: a serial queue to call the block on; the realm belongs to it. The main queue needs a main run
  ///     loop
  ///     or `dispatchMain()`.
  ///   - callback: called once, with the realm or with what was in the way of it.
  /// - Returns: what cancels the call.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Swift.Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    let callback = Handover(callback)
    DispatchQueue.global().async {
      guard !task.isCancelled else { return }
      // Held until the queue has the store open too, so that nothing is done twice.
      let first = Handover(Swift.Result { try Realm(configuration: configuration, queue: nil) })
      callbackQueue.async {
        guard !task.isCancelled else { return }
        callback.value(
          first.value.flatMap { _ in
            Swift.Result { try Realm(configuration: configuration, queue: callbackQueue) }
          })
      }
    }
    return task
  }

  /// An opening that is under way.
  public final class AsyncOpenTask: Sendable {
    private let cancelled = Mutex(false)

    fileprivate init() {}

    /// Lets the block of the opening not be called any more.
    public func cancel() { cancelled.withLock { $0 = true } }

    fileprivate var isCancelled: Bool { cancelled.withLock { $0 } }
  }
}
