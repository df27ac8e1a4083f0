import CairnGDAL
import CairnSystem

/// The signal that is to end a command which first has something to remove. A second signal ends it
/// at once.
enum Interruption {
  // Sendable: signal handlers only set it to a number, which is atomic for its type.
  nonisolated(unsafe) private static var pending: sig_atomic_t = 0

  /// Whether a signal has come.
  static var isPending: Bool { pending != 0 }

  /// Keeps the first SIGINT, SIGTERM or SIGHUP from ending the process.
  static func prepare() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number) { number in
        Interruption.pending = sig_atomic_t(number)
        signal(number, SIG_DFL)
      }
      // A signal that was ignored, as under `nohup`, remains ignored.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }

  /// Ends the process as the signal would have, if one has come.
  static func endProcess() {
    guard pending != 0 else { return }
    TemporaryFiles.removeAll()
    RunningOutputs.endAll()
    signal(Int32(pending), SIG_DFL)
    raise(Int32(pending))
  }
}
