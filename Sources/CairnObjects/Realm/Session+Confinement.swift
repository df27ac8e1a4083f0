import CairnStorage

extension Session {
  /// What writes outside a transaction are answered with.
  static let notWriting =
    "Attempting to modify object outside of a write transaction - call beginWrite() on a Realm first, or write in the "
    + "block of write(_:)."

  /// What writes to what is frozen are answered with.
  static let frozenWrite =
    "Attempting to modify a frozen object - call thaw on the Object instance first."

  /// Whether it stays at its state for good, and may be read by any thread.
  var isFrozen: Bool { confinement == .none }

  /// The names of the classes of the present state.
  var classNames: [String] { schema.tables.map(\.name) }

  /// Ends the program on a thread that the session does not belong to.
  func checkThread() {
    if !confinement.admitsCaller { programmingError("Realm accessed from incorrect thread.") }
  }
}
