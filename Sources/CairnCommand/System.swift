#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the commands ask of the operating system, apart from reading and writing files.
enum System {
  /// The system's own words for an error number; for the last error when none is given.
  static func errorText(_ code: Int32 = errno) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Why output cannot be written.
  static func outputErrorText(_ code: Int32) -> String {
    code == EBADF ? "it is closed" : errorText(code)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether both paths lead to one file that is there.
  static func isSameFile(_ path: String, _ other: String) -> Bool {
    var here = stat()
    var there = stat()
    return stat(path, &here) == 0 && stat(other, &there) == 0
      && here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  /// Bytes of a file; nil where there is none.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Whether something is there that is no regular file: a terminal, a pipe, `/dev/null`.
  static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  static func remove(_ path: String) { unlink(path) }

  static let standardOutput = STDOUT_FILENO
  static let standardError = STDERR_FILENO

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal behind a descriptor; nil: it is none, or does not say.
  static func columns(of descriptor: Int32) -> Int? { size(of: descriptor)?.columns }

  /// Columns and rows of the terminal behind a descriptor; nil: it is none, or does not say.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard isTerminal(descriptor), ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The variable of the environment; nil where it is not set.
  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Seconds of a clock that never goes back.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Writes to a descriptor, all of it unless that fails; there is nobody to tell when it does.
  static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = writeOnce(descriptor, rest)
        if count < 0, errno != EINTR { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
      }
    }
  }
}

/// Apart from `System`, whose own `write` would hide the system's.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
