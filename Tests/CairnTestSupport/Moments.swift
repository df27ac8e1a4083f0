import Foundation

/// Moments at which a test ends a command: its calls on certain files, which are the same ones however
/// fast the machine is. Where calls cannot be counted, a moment is a time since the start.
public struct Moments: Sendable {
  private let path: String
  /// The number of calls; nil if they cannot be counted.
  private let steps: Int?
  private let duration: Duration

  /// Measures a command by a run of it.
  ///
  /// - Parameters:
  ///   - path: A part of the paths of the files on which calls count.
  ///   - run: Runs the command to its end with variables of the environment.
  public init(on path: String, run: (_ environment: [String: String]) throws -> Void) throws {
    self.path = path
    let folder = try TemporaryFolder()
    let isCounting = Faults.library != nil
    let start = ContinuousClock.now
    try run(isCounting ? Faults.steps(on: path, count: folder["steps"]) : [:])
    duration = ContinuousClock.now - start
    steps = isCounting ? Int(try folder.text("steps")) : nil
  }

  /// Starts a command, and ends it with a signal at a moment, unless it has ended before.
  ///
  /// - Parameters:
  ///   - moment: A part of the run, from 0 for its start to 1 for its end.
  ///   - byTime: Whether the moment is a time in any case, which may be between two calls.
  public func end(
    _ process: Process, at moment: Double, with signal: Int32 = SIGKILL, byTime: Bool = false
  ) throws {
    if let steps, !byTime {
      let variables = Faults.steps(on: path, at: 1 + Int(moment * Double(steps)), .stop)
      let environment = process.environment ?? ProcessInfo.processInfo.environment
      process.environment = environment.merging(variables) { $1 }
      try Self.start(process)
      try eventually("the command stops at its step, or ends") {
        !process.isRunning || Self.isStopped(process)
      }
    } else {
      try Self.start(process)
      usleep(UInt32(moment * (duration / .microseconds(1))))
    }
    if process.isRunning {
      kill(process.processIdentifier, signal)
      kill(process.processIdentifier, SIGCONT)
    }
    process.waitUntilExit()
  }

  /// Starts a command that reacts to signals. Test threads block them, and child processes would
  /// inherit that.
  public static func start(_ process: Process) throws {
    var none = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try process.run()
  }

  /// The state of a process as Linux shows it: R, S, T or Z; nil after its end.
  public static func state(of process: Process) -> Character? {
    let path = "/proc/\(process.processIdentifier)/stat"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    // The name of the program, in parentheses, may contain spaces.
    return text.split(separator: ")").last?.split(separator: " ").first?.first
  }

  /// Whether a signal has stopped a process.
  public static func isStopped(_ process: Process) -> Bool { state(of: process) == "T" }
}
