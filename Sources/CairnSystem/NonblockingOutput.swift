/// A pipe, a terminal or a socket that this object writes to without waiting for its reader.
///
/// Setting `O_NONBLOCK` on the descriptor would change it for all programs that have inherited it,
/// such as the shell, so the object opens the pipe or the terminal once more for itself.
package final class NonblockingOutput {
  private enum Access {
    /// A descriptor of this object's own, which never blocks.
    case own
    /// A socket, to which a single call can write without waiting.
    case socket
    /// A pipe that cannot be opened again, as one of another user. It takes a small piece whole
    /// whenever it is ready.
    case pieces
  }

  private let access: Access
  private let descriptor: Int32

  #if os(Linux)
  private static let pieceSize = 4096
  #else
  private static let pieceSize = 512
  #endif

  /// Returns nil if the descriptor leads to anything that has no reader, such as a file.
  package init?(_ descriptor: Int32) {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return nil }
    let kind = info.st_mode & S_IFMT
    if kind == S_IFSOCK {
      (access, self.descriptor) = (.socket, descriptor)
    } else if kind == S_IFIFO || Self.isTerminal(info),
      let own = Self.reopen(descriptor)
    {
      (access, self.descriptor) = (.own, own)
    } else if kind == S_IFIFO {
      (access, self.descriptor) = (.pieces, descriptor)
    } else {
      return nil
    }
  }

  deinit { if case .own = access { close(descriptor) } }

  /// Whether a device is a terminal that a program may open again. Opening the other end of a
  /// pseudo-terminal again would make another one.
  private static func isTerminal(_ info: stat) -> Bool {
    #if os(Linux)
    // Consoles and serial lines, and the programs' ends of pseudo-terminals.
    let device = Int(info.st_rdev >> 8 & 0xFFF)
    return info.st_mode & S_IFMT == S_IFCHR && (device == 4 || 136...143 ~= device)
    #else
    return false
    #endif
  }

  private static func reopen(_ descriptor: Int32) -> Int32? {
    #if os(Linux)
    let own = openFile(openFilePath(descriptor), flags: O_WRONLY | O_NONBLOCK | O_NOCTTY)
    return own >= 0 ? own : nil
    #else
    // A path to a descriptor leads to the same open file elsewhere.
    return nil
    #endif
  }

  /// Writes as many bytes as fit at once.
  ///
  /// - Returns: The number of bytes written, which is 0 if none fit; nil with `errno` set if writing
  ///   failed.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    while true {
      let count: Int
      switch access {
      case .own: count = systemWrite(descriptor, bytes, bytes.count)
      case .socket: count = send(descriptor, bytes.baseAddress, bytes.count, Self.withoutWaiting)
      case .pieces:
        guard isReady(within: 0) else { return 0 }
        count = systemWrite(descriptor, bytes, min(bytes.count, Self.pieceSize))
      }
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK { return 0 }
      if errno != EINTR { return nil }
    }
  }

  private static let withoutWaiting = Int32(MSG_DONTWAIT)

  /// Waits until bytes fit, or writing fails.
  ///
  /// - Parameter milliseconds: The longest time; negative for any time.
  /// - Returns: false if the time is over.
  package func isReady(within milliseconds: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&state, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count != 0 }
    }
  }

  /// Whether nobody can read what is written any more.
  package var isClosed: Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR) != 0
  }
}

/// A function outside of the class, whose own `write` would hide the system's.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ count: Int) -> Int
{
  assert(count >= 0 && count <= bytes.count, "more bytes are written than there are")
  return write(descriptor, bytes.baseAddress, count)
}
