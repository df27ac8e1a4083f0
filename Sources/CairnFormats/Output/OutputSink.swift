#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Bytes on their way to a file descriptor, collected so that the system is asked seldom.
///
/// A broken pipe is `OutputError.closed`; the process must ignore `SIGPIPE` to live that long.
/// Confined to one thread.
package final class OutputSink {
  private let descriptor: Int32
  private var bytes: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0
  /// Bytes handed to the system so far.
  package private(set) var bytesWritten = 0

  private static let flushSize = 1 << 16

  /// A sink for an open descriptor, which stays the caller's to close.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    capacity = Self.flushSize * 2
    bytes = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { bytes.deallocate() }

  /// Whether bytes are only collected.
  private var isMemory: Bool { descriptor == Self.nowhere }
  private static let nowhere = Int32.min

  /// A sink that keeps what it gets.
  static func memory() -> OutputSink { OutputSink(descriptor: nowhere) }

  /// Calls `body` with what was collected and not handed over yet.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// The collected bytes that are not handed over yet; valid until more is appended.
  var collected: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

  /// Forgets what was collected.
  func removeAll() { count = 0 }

  /// Hands everything collected to the system.
  package func flush() throws(OutputError) {
    guard !isMemory else { return }
    var done = 0
    defer { drop(done) }
    while done < count {
      let written = write(descriptor, bytes + done, count - done)
      if written > 0 {
        done += written
      } else if written == 0 || errno != EINTR {
        throw Self.error(written == 0 ? EIO : errno)
      }
    }
  }

  /// Hands over what was collected when it has become much.
  func flushWhenFull() throws(OutputError) {
    if count >= Self.flushSize { try flush() }
  }

  private func drop(_ done: Int) {
    bytesWritten += done
    bytes.copyMemory(from: bytes + done, byteCount: count - done)
    count -= done
  }

  private static func error(_ code: Int32) -> OutputError {
    switch code {
    case EPIPE: .closed
    case ENOSPC, EDQUOT: .diskFull
    default: .io(code)
    }
  }

  /// Room for more bytes; the caller writes there and then calls `advance`.
  func reserve(_ more: Int) -> UnsafeMutableRawPointer {
    if count + more > capacity { grow(count + more) }
    return bytes + count
  }

  /// Takes over what was written into the reserved room.
  func advance(_ more: Int) { count += more }

  private func grow(_ needed: Int) {
    while capacity < needed { capacity *= 2 }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = larger
  }

  func append(_ byte: UInt8) {
    reserve(1).storeBytes(of: byte, as: UInt8.self)
    advance(1)
  }

  func append(_ raw: UnsafeRawBufferPointer) {
    guard let base = raw.baseAddress else { return }
    reserve(raw.count).copyMemory(from: base, byteCount: raw.count)
    advance(raw.count)
  }

  func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }
}
