import CairnSystem

/// Wakes the command that waits: for a commit, for a signal that ends it, or because nobody reads
/// its output any longer. Confined to the main thread, except for `notify`.
enum WakeUp {
  // Sendable: `prepare` sets it before anything can call `notify`.
  nonisolated(unsafe) private static var pipeEnds: (reading: Int32, writing: Int32) = (-1, -1)
  // Sendable: signal handlers only set it to 1, which is atomic for its type.
  nonisolated(unsafe) private static var hasEnded: sig_atomic_t = 0
  // Sendable: only the main thread uses it.
  nonisolated(unsafe) private static var output: Int32 = -1

  /// Whether a signal has ended the command.
  static var isEnded: Bool { hasEnded != 0 }

  /// Makes SIGINT and SIGTERM end the next wait. A second one ends the process.
  ///
  /// - Parameter watchesOutput: Whether a closed standard output also ends the wait.
  static func prepare(watchesOutput: Bool) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(.io, message: "cannot wait for changes: \(System.errorText())")
    }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    pipeEnds = (ends[0], ends[1])
    output = watchesOutput ? System.standardOutput : -1
    for number in [SIGINT, SIGTERM] { endWait(on: number) }
  }

  private static func endWait(on number: Int32) {
    let before = signal(number) { number in
      WakeUp.hasEnded = 1
      WakeUp.notify()
      signal(number, SIG_DFL)
    }
    // A signal that was ignored, as under `nohup`, remains ignored.
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(number, SIG_IGN)
    }
  }

  /// Ends the present wait, or the next one. Any thread and any signal handler may call it.
  static func notify() {
    var byte: UInt8 = 1
    _ = write(pipeEnds.writing, &byte, 1)
  }

  /// Waits for `notify`.
  ///
  /// - Returns: False if the command is to end.
  static func wait() -> Bool {
    while hasEnded == 0 {
      var waits = [
        pollfd(fd: pipeEnds.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output, events: 0, revents: 0),
      ]
      guard poll(&waits, 2, -1) > 0 else { continue }
      if waits[1].revents & Int16(POLLERR | POLLNVAL) != 0 { return false }
      drain()
      return hasEnded == 0
    }
    return false
  }

  private static func drain() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(pipeEnds.reading, &bytes, bytes.count) > 0 {}
  }
}
