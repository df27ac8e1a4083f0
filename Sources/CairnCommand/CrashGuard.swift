import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What becomes of a command that a damaged store would kill.
///
/// A store is read in place, and unchecked for the sake of speed, so a page that leads nowhere ends the process. The
/// process then becomes another one, which checks the store and says what is wrong with it.
enum CrashGuard {
  /// The first word of what that other process is asked.
  private static let word = "--after-signal"

  /// From now on the command is guarded while it reads that store.
  static func watch(_ store: String) {
    #if os(Linux)
    // Who looks for the place where it happens wants the runtime's own report.
    guard isOn, successor == nil, System.environment("SWIFT_BACKTRACE") == nil else { return }
    successor = Successor(["cairn", word, "00", store])
    useOtherStack()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = becomeSuccessor
    action.sa_flags = Int32(SA_ONSTACK) | Int32(bitPattern: UInt32(SA_RESETHAND))
    for signal in deadly { sigaction(signal, &action, nil) }
    #endif
  }

  /// Whether the process is the command's own.
  nonisolated(unsafe) static var isOn = false

  /// What the other process has to say: nil where it is an ordinary one.
  ///
  /// - Returns: the exit code.
  static func report(_ arguments: [String]) -> Int32? {
    guard arguments.count == 3, arguments[0] == word, let number = Int32(arguments[1]) else {
      return nil
    }
    let store = arguments[2]
    do {
      let opened = try Store.open(store, .readOnly, untrusted: true)
      guard !opened.isUnlocked else {
        return Shell.report(
          Failure(
            .io,
            "\(store) is read without its lock file, and the command was ended by signal \(number): "
              + "it was most likely written meanwhile; try again"))
      }
    } catch {
      Console.say(
        "Note: \(store) was believed, and ended the command (signal \(number)) while it was read.")
      return Shell.report(error)
    }
    Console.sayError(
      "the command was ended by signal \(number), though \(store) is sound: a mistake in Cairn. "
        + "Please report it, with what it says under SWIFT_BACKTRACE=enable=yes."
    )
    signal(number, SIG_DFL)
    raise(number)
    return Failure.Code.other.rawValue
  }
}

#if os(Linux)
private let deadly = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

/// What the handler of a signal needs; made before, as it may allocate nothing.
private struct Successor {
  let arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  init(_ words: [String]) {
    arguments = .allocate(capacity: words.count + 1)
    arguments.initialize(repeating: nil, count: words.count + 1)
    for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
  }

  /// Two digits, to be filled in.
  var signal: UnsafeMutablePointer<CChar>? { arguments[2] }
}

nonisolated(unsafe) private var successor: Successor?

/// The handler may run because the stack has come to its end.
private func useOtherStack() {
  var stack = stack_t()
  stack.ss_size = 1 << 16
  stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
  sigaltstack(&stack, nil)
}

private func becomeSuccessor(_ number: Int32) {
  guard let successor else { return }
  successor.signal?[0] = CChar(48 + number / 10)
  successor.signal?[1] = CChar(48 + number % 10)
  var none = sigset_t()
  sigemptyset(&none)
  sigprocmask(SIG_SETMASK, &none, nil)
  execve("/proc/self/exe", successor.arguments, environ)
}
#endif
