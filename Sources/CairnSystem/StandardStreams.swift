/// Opens a file as `open` does, but never under the number of a standard stream. In a process that
/// was started with a closed stream, everything the program prints would go into the file.
package func openFile(_ path: String, flags: Int32, mode: mode_t = 0) -> Int32 {
  lifted(open(path, flags | O_CLOEXEC, mode))
}

/// The same open file under a number above those of the standard streams.
package func lifted(_ descriptor: Int32) -> Int32 {
  guard StandardStreams.numbers.contains(descriptor) else { return descriptor }
  let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, StandardStreams.numbers.upperBound)
  let code = errno
  close(descriptor)
  errno = code
  return moved
}

/// Standard input, output and error. Any of them may be closed when the process starts.
package enum StandardStreams {
  static let numbers: Range<Int32> = 0..<3

  /// The number of bodies that are running, and the descriptors held for them.
  private static let reserved = Mutex((bodies: 0, held: [Int32]()))

  /// Runs `body` while the numbers of closed standard streams are occupied, so that a library that
  /// opens files itself gets other numbers. Reading from and writing to these streams fail as
  /// before.
  package static func withReserved<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
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

  /// Opens something that can neither be read nor written under each free number.
  private static func take() -> [Int32] {
    var held: [Int32] = []
    while numbers.contains(where: { fcntl($0, F_GETFD) < 0 }) {
      let descriptor = open("/", flags: pathOnly | O_CLOEXEC)
      guard numbers.contains(descriptor) else {
        if descriptor >= 0 { close(descriptor) }
        break
      }
      held.append(descriptor)
    }
    return held
  }

  #if os(Linux)
  /// `O_PATH`, which Swift does not import.
  private static let pathOnly: Int32 = 0o10000000
  #else
  private static let pathOnly = O_RDONLY
  #endif

  /// Opens `/dev/null` for each standard stream that is closed, for the whole process: for writing
  /// where the stream is read, and for reading where it is written, so that using it remains an
  /// error. Call this before anything opens a file.
  ///
  /// - Returns: false if a stream is still closed.
  package static func open() -> Bool {
    for number in numbers where fcntl(number, F_GETFD) < 0 {
      let flags = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
      var descriptor = systemOpen("/dev/null", flags: flags)
      // A folder can be neither read nor written either.
      if descriptor < 0 { descriptor = systemOpen("/", flags: O_RDONLY) }
      guard descriptor == number else { return false }
    }
    return true
  }

  /// Whether standard input can be read, judged by its descriptor.
  package static var hasInput: Bool {
    let flags = fcntl(STDIN_FILENO, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_WRONLY
  }

  private static func open(_ path: String, flags: Int32) -> Int32 { systemOpen(path, flags: flags) }
}

/// A function outside of the type, whose own `open` would hide the system's.
private func systemOpen(_ path: String, flags: Int32) -> Int32 { open(path, flags) }

/// Writes to standard error.
package enum StandardError {
  /// Writes a string in a single call, so that lines of several threads do not interleave.
  package static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // A failure cannot be reported anywhere.
      if let start = bytes.baseAddress { _ = unistdWrite(start, count: bytes.count) }
    }
  }
}

private func unistdWrite(_ start: UnsafePointer<UInt8>, count: Int) -> Int {
  write(STDERR_FILENO, start, count)
}
