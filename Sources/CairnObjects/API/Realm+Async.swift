import CairnStorage
import CairnSystem
import CairnValues
import Dispatch

extension Realm {
  /// When a store is fetched from a server before it is opened. Cairn's stores are local, so every
  /// case opens the store as it is.
  public enum OpenBehavior: Sendable {
    /// Opens the store as it is.
    case never
    /// In Realm, fetches a store that does not exist yet; here there is nothing to fetch.
    case once
    /// In Realm, fetches the latest state each time; here there is nothing to fetch.
    case always
  }

  /// Opens a store for an actor; only that actor may use the realm.
  ///
  /// - Throws: `Realm.Error`, as the other initializers do.
  public init(
    configuration: Configuration = .defaultConfiguration, actor: isolated any Actor,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    self.init(try SessionRegistry.session(configuration, owner: SessionOwner(actor)))
  }

  /// Opens a store for the caller's actor.
  ///
  /// - Throws: `Realm.Error`, as the other initializers do.
  public init(
    configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior,
    _isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try self.init(configuration: configuration, _isolation: _isolation)
  }

  /// Opens a store for the caller's actor.
  ///
  /// - Throws: `Realm.Error`, as the initializers do.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    _isolation: isolated (any Actor)? = #isolation, downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    try Realm(configuration: configuration, _isolation: _isolation)
  }

  /// Runs the block in a write transaction: if it returns, all of its changes become durable and
  /// visible; if it throws, none do.
  ///
  /// Waits for other writers and for the disk without blocking the actor's thread. The block itself
  /// runs without suspension. Other code of the actor sees the changes as soon as the block
  /// returns.
  ///
  /// A task that is cancelled while it waits for other writers leaves the queue, and its block does
  /// not run.
  ///
  /// - Throws: The error of the block, `Realm.Error`, or `CancellationError`.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation: isolated (any Actor)? = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    let session = checked
    if session.isFrozen { programmingError("Can't perform transactions on a frozen Realm") }
    if session.transaction != nil {
      programmingError("The Realm is already in a write transaction")
    }
    session.asyncWrites.unfinished += 1
    defer { session.asyncWrites.unfinished -= 1 }
    try await session.awaitWriterLock()
    let open = session.transaction
    let result: Result
    do { result = try block() } catch {
      if session.transaction === open { session.cancelWrite() }
      throw error
    }
    guard session.transaction === open else { return result }
    let isDurable = Signal()
    guard let write = try session.prepareCommit(then: { _ in isDurable.raise() }) else {
      return result
    }
    await isDurable.wait()
    if session.pendingWrite === write { try session.finishPendingWrite() }
    if let error = write.error { throw error }
    return result
  }

  /// Advances to the latest snapshot of the store, which includes the commits of this realm that
  /// are not durable yet.
  ///
  /// - Returns: Whether the snapshot changed.
  @discardableResult
  public func asyncRefresh(_isolation: isolated (any Actor)? = #isolation) async -> Bool {
    refresh()
  }
}

extension Session {
  /// Opens a write transaction once the session has the writer lock; suspends the task meanwhile.
  /// Nothing else runs between the opening and the return.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first; the next writer then gets the
  ///   lock.
  fileprivate func awaitWriterLock(_isolation: isolated (any Actor)? = #isolation) async throws {
    try Task.checkCancellation()
    let signal = Signal()
    let write = PendingWrite(asyncWrites.nextID()) { _ in signal.raise() }
    enqueue(write)
    repeat {
      await withTaskCancellationHandler {
        await signal.wait()
      } onCancel: {
        signal.raise()
      }
      if Task.isCancelled {
        cancel(write.id)
        throw CancellationError()
      }
    } while !(try openTransaction(of: write))
  }
}

extension Realm {
  /// Opens a store for a serial dispatch queue. Call it on that queue; only that queue may use the
  /// realm.
  ///
  /// The main queue belongs to the main thread, and its blocks need a main run loop or
  /// `dispatchMain()`.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store.
  ///   - queue: The queue, or nil for the caller's thread.
  /// - Throws: `Realm.Error`, as the other initializers do.
  public init(
    configuration: Configuration = .defaultConfiguration, queue: DispatchQueue?
  ) throws {
    guard let queue else {
      try self.init(configuration: configuration, _isolation: nil)
      return
    }
    let owner = SessionOwner(queue)
    guard owner.confinement == .main ? Caller.isMain : QueueKey.of(queue).isCurrent else {
      programmingError("Realm opened from incorrect dispatch queue.")
    }
    self.init(try SessionRegistry.session(configuration, owner: owner))
  }
}

/// Writes that wait for the writer lock without blocking the thread and become durable in the
/// background.
///
/// They work with realms of an actor, of a dispatch queue, and of the main thread. On the main
/// thread the blocks are called on the main queue, which needs a main run loop or `dispatchMain()`.
/// Between the grant of the lock and the call of the block no one else can write, so an owner that
/// never runs its blocks holds up all other writers.
extension Realm {
  /// Schedules a block to run in a write transaction that is committed when the block returns.
  ///
  /// The block may call `commitAsyncWrite` or `cancelAsyncWrite` itself. If it throws, nothing is
  /// written.
  ///
  /// - Parameters:
  ///   - block: The block that writes.
  ///   - onComplete: Called once the write is durable, or with the error that prevented it.
  /// - Returns: The identifier that cancels the write.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () throws -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let session = checked
    return enqueue { [unowned session] id, error in
      if let error { return session.complete(id, error: error, onComplete: onComplete) }
      let open = session.transaction
      do { try block() } catch {
        if session.transaction === open { session.cancelWrite() }
        return session.complete(id, error: error, onComplete: onComplete)
      }
      if session.transaction === open {
        session.commitAsync(id, onComplete: onComplete)
      } else {
        session.complete(id, error: nil, onComplete: onComplete)
      }
    }
  }

  /// Schedules a block to run in a write transaction. Changes that the block does not commit are
  /// dropped.
  ///
  /// - Returns: The identifier that cancels the write until the block has returned.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    enqueue { _, error in if error == nil { block() } }
  }

  /// Commits the open write transaction and makes it durable in the background. This realm shows
  /// the changes immediately.
  ///
  /// - Parameters:
  ///   - allowGrouping: Whether the commit may wait some milliseconds for later commits, to share
  ///     one sync with them. Commits that overlap share one in any case, and each completes once it
  ///     is durable.
  ///   - onComplete: Called once the write is durable, or with the error that prevented it.
  /// - Returns: The identifier that cancels the call of `onComplete`.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let session = checked
    let id = session.asyncWrites.nextID()
    session.commitAsync(id, allowGrouping: allowGrouping, onComplete: onComplete)
    return id
  }

  /// Cancels a write that is not committed, or the completion block of a commit. A finished write
  /// is not affected.
  public func cancelAsyncWrite(_ id: AsyncTransactionId) throws {
    checked.cancel(id)
  }

  /// Whether any asynchronous write is pending, is not durable yet, or has a completion block that
  /// has not been called.
  public var isPerformingAsynchronousWriteOperations: Bool { !checked.asyncWrites.isEmpty }

  private func enqueue(
    _ run: @escaping (AsyncTransactionId, Realm.Error?) -> Void
  ) -> AsyncTransactionId {
    let session = checked
    let scheduler = session.requiredScheduler
    let id = session.asyncWrites.nextID()
    let kept = UncheckedTransfer(session)
    session.enqueue(
      PendingWrite(id) { write in
        let write = UncheckedTransfer(write)
        scheduler.run { kept.value.run(write.value) }
      } run: {
        run(id, $0)
      })
    return id
  }
}

extension Realm {
  /// Opens a store on another thread, including the copying, compaction and migration that may come
  /// first.
  ///
  ///     Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
  ///       let realm = try? result.get()
  ///     }
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store.
  ///   - callbackQueue: The serial queue on which the callback is called; the realm belongs to it.
  ///     The main queue needs a main run loop or `dispatchMain()`.
  ///   - callback: Called once, with the realm or the error.
  /// - Returns: A task that can cancel the callback.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Swift.Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    let callback = UncheckedTransfer(callback)
    DispatchQueue.global().async {
      guard !task.isCancelled else { return }
      // Kept until the queue has also opened the store, so that nothing is done twice.
      let first = UncheckedTransfer(
        Swift.Result { try Realm(configuration: configuration, queue: nil) })
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

  /// An asynchronous opening of a store.
  public final class AsyncOpenTask: Sendable {
    private let cancelled = Mutex(false)

    fileprivate init() {}

    /// Cancels the callback of the opening.
    public func cancel() { cancelled.withLock { $0 = true } }

    fileprivate var isCancelled: Bool { cancelled.withLock { $0 } }
  }
}
