import CairnSystem
import CairnTestSupport
import Foundation

/// A runner of cases in processes that it forks from this one, so that the program starts only once.
///
/// A fork has only the thread that forks, so this process must not have others: it starts no task and
/// uses no queue.
struct CaseRunner {
  private var waiting: ArraySlice<Case>
  private var running: [pid_t: Running] = [:]
  private var outcomes: [String: Misuse.Outcome] = [:]

  /// A case and the file of its standard error.
  private struct Running {
    let name: String
    let errors: UnsafeMutablePointer<FILE>
  }

  /// The system does not start or end processes as expected.
  struct Failure: Error {
    let call: String
    let code: Int32
  }

  init(_ cases: [Case]) {
    precondition(Set(cases.map(\.name)).count == cases.count, "two cases have the same name")
    waiting = cases[...]
  }

  /// Runs as many cases at once as there are processors, and returns the outcomes by name.
  consuming func run() throws -> [String: Misuse.Outcome] {
    // The crashes are intended.
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(Self.coreResource, &limit)
    let width = processorCount()
    while true {
      while running.count < width, let next = waiting.popFirst() { try start(next) }
      guard !running.isEmpty else { return outcomes }
      try waitForOne()
    }
  }

  private mutating func start(_ item: Case) throws {
    // The file is read after the case has ended, whatever its size; a pipe could fill up.
    guard let errors = tmpfile() else { throw Failure(call: "tmpfile", code: errno) }
    let child = forkProcess()
    guard child >= 0 else { throw Failure(call: "fork", code: errno) }
    if child == 0 {
      let null = open("/dev/null", O_RDWR)
      dup2(null, 0)
      dup2(null, 1)
      dup2(fileno(errors), 2)
      item.run()
    }
    running[child] = Running(name: item.name, errors: errors)
  }

  private mutating func waitForOne() throws {
    var status: Int32 = 0
    let child = waitpid(-1, &status, 0)
    guard child > 0 else {
      if errno == EINTR { return }
      throw Failure(call: "waitpid", code: errno)
    }
    guard let ended = running.removeValue(forKey: child) else { return }
    defer { fclose(ended.errors) }
    // The low seven bits have the signal, and the next byte the exit code.
    let signal = status & 0x7F
    let end = signal == 0 ? ProcessEnd.exit(status >> 8 & 0xFF) : .signal(signal)
    lseek(fileno(ended.errors), 0, SEEK_SET)
    let text = try FileHandle(fileDescriptor: fileno(ended.errors)).readToEnd() ?? Data()
    outcomes[ended.name] = Misuse.Outcome(end: end, errors: String(decoding: text, as: UTF8.self))
  }

  #if os(Linux)
  private static let coreResource = __rlimit_resource_t(RLIMIT_CORE.rawValue)

  private func forkProcess() -> pid_t { fork() }
  #else
  private static let coreResource = RLIMIT_CORE

  /// Calls `fork`, which Swift hides on macOS because of programs with threads.
  private func forkProcess() -> pid_t {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -2), "fork") else { return -1 }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
  }
  #endif
}
