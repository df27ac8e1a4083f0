extension ObjectBase {
  /// Whether the object stays as it is, and may be read by any thread.
  public final var isFrozen: Bool { row?.handle.session.isFrozen ?? false }
}
