extension Realm {
  /// The realm as it is now, for good: any number of threads may read it at once.
  ///
  /// It keeps old pages of the file from being used again, so let it go soon. Inside a write transaction it shows the
  /// state before the transaction.
  public func freeze() -> sending Realm {
    nonisolated(unsafe) let frozen = Realm(checked.frozen())
    return frozen
  }

  /// The live realm of the same store for the caller's thread or actor; a live realm itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Realm {
    guard isFrozen else { return self }
    return Realm(session.thawed(_isolation))
  }

  /// Whether the realm stays as it is, and may be read by any thread.
  public var isFrozen: Bool { session.isFrozen }
}

extension Session {
  /// The live session of the same store for a caller of that isolation.
  func thawed(_ isolation: (any Actor)?) -> Session {
    guard isFrozen else { return self }
    return trapping { try SessionRegistry.session(configuration, isolation, isReused: true) }
  }
}
