import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The state that the process has to be in before a command runs, whatever it was started with.
enum ProcessSetup {
  /// Prepares the process. Call this before anything else.
  ///
  /// - Throws: that an argument cannot be understood.
  static func run() throws {
    guard StandardStreams.open() else {
      throw Failure(.io, "a standard stream is closed, and neither /dev/null nor / can be opened")
    }
    signal(SIGPIPE, SIG_IGN)
    // A file that would become larger than the process may make it is an error of writing then.
    signal(SIGXFSZ, SIG_IGN)
    TemporaryFiles.prepare()
    for number in [SIGINT, SIGTERM, SIGHUP] { removeTemporaryFiles(on: number) }
    LockWaits.observe { Console.say("Note: \(text(of: $0))") }
    try checkArguments()
  }

  /// Has a signal end the process only after its temporary files are removed.
  private static func removeTemporaryFiles(on number: Int32) {
    let before = signal(number) { number in
      TemporaryFiles.removeAll()
      signal(number, SIG_DFL)
      raise(number)
    }
    // As under `nohup`.
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(number, SIG_IGN)
    }
  }

  /// Throws where an argument is not UTF-8: repaired it would be the name of another file.
  private static func checkArguments() throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil
      else { continue }
      throw Failure(
        .usage,
        "argument \(index) is not UTF-8: \(escaped(argument)); give the file another name, or use a link to it"
      )
    }
  }

  /// The text with each byte that is not printable ASCII as `\xNN`.
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

  /// What to say of a wait.
  static func text(of wait: LockWait) -> String {
    let who = wait.holder.map { "process \($0)" } ?? "another process"
    return switch wait.purpose {
    case .open: "\(who) has \(wait.path) for itself, as for compacting; waiting until it is done"
    case .write: "\(who) writes to \(wait.path); waiting until it is done"
    case .load: "\(who) imports into \(wait.path); waiting until it is done"
    }
  }
}
