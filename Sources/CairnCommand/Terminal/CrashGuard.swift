import CairnStorage
import CairnSystem

/// Reports damage when reading a damaged store crashes the command.
///
/// A store is read in place, without checks, for speed, so a page with a bad pointer crashes the
/// process. The signal handler then executes the command again in the same process; this second run
/// checks the store and reports what is wrong.
enum CrashGuard {
  /// The first argument of the second run.
  private static let word = "--after-signal"

  /// Installs the signal handlers; call this before the command reads the store.
  static func watch(_ store: String) {
    #if os(Linux)
    guard isEnabled, restartArguments == nil, !FatalSignals.areTraced else { return }
    restartArguments = RestartArguments(["cairn", word, "00", store])
    FatalSignals.handle(FatalSignals.all, isOnce: true, with: restart)
    #endif
  }

  /// Whether the process belongs to the command, and not to a test that calls it.
  // Sendable: the command sets it on its only thread, before anything else.
  nonisolated(unsafe) static var isEnabled = false

  /// Checks the store and reports the crash, if the arguments are those of a second run.
  ///
  /// - Parameter report: Prints an error, and returns the exit code for it.
  /// - Returns: The exit code; nil for an ordinary run.
  static func report(_ arguments: [String], by report: (any Error) -> Int32) -> Int32? {
    guard arguments.count == 3, arguments[0] == word, let number = Int32(arguments[1]) else {
      return nil
    }
    let store = arguments[2]
    do {
      let opened = try Store.open(store, mode: .readOnly, untrusted: true)
      guard !opened.isUnlocked else {
        return report(
          Failure(
            .io,
            message:
              "\(store) was read without its lock file, and signal \(number) ended the command: "
              + "another process most likely wrote to it at the same time; try again"))
      }
    } catch {
      Console.printMessage(
        "Note: signal \(number) ended the command while it read \(store) without checking it.")
      return report(error)
    }
    Console.printError(
      "signal \(number) ended the command, but \(store) is sound: this is a bug in Cairn. "
        + "Please report it with the output under SWIFT_BACKTRACE=enable=yes."
    )
    signal(number, SIG_DFL)
    raise(number)
    return Failure.Code.other.rawValue
  }
}

#if os(Linux)
/// The arguments of the second run, allocated beforehand because a signal handler must not
/// allocate.
private struct RestartArguments {
  let arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  init(_ words: [String]) {
    arguments = .allocate(capacity: words.count + 1)
    arguments.initialize(repeating: nil, count: words.count + 1)
    for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
  }

  /// The two digits of the signal's number, filled in by the handler. Valid until the process ends.
  var signal: UnsafeMutablePointer<CChar>? { arguments[2] }
}

// Sendable: the thread that runs the command sets it once, before it installs the handler that reads it.
nonisolated(unsafe) private var restartArguments: RestartArguments?

private func restart(_ number: Int32) {
  guard let restartArguments else { return }
  restartArguments.signal?[0] = CChar(48 + number / 10)
  restartArguments.signal?[1] = CChar(48 + number % 10)
  var none = sigset_t()
  sigemptyset(&none)
  sigprocmask(SIG_SETMASK, &none, nil)
  execve("/proc/self/exe", restartArguments.arguments, environ)
}
#endif
