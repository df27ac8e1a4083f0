extension Realm {
  /// Runs the body in a write transaction: all of it becomes durable and visible, or, when it throws, nothing.
  ///
  /// - Parameter tokens: observers of this realm that are not told of what is written, for they know it.
  /// - Throws: what the body throws, or `Realm.Error`.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ body: () throws -> Result
  ) throws -> Result {
    try beginTransaction()
    let result: Result
    do { result = try body() } catch {
      if isInWriteTransaction { cancelWrite() }
      throw error
    }
    if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Begins a write transaction; waits for other writers, and sees what they wrote.
  ///
  /// A store that cannot be written to, such as one that was opened for reading only, is a programming error;
  /// `write` throws instead.
  public func beginWrite() { trapping { try beginTransaction() } }

  /// Makes durable and visible what was written since `beginWrite`.
  ///
  /// - Parameter tokens: observers of this realm that are not told of what was written, for they know it. A token of
  ///   another realm is a programming error.
  /// - Throws: `Realm.Error`; nothing was written then.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    let session = checked
    let spared = tokens.compactMap(\.observation)
    if spared.contains(where: { $0.session !== session }) {
      programmingError(
        "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
    }
    try session.commitWrite(sparing: spared)
  }

  /// Drops what was written since `beginWrite`.
  public func cancelWrite() { checked.cancelWrite() }

  /// Whether a write transaction is open.
  public var isInWriteTransaction: Bool { checked.transaction != nil }

  private func beginTransaction() throws {
    let session = checked
    if session.isFrozen {
      programmingError("Can't perform transactions on a frozen Realm")
    }
    try session.beginWrite()
  }
}
