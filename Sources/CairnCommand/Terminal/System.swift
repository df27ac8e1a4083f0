import CairnSystem

/// The operating-system calls of the commands, except for reading and writing files.
enum System {
  /// The system's description of an error number, by default of the last error.
  static func errorText(_ code: Int32 = errno) -> String { CairnSystem.errorText(code) }

  /// The reason why output cannot be written.
  static func outputErrorText(_ code: Int32) -> String {
    code == EBADF ? "it is closed" : errorText(code)
  }

  /// The path of the running program.
  static var executable: String? {
    #if os(Linux)
    // It remains right when the program is replaced by a new version.
    "/proc/self/exe"
    #else
    CommandLine.arguments.first.flatMap { name in
      name.contains("/")
        ? name
        : environment("PATH")?.split(separator: ":").map { "\($0)/\(name)" }
          .first { access($0, X_OK) == 0 }
    }
    #endif
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether both paths lead to the same existing file.
  static func isSameFile(_ path: String, other: String) -> Bool {
    var here = stat()
    var there = stat()
    return stat(path, &here) == 0 && stat(other, &there) == 0
      && here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  /// The size of a file in bytes; nil if it does not exist.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Whether the path exists and is not a regular file: a terminal, a pipe, `/dev/null`.
  static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// The first bytes of a file; fewer if it is shorter, and none if it cannot be read.
  static func beginning(of path: String, count: Int) -> [UInt8] {
    let file = openFile(path, flags: O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(file, &bytes, count, 0)
    return Array(bytes.prefix(max(0, read)))
  }

  static func remove(_ path: String) { unlink(path) }

  /// Removes a folder if it is empty.
  static func removeFolder(_ path: String) { rmdir(path) }

  static let standardOutput = STDOUT_FILENO
  static let standardError = STDERR_FILENO

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal behind a descriptor; nil if it is not a terminal or does not
  /// report its size.
  static func columns(of descriptor: Int32) -> Int? { size(of: descriptor)?.columns }

  /// The columns and rows of the terminal behind a descriptor; nil if it is not a terminal or does
  /// not report its size.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard isTerminal(descriptor), ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The value of an environment variable; nil if it is not set.
  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Writes all of the text to a descriptor. Errors are ignored, because they could not be reported
  /// either.
  static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = writeOnce(descriptor, bytes: rest)
        if count < 0, errno != EINTR { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
      }
    }
  }
}

/// A free function, because inside `System` its own `write` would hide the system's.
private func writeOnce(_ descriptor: Int32, bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
