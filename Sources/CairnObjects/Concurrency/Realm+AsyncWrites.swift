/// Writes that wait for their turn without blocking the thread, and become durable in the background.
///
/// For realms of an actor, of a dispatch queue, or of the main thread; there the blocks are called on the main queue,
/// which needs a main run loop or `dispatchMain()`. While a turn has come and its block was not called yet nobody else
/// can write, so an owner that never gets to its blocks keeps all other writers waiting.
extension Realm {
  /// Runs a block in a write transaction, later, and commits it.
  ///
  /// The block may itself call `commitAsyncWrite` or `cancelAsyncWrite`. One that throws has written nothing.
  ///
  /// - Parameter onComplete: called once the write is durable, or with what was in the way of it.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () throws -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let session = checked
    return enqueue { [unowned session] id, error in
      if let error { return session.complete(id, error, onComplete) }
      let open = session.transaction
      do { try block() } catch {
        if session.transaction === open { session.cancelWrite() }
        return session.complete(id, error, onComplete)
      }
      if session.transaction === open {
        session.commitAsync(id, onComplete)
      } else {
        session.complete(id, nil, onComplete)
      }
    }
  }

  /// Runs a block in a write transaction, later. What it does not commit is dropped.
  ///
  /// - Returns: the number to cancel it by, until the block has returned.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    enqueue { _, error in if error == nil { block() } }
  }

  /// Ends the open write transaction, and makes durable what was written in the background; this realm shows it at once.
  ///
  /// - Parameters:
  ///   - allowGrouping: whether the disk may wait some milliseconds for later commits, to make them durable together.
  ///     Commits that overlap are made durable together in any case, and each is answered once it is.
  ///   - onComplete: called once the write is durable, or with what was in the way of it.
  /// - Returns: the number to cancel the call of `onComplete` by.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let session = checked
    let id = session.asyncWrites.nextID()
    session.commitAsync(id, allowGrouping: allowGrouping, onComplete)
    return id
  }

  /// Drops a write that has not been committed, or the call of the block that a commit was given; whatever is over by
  /// now stays as it is.
  public func cancelAsyncWrite(_ id: AsyncTransactionId) throws {
    checked.cancel(id)
  }

  /// Whether writes that were asked for wait, or are not durable yet, or their blocks were not called yet.
  public var isPerformingAsynchronousWriteOperations: Bool { !checked.asyncWrites.isEmpty }

  private func enqueue(
    _ run: @escaping (AsyncTransactionId, Realm.Error?) -> Void
  ) -> AsyncTransactionId {
    let session = checked
    let scheduler = session.requiredScheduler
    let id = session.asyncWrites.nextID()
    let kept = Handover(session)
    session.enqueue(
      PendingWrite(id) { write in
        let write = Handover(write)
        scheduler.run { kept.value.run(write.value) }
      } run: {
        run(id, $0)
      })
    return id
  }
}
