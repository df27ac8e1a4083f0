/// Runs the program in a child process, under another process number.
///
/// LMDB locks the byte of the lock file whose offset is the number of the process. The numbers of
/// two containers are independent: the first process of each has the number 1, so two such processes
/// would exclude each other from a store. A supervisor starts the program in a child, and again in
/// the next one, which has the next number, while another container uses the number of the child.
///
/// The first process of a container is a supervisor from the start, and therefore also reaps the
/// processes that lose their parents. Any other process becomes one when its number is taken.
///
/// On systems other than Linux, processes do not have such numbers, and nothing here has an effect.
package enum Supervisor {
  /// The part of the process, which the variable of the environment tells it.
  private enum Role: String {
    /// It starts the program in children.
    case supervisor
    /// It runs the program, and can ask for a child with another number.
    case child
    /// It runs the program, and reports that its number is taken.
    case lastChild = "last"
  }

  private static let variable = "CAIRN_SUPERVISION"
  /// The part of the process; nil if it was not started by a supervisor.
  // Sendable: `start` sets it while the process has one thread.
  nonisolated(unsafe) private static var role: Role?
  /// Whether the program can still begin anew in another process.
  // Sendable: only the thread that starts the program uses it.
  nonisolated(unsafe) private static var canRestart = false

  #if os(Linux)
  /// The exit code of a child whose number is taken: `EX_TEMPFAIL`, which no command uses.
  private static let restartCode: Int32 = 75
  /// The number of containers that can use one store at the same time, each with one process.
  private static let maxChildren = 200
  /// The signals that were blocked when the process started.
  // Sendable: `start` sets them while the process has one thread.
  nonisolated(unsafe) private static var signalsAtStart = sigset_t()
  #endif

  /// Runs the program in a child process if this is the first process of a container, or one that
  /// `restart` has made a supervisor; this call then ends the process with the exit code of the
  /// child. Call it before anything else, on the only thread.
  package static func start() {
    #if os(Linux)
    pthread_sigmask(SIG_BLOCK, nil, &signalsAtStart)
    role = getenv(variable).flatMap { Role(rawValue: String(cString: $0)) }
    // The processes that the program starts are not children of a supervisor.
    unsetenv(variable)
    guard getpid() == 1 || role == .supervisor else {
      canRestart = role != .lastChild
      return
    }
    // Without a child, the process runs the program itself.
    if let status = superviseChildren() { end(like: status) }
    #endif
  }

  /// Prevents `restart` from having an effect. Call this once the program has done something that it
  /// cannot repeat, such as reading standard input.
  package static func noteWork() { canRestart = false }

  /// Tells a program that this process is about to execute in its place about the supervisor.
  package static func passOn() {
    if let role { setenv(variable, role.rawValue, 1) }
  }

  /// Runs the program from its beginning under another number. Call this when the number of the
  /// process is taken.
  ///
  /// Returns if that is impossible: many numbers are taken, or the program has already done
  /// something.
  package static func restart() {
    #if os(Linux)
    guard canRestart else { return }
    if role == .child { exit(restartCode) }
    setenv(variable, Role.supervisor.rawValue, 1)
    pthread_sigmask(SIG_SETMASK, &signalsAtStart, nil)
    execve(program, CommandLine.unsafeArgv, environ)
    canRestart = false
    #endif
  }
}

#if os(Linux)
extension Supervisor {
  /// The path of the running program, which remains right when the file is replaced.
  private static let program = "/proc/self/exe"

  /// Signals that the process itself causes, by an instruction or a call.
  private static let ownSignals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]
  private static let stopSignals = [SIGTSTP, SIGTTIN, SIGTTOU]
  private static let endingSignals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT]

  /// Starts children until one has a free number, and waits for the end of that one.
  ///
  /// - Returns: The status of the child, as `waitpid` returns it; nil if no child can be started.
  private static func superviseChildren() -> Int32? {
    // If it is ignored, the system forgets the status of a child.
    let handler = signal(SIGCHLD, SIG_DFL)
    var signals = sigset_t()
    sigfillset(&signals)
    for number in ownSignals { sigdelset(&signals, number) }
    // A shell expects that Ctrl-Z stops this process along with the child.
    if getpid() != 1 { for number in stopSignals { sigdelset(&signals, number) } }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    for count in 1...maxChildren {
      guard let child = startChild(count < maxChildren ? .child : .lastChild) else { break }
      let (status, isToEnd) = superviseChild(child, waitingFor: signals)
      // A signal that came while the child ended must not be lost on the next one.
      if isToEnd || status != restartCode << 8 { return status }
    }
    pthread_sigmask(SIG_SETMASK, &signalsAtStart, nil)
    signal(SIGCHLD, handler)
    return nil
  }

  /// Starts the program with the arguments, the streams and the blocked signals of this process.
  private static func startChild(_ role: Role) -> pid_t? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &signalsAtStart)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    setenv(variable, role.rawValue, 1)
    defer { unsetenv(variable) }
    var child = pid_t()
    let code = posix_spawn(
      &child, program, nil, &attributes, CommandLine.unsafeArgv, environ)
    return code == 0 ? child : nil
  }

  /// Passes signals on to a child until it ends, and reaps all other processes that end.
  ///
  /// - Returns: The status of the child, and whether a signal has asked this process to end.
  private static func superviseChild(
    _ child: pid_t, waitingFor signals: sigset_t
  ) -> (status: Int32, isToEnd: Bool) {
    var (signals, information) = (signals, siginfo_t())
    var isToEnd = false
    while true {
      let number = sigwaitinfo(&signals, &information)
      guard number > 0 else { continue }
      if number == SIGCHLD {
        if let status = reap(child) { return (status, isToEnd) }
        continue
      }
      if endingSignals.contains(number) { isToEnd = true }
      // The system itself, as for Ctrl-C, sends a signal to the child as well.
      let isSentByProcess = information.si_code <= 0
      if isSentByProcess { kill(child, number) }
    }
  }

  /// Reaps all children that have ended.
  ///
  /// - Returns: The status of the given one; nil while it runs.
  private static func reap(_ child: pid_t) -> Int32? {
    var result: Int32?
    var status: Int32 = 0
    while true {
      let ended = waitpid(-1, &status, WNOHANG)
      if ended == child { result = status }
      if ended == 0 || ended < 0 && errno != EINTR { return result }
    }
  }

  /// Ends the process as a child has ended. The first process of a container cannot be ended by a
  /// signal of its own, so it exits with the code that shells use for one.
  private static func end(like status: Int32) -> Never {
    let number = status & 0x7F
    guard number != 0 else { exit(status >> 8 & 0xFF) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    exit(128 + number)
  }
}
#endif
