/// The signals that end a process because of what it reads or computes.
package enum FatalSignals {
  /// The signals of accesses to memory that is not there: behind the end of a truncated file, or where
  /// a damaged file leads.
  package static let badAccesses = [SIGSEGV, SIGBUS]
  /// These signals and those of failed checks.
  package static let all = badAccesses + [SIGILL, SIGTRAP, SIGFPE, SIGABRT]

  /// Whether a developer looks for the crash, and wants the runtime's own backtrace.
  package static var areTraced: Bool { getenv("SWIFT_BACKTRACE") != nil }

  /// Calls a handler on the thread that a signal interrupts.
  ///
  /// - Parameters:
  ///   - isOnce: Whether a second signal of that kind ends the process as usual.
  ///   - handler: The handler, which may only call what is safe in a signal handler: it neither
  ///     allocates nor takes locks.
  package static func handle(
    _ signals: [Int32], isOnce: Bool = false, with handler: @escaping @convention(c) (Int32) -> Void
  ) {
    #if os(Linux)
    useAlternateStack()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(SA_ONSTACK)
    if isOnce { action.sa_flags |= Int32(bitPattern: UInt32(SA_RESETHAND)) }
    for number in signals { sigaction(number, &action, nil) }
    #else
    for number in signals { signal(number, handler) }
    #endif
  }

  #if os(Linux)
  /// Gives the handler a stack of its own on this thread, because the signal may be a stack overflow.
  private static func useAlternateStack() {
    var stack = stack_t()
    stack.ss_size = 1 << 16
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
  }
  #endif
}
