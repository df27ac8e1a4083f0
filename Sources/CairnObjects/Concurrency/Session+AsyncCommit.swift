extension Session {
  /// Ends the open transaction; `onComplete` is called by the owner of the session once it is durable.
  func commitAsync(
    _ id: AsyncTransactionId, allowGrouping: Bool = false, _ onComplete: (((any Error)?) -> Void)?
  ) {
    let scheduler = requiredScheduler
    let session = Handover(self)
    asyncWrites.completions[id] = onComplete
    asyncWrites.unfinished += 1
    do {
      let write = try seal(allowGrouping: allowGrouping) { write in
        scheduler.run { session.value.finish(write) }
      }
      // One that wrote nothing is answered after those before it.
      if let write = write ?? sealed { write.waiting.append(id) } else { finishLater(id, nil) }
    } catch {
      finishLater(id, error)
    }
  }

  /// Calls the block of a write that ended in another way, after whatever it sealed.
  func complete(
    _ id: AsyncTransactionId, _ error: (any Error)?, _ onComplete: (((any Error)?) -> Void)?
  ) {
    guard let sealed, error == nil else {
      onComplete?(error)
      return
    }
    asyncWrites.completions[id] = onComplete
    asyncWrites.unfinished += 1
    sealed.waiting.append(id)
  }

  private func finishLater(_ id: AsyncTransactionId, _ error: (any Error)?) {
    let session = Handover(self)
    requiredScheduler.run { session.value.finish(id, error) }
  }

  /// Goes on with what is durable now, and says so to who waits.
  private func finish(_ write: SealedWrite) {
    var error: (any Error)? = write.error
    if sealed === write {
      do { try settle() } catch let failure { error = error ?? failure }
    }
    for id in write.waiting { finish(id, error) }
  }

  private func finish(_ id: AsyncTransactionId, _ error: (any Error)?) {
    asyncWrites.unfinished -= 1
    asyncWrites.completions.removeValue(forKey: id)?(error)
  }
}
