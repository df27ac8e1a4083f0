import CairnSystem

/// Reads whole files of moderate size.
enum FileContents {
  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: `noInput` if the file does not exist or cannot be opened, `io` if reading fails.
  static func read(_ path: String) throws -> [UInt8] {
    guard path != "-" else {
      guard StandardStreams.hasInput else {
        throw Failure(.noInput, message: "standard input is closed")
      }
      Supervisor.noteWork()
      return try read(STDIN_FILENO, name: "standard input")
    }
    UsedFiles.note(path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure.cannotOpen(path)
    }
    defer { close(descriptor) }
    return try read(descriptor, name: path)
  }

  private static func read(_ descriptor: Int32, name: String) throws -> [UInt8] {
    let step = 1 << 16
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: step)
    while true {
      let count = buffer.withUnsafeMutableBytes { readOnce(descriptor, into: $0) }
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw Failure(
          errno == EISDIR ? .noInput : .io, message: "cannot read \(name): \(System.errorText())")
      }
    }
  }
}

/// A free function, because inside `FileContents` its own `read` would hide the system's.
private func readOnce(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
