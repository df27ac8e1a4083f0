import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Whole files of modest size.
enum FileBytes {
  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: `noInput` where it is not there or cannot be opened, `io` where reading fails.
  static func read(_ path: String) throws -> [UInt8] {
    guard path != "-" else {
      guard StandardStreams.hasInput else { throw Failure(.noInput, "standard input is closed") }
      return try read(STDIN_FILENO, name: "standard input")
    }
    UsedFiles.note(path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.noInput, "cannot open \(path): \(System.errorText())")
    }
    defer { close(descriptor) }
    return try read(descriptor, name: path)
  }

  private static func read(_ descriptor: Int32, name: String) throws -> [UInt8] {
    let step = 1 << 16
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: step)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, into: $0) }
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw Failure(
          errno == EISDIR ? .noInput : .io, "cannot read \(name): \(System.errorText())")
      }
    }
  }

  private static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
    Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
    Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #else
    Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }
}
