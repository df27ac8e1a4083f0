import CairnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Opens a file as `open` does, never under the number of a standard stream: where the process was started with a
/// closed stream, what the program prints would go into the file.
func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
  lifted(open(path, flags | O_CLOEXEC, mode))
}

/// The same open file under a number above those of the standard streams.
func lifted(_ descriptor: Int32) -> Int32 {
  guard StandardStreams.numbers.contains(descriptor) else { return descriptor }
  let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, StandardStreams.numbers.upperBound)
  let code = errno
  close(descriptor)
  errno = code
  return moved
}

/// Standard input, output and error, any of which the process may have been started without.
package enum StandardStreams {
  static let numbers: Range<Int32> = 0..<3

  /// How many bodies run, and the descriptors that are held for them.
  private static let reserved = Mutex((bodies: 0, held: [Int32]()))

  /// Runs `body` while the numbers of closed standard streams are taken, so that a library that opens files itself gets
  /// others. Reading from them and writing to them fail as before.
  static func withReserved<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    reserved.withLock { state in
      state.bodies += 1
      if state.bodies == 1 { state.held = take() }
    }
    defer {
      reserved.withLock { state in
        state.bodies -= 1
        guard state.bodies == 0 else { return }
        for descriptor in state.held { close(descriptor) }
        state.held = []
      }
    }
    return try body()
  }

  /// Opens something that can be neither read nor written under each number that is free.
  private static func take() -> [Int32] {
    var held: [Int32] = []
    while numbers.contains(where: { fcntl($0, F_GETFD) < 0 }) {
      let descriptor = open("/", pathOnly | O_CLOEXEC)
      guard numbers.contains(descriptor) else {
        if descriptor >= 0 { close(descriptor) }
        break
      }
      held.append(descriptor)
    }
    return held
  }

  #if os(Linux)
  /// `O_PATH`, which Swift does not see.
  private static let pathOnly: Int32 = 0o10000000
  #else
  private static let pathOnly = O_RDONLY
  #endif

  /// Opens `/dev/null` for each standard stream that is closed, for the whole process: for writing where it is read, and
  /// for reading where it is written, so that using it remains an error. Call this before anything opens a file.
  ///
  /// - Returns: false where a stream stays closed.
  package static func open() -> Bool {
    for number in numbers where fcntl(number, F_GETFD) < 0 {
      let flags = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
      var descriptor = systemOpen("/dev/null", flags)
      // A folder can be neither read nor written either.
      if descriptor < 0 { descriptor = systemOpen("/", O_RDONLY) }
      guard descriptor == number else { return false }
    }
    return true
  }

  /// Whether standard input can be read, as far as its descriptor tells.
  package static var hasInput: Bool {
    let flags = fcntl(STDIN_FILENO, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_WRONLY
  }

  private static func open(_ path: String, _ flags: Int32) -> Int32 { systemOpen(path, flags) }
}

/// Apart from the type, whose own `open` would hide the system's.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
