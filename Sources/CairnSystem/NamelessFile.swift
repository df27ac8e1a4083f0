/// The number of the error with which a call of the system failed.
package struct SystemCallError: Error {
  /// The value of `errno`.
  package let code: Int32
}

/// A temporary file without a name, which disappears with the process, however that ends.
///
/// Any thread may read and write it.
package final class NamelessFile: Sendable {
  private let descriptor: Int32

  /// Creates an empty file.
  ///
  /// - Parameter path: A file in the same folder. Where the system has no files without names, the file
  ///   has a name that begins in the same way, for a moment.
  package init(beside path: String) throws(SystemCallError) {
    let nameless = openNameless(in: folder(of: path))
    guard nameless < 0 else {
      descriptor = nameless
      return
    }
    // The name must differ from those of other processes.
    let name = "\(path).temporary-\(getpid())-\(UInt32.random(in: .min ... .max))"
    descriptor = openFile(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard descriptor >= 0 else { throw SystemCallError(code: errno) }
    unlink(name)
  }

  deinit { close(descriptor) }

  /// Writes bytes from an offset on.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemCallError) {
    guard let base = bytes.baseAddress else { return }
    try transfer(bytes.count) {
      pwrite(descriptor, base + $0, bytes.count - $0, off_t(offset + $0))
    }
  }

  /// Fills `bytes` from an offset on.
  package func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemCallError)
  {
    guard let base = bytes.baseAddress else { return }
    try transfer(bytes.count) {
      pread(descriptor, base + $0, bytes.count - $0, off_t(offset + $0))
    }
  }

  /// Repeats a call of the system until it has transferred all bytes.
  ///
  /// - Parameter call: Transfers bytes after a number of them, and returns how many.
  private func transfer(_ count: Int, _ call: (Int) -> Int) throws(SystemCallError) {
    var done = 0
    while done < count {
      let more = call(done)
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { throw SystemCallError(code: more == 0 ? EIO : errno) }
      done += more
    }
  }

  /// Writes bytes from an offset on.
  package func write(_ bytes: [UInt8], at offset: Int) throws(SystemCallError) {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemCallError) in try write(bytes, at: offset) }
    }.get()
  }

  /// Returns the bytes from an offset on.
  package func read(_ count: Int, at offset: Int) throws(SystemCallError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try bytes.withUnsafeMutableBytes { bytes in
      Result { () throws(SystemCallError) in try read(bytes, at: offset) }
    }.get()
    return bytes
  }
}
