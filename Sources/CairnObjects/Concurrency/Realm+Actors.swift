import CairnStorage

extension Realm {
  /// When a store is fetched from elsewhere before it is opened. Cairn's stores are local, so all cases open them as they
  /// are.
  public enum OpenBehavior: Sendable {
    /// The store is opened as it is.
    case never
    /// Realm fetches a store that is not there yet; here there is nothing to fetch.
    case once
    /// Realm fetches the latest state each time; here there is nothing to fetch.
    case always
  }

  /// Opens a store for an actor, which alone uses the realm.
  ///
  /// - Throws: `Realm.Error`, as the other initialisers do.
  public init(
    configuration: Configuration = .defaultConfiguration, actor: isolated any Actor,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    self.init(try SessionRegistry.session(configuration, SessionOwner(actor)))
  }

  /// Opens a store for the caller's actor.
  ///
  /// - Throws: `Realm.Error`, as the initialisers do.
  public static func open(
    configuration: Configuration = .defaultConfiguration,
    _isolation: isolated (any Actor)? = #isolation, downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    try Realm(configuration: configuration, _isolation: _isolation)
  }

  /// Runs the block in a write transaction: all of it becomes durable and visible, or, when it throws, nothing.
  ///
  /// Waits for other writers, and for the disk, without blocking the actor's thread; the block itself runs without
  /// interruption. Other code of the actor sees what was written as soon as the block returned.
  ///
  /// A task that is cancelled while it waits for other writers gives up its place; its block does not run.
  ///
  /// - Throws: what the block throws, `Realm.Error`, or `CancellationError`.
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
    try await session.awaitTurn()
    let open = session.transaction
    let result: Result
    do { result = try block() } catch {
      if session.transaction === open { session.cancelWrite() }
      throw error
    }
    guard session.transaction === open else { return result }
    let isDurable = Signal()
    guard let write = try session.seal(then: { _ in isDurable.raise() }) else { return result }
    await isDurable.wait()
    if session.sealed === write { try session.settle() }
    if let error = write.error { throw error }
    return result
  }

  /// Moves on to the latest state of the store, with what this realm has on its way to the disk; true when that is a
  /// new one.
  @discardableResult
  public func asyncRefresh(_isolation: isolated (any Actor)? = #isolation) async -> Bool {
    refresh()
  }
}

extension Session {
  /// Opens a write transaction once it is the session's turn, which suspends the task. Nothing else runs between its
  /// opening and the return.
  ///
  /// - Throws: `CancellationError` where the task is cancelled before; the next writer is let in then.
  fileprivate func awaitTurn(_isolation: isolated (any Actor)? = #isolation) async throws {
    try Task.checkCancellation()
    let turn = Signal()
    let write = PendingWrite(asyncWrites.nextID()) { _ in turn.raise() }
    enqueue(write)
    repeat {
      await withTaskCancellationHandler {
        await turn.wait()
      } onCancel: {
        turn.raise()
      }
      if Task.isCancelled {
        cancel(write.id)
        throw CancellationError()
      }
    } while !(try takeTurn(of: write))
  }
}
