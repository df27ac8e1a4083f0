extension Realm {
  /// Runs the body in a write transaction: all of it becomes durable and visible, or, when it throws, nothing.
  ///
  /// - Throws: what the body throws, or `Realm.Error`.
  @discardableResult
  public func write<Result>(_ body: () throws -> Result) throws -> Result {
    try session.beginWrite()
    let result: Result
    do { result = try body() } catch {
      if session.transaction != nil { session.cancelWrite() }
      throw error
    }
    if session.transaction != nil { try session.commitWrite() }
    return result
  }

  /// Whether a write transaction is open.
  public var isInWriteTransaction: Bool { session.transaction != nil }

  /// Adds an object, and all that it leads to; from then on it is the one in the store.
  public func add(_ object: Object) {
    _ = session.adopt(object)
  }
}
