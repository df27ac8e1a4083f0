extension Realm {
  /// Runs the body in a write transaction: all of it becomes durable and visible, or, when it throws, nothing.
  ///
  /// - Throws: what the body throws, or `Realm.Error`.
  @discardableResult
  public func write<Result>(_ body: () throws -> Result) throws -> Result {
    try beginTransaction()
    let result: Result
    do { result = try body() } catch {
      if isInWriteTransaction { cancelWrite() }
      throw error
    }
    if isInWriteTransaction { try commitWrite() }
    return result
  }

  /// Begins a write transaction; waits for other writers, and sees what they wrote.
  ///
  /// A store that cannot be written to, such as one that was opened for reading only, is a programming error;
  /// `write` throws instead.
  public func beginWrite() { trapping { try beginTransaction() } }

  /// Makes durable and visible what was written since `beginWrite`.
  ///
  /// - Throws: `Realm.Error`; nothing was written then.
  public func commitWrite() throws { try checked.commitWrite() }

  /// Drops what was written since `beginWrite`.
  public func cancelWrite() { checked.cancelWrite() }

  /// Whether a write transaction is open.
  public var isInWriteTransaction: Bool { session.transaction != nil }

  private func beginTransaction() throws {
    let session = checked
    if session.isFrozen {
      programmingError("Can't perform transactions on a frozen Realm")
    }
    try session.beginWrite()
  }
}
