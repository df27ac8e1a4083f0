import CairnGDAL
import CairnIO
import CairnPostgres
import CairnStorage
import CairnSystem

/// Brings the process into a defined state before a command runs, however it was started.
enum ProcessSetup {
  /// Prepares the process. Call this before anything else.
  ///
  /// - Throws: A usage failure if an argument is not UTF-8.
  static func run() throws {
    guard StandardStreams.open() else {
      throw Failure(
        .io, message: "a standard stream is closed, and neither /dev/null nor / can be opened")
    }
    signal(SIGPIPE, SIG_IGN)
    // Exceeding the file-size limit is then an error of `write` instead of a signal.
    signal(SIGXFSZ, SIG_IGN)
    TemporaryFiles.prepare()
    RunningOutputs.prepare()
    RunningStatements.prepare()
    let endings = [SIGINT, SIGTERM, SIGHUP]
    for number in endings { removeTemporaryFiles(on: number) }
    unblock(endings)
    LockWaits.observe { Console.printMessage("Note: \(text(of: $0))") }
    try checkArguments()
  }

  /// Removes the process's temporary files before a signal ends it.
  private static func removeTemporaryFiles(on number: Int32) {
    let before = signal(number) { number in
      TemporaryFiles.removeAll()
      RunningOutputs.endAll()
      RunningStatements.cancelAll()
      signal(number, SIG_DFL)
      raise(number)
    }
    // A signal that was ignored, as under `nohup`, remains ignored.
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(number, SIG_IGN)
    }
  }

  /// Lets signals through that the process inherited as blocked. A program that starts commands from
  /// a worker thread of a library may block them all.
  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Throws if an argument is not UTF-8: replacing the invalid bytes would name another file.
  private static func checkArguments() throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil
      else { continue }
      throw Failure(
        .usage,
        message: "argument \(index) is not UTF-8: \(escaped(argument)); "
          + "rename the file, or use a link to it")
    }
  }

  /// The text with each byte outside printable ASCII as `\xNN`.
  private static func escaped(_ text: UnsafePointer<CChar>) -> String {
    let digits = Array("0123456789abcdef")
    var result = ""
    for byte in UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:)) {
      if 0x20..<0x7F ~= byte {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return result
  }

  /// The message for a wait.
  static func text(of wait: LockWait) -> String {
    let who = wait.holder.map { "process \($0)" } ?? "another process"
    return switch wait.purpose {
    case .open: "\(who) has exclusive use of \(wait.path), as for compacting; waiting"
    case .write: "\(who) is writing to \(wait.path); waiting"
    case .load: "\(who) is importing into \(wait.path); waiting"
    }
  }
}
