import CairnSystem

/// Ends the process with a message if the file of a served store is truncated or damaged while it is
/// open.
///
/// A store is read in place. If its file becomes shorter meanwhile, as when another file is copied over
/// it, a read beyond the new end raises a signal that would end the process without a word.
public enum DamageGuard {
  /// The code with which the process exits.
  public static let exitCode: Int32 = 74

  /// Installs the signal handlers. Call this once, before the store is opened.
  ///
  /// - Parameter path: The path of the store.
  public static func watch(_ path: String) {
    guard messages == nil, !FatalSignals.areTraced else { return }
    let advice =
      "; to replace a served store, move a file there, as in `mv new.cairn \(path)`, "
      + "and never copy over it"
    messages = (
      PreparedMessage(
        "Error: \(path) was truncated or damaged while the server had it open" + advice),
      PreparedMessage(
        "Error: signal \(SIGSEGV) ended the server while it read \(path), most likely because the file "
          + "was damaged while it was open; check it with `cairn verify \(path)`" + advice)
    )
    FatalSignals.handle(FatalSignals.badAccesses, with: end)
  }
}

/// A line for standard error, allocated beforehand because a signal handler must not allocate.
private struct PreparedMessage {
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ text: String) {
    let line = Array((text + "\n").utf8)
    bytes = .allocate(capacity: line.count)
    _ = bytes.initialize(from: line)
  }

  func print() { _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}

// Sendable: `watch` sets them once, before it installs the handler that reads them.
nonisolated(unsafe) private var messages: (truncated: PreparedMessage, damaged: PreparedMessage)?

private func end(_ number: Int32) {
  if number == SIGBUS { messages?.truncated.print() } else { messages?.damaged.print() }
  _exit(DamageGuard.exitCode)
}
