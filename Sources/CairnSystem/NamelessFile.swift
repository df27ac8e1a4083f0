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
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemCallError(code: count == 0 ? EIO : errno) }
      done += count
    }
  }

  /// Fills `bytes` from an offset on.
  package func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemCallError)
  {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pread(descriptor, base + done, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemCallError(code: count == 0 ? EIO : errno) }
      done += count
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
