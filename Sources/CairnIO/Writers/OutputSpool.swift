import CairnSystem

/// Writes to a pipe, a terminal or a socket, and keeps the rest of the output in a temporary file
/// once the reader pauses.
///
/// A command that writes rows holds a snapshot, which keeps the pages of every later commit from
/// being reused. If the reader is a pager that nobody scrolls, that would last for hours. With the
/// file, the command comes to its end, releases the snapshot, and then calls `complete`. For use by
/// one thread.
package final class OutputSpool {
  /// The output, which is never waited for in `write` itself.
  private let output: NonblockingOutput
  /// Whether others wait for the command to come to its end.
  private let isHoldingUp: () -> Bool
  /// The temporary file; nil as long as the output flows.
  private var file: Int32?

  /// The milliseconds without a byte read after which the reader pauses.
  private static let patience: Int32 = 2000

  /// Returns nil if writing to the descriptor does not block for long, as for a file, or if it can
  /// only block.
  ///
  /// - Parameter isHoldingUp: Whether others wait for the command to come to its end; called when
  ///   the reader pauses.
  package init?(_ descriptor: Int32, isHoldingUp: @escaping () -> Bool) {
    guard let output = NonblockingOutput(descriptor) else { return nil }
    self.output = output
    self.isHoldingUp = isHoldingUp
  }

  deinit { if let file { close(file) } }

  /// Writes all the bytes, to the output or to the file.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard file == nil else { return try keep(bytes) }
    var rest = bytes
    while !rest.isEmpty {
      let written = try writeSome(rest)
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      guard written == 0 else { continue }
      while !output.isReady(within: Self.patience) {
        guard isHoldingUp(), let created = Self.createFile() else { continue }
        file = created
        return try keep(rest)
      }
    }
  }

  /// Writes the content of the file to the output, however long that takes. Call this when nothing
  /// that others wait for is held any more.
  package func complete() throws(OutputError) {
    guard let file else { return }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.stepSize, alignment: 16)
    defer { bytes.deallocate() }
    var offset: off_t = 0
    while true {
      let count = pread(file, bytes.baseAddress, bytes.count, offset)
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw .io(errno)
      }
      try writeWaiting(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      offset += off_t(count)
    }
    dropFile()
  }

  private static let stepSize = 1 << 16

  private func writeWaiting(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    var rest = bytes
    while !rest.isEmpty {
      let written = try writeSome(rest)
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      if written == 0 { _ = output.isReady(within: -1) }
    }
  }

  /// Writes as many bytes as fit at once, and returns their number.
  private func writeSome(_ bytes: UnsafeRawBufferPointer) throws(OutputError) -> Int {
    guard let count = output.write(bytes) else { throw OutputSink.error(errno) }
    return count
  }

  /// Appends bytes to the file. If that fails, the rest of the output is lost.
  private func keep(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let file, !output.isClosed else { throw .closed }
    var done = 0
    while done < bytes.count {
      let count = append(bytes, from: done, to: file)
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        let code = count == 0 ? EIO : errno
        dropFile()
        throw Self.failure(code)
      }
    }
  }

  private func dropFile() {
    if let file { close(file) }
    file = nil
  }

  private static func failure(_ code: Int32) -> OutputError {
    let reason = [ENOSPC, EDQUOT].contains(code) ? "the disk is full" : errorText(code)
    return .file(
      .output,
      "the reader of the output has paused, and the rest of the output cannot be kept "
        + "in \(TemporaryFiles.folder): \(reason); set TMPDIR to a folder with more space")
  }

  /// Creates a file without a name; nil if that is impossible, so that the output has to be waited
  /// for.
  private static func createFile() -> Int32? {
    let nameless = openNameless(in: TemporaryFiles.folder)
    if nameless >= 0 { return nameless }
    let prefix = "\(TemporaryFiles.folder)/.cairn-output-"
    guard let file = TemporaryFiles.create(prefix: prefix) else { return nil }
    unlink(file.path)
    return file.descriptor
  }
}

/// Calls the system's `write`, which the method of that name hides inside the class.
private func append(_ bytes: UnsafeRawBufferPointer, from start: Int, to file: Int32) -> Int {
  assert(start >= 0 && start <= bytes.count, "the bytes begin within the piece")
  guard let base = bytes.baseAddress else { return 0 }
  return write(file, base + start, bytes.count - start)
}
