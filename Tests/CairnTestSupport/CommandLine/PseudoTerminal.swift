import Foundation

/// A pseudo-terminal: a process writes to one end, and the test reads from the other.
public final class PseudoTerminal {
  /// The system has no pseudo-terminals.
  public struct Unavailable: Error {}

  /// The end of the process.
  public let far: FileHandle
  private let near: Int32
  private let collected = Collected()
  private let reader: Thread

  /// Opens a terminal of a size in characters.
  public init(columns: Int, rows: Int) throws {
    var (near, far): (Int32, Int32) = (-1, -1)
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&near, &far, nil, nil, &size) == 0 else { throw Unavailable() }
    self.near = near
    self.far = FileHandle(fileDescriptor: far, closeOnDealloc: false)
    let collected = collected
    reader = Thread { [near] in collected.readAll(from: near) }
    reader.start()
  }

  /// Everything that the process wrote, after it has exited.
  public func text() -> String {
    close(far.fileDescriptor)
    collected.done.wait()
    close(near)
    return collected.text.replacingOccurrences(of: "\r\n", with: "\n")
  }

  /// The bytes that the reading thread has read.
  private final class Collected: @unchecked Sendable {
    // Sendable: the reading thread signals `done` after its last change, and the other one waits for it.
    let done = DispatchSemaphore(value: 0)
    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func readAll(from descriptor: Int32) {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 {
          bytes += buffer[..<count]
        } else if count == 0 || errno != EINTR {
          break
        }
      }
      done.signal()
    }
  }
}
