extension ObjectBase {
  /// The object as it is now, for good: any thread may read it, and what it leads to.
  ///
  /// The result may be sent to another isolation once; `Frozen` goes to any number. Inside a write transaction it is the
  /// object as it was before the transaction. An object in no realm, and one that the open transaction added, is a
  /// programming error.
  public final func freeze() -> sending Self {
    nonisolated(unsafe) let frozen = frozenSelf
    return frozen
  }

  private final var frozenSelf: Self {
    guard let row else { programmingError("Unmanaged objects cannot be frozen.") }
    if isFrozen { return self }
    row.handle.checkLive(row.key)
    return type(of: self).standing(at: row.frozen)
  }

  /// The live object of the caller's thread or actor; nil when it was deleted since. A live object itself.
  public final func thaw(_isolation: isolated (any Actor)? = #isolation) -> Self? {
    guard let row else { programmingError("Unmanaged objects cannot be thawed.") }
    guard isFrozen else { return self }
    let live = counterpart(in: row.handle.session.thawed(_isolation), row)
    return live.isInvalidated ? nil : live
  }

  /// Whether the object stays as it is, and may be read by any thread.
  public final var isFrozen: Bool { row?.handle.session.isFrozen ?? false }

  /// The same object, read through another session.
  private final func counterpart(in session: Session, _ row: Row) -> Self {
    type(of: self).standing(at: row.counterpart(in: session))
  }
}
