import Foundation

/// A response of server-sent events on a bare connection, in chunks.
final class EventStream {
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  /// Bytes that were received and not read yet, without the marks of chunks.
  private var content: [UInt8] = []
  private var raw: [UInt8] = []
  private var chunkLeft = 0

  init?(port: UInt16) {
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_INET, kind, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
    }
    guard isConnected else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Sends a request, and reads the head of the response; returns whether its status is 200.
  func request(_ target: String, header: String) -> Bool {
    let text = "GET \(target) HTTP/1.1\r\nHost: bench\r\n\(header)\r\n"
    let bytes = Array(text.utf8)
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      return false
    }
    let end = Array("\r\n\r\n".utf8)
    while receive() {
      guard let found = raw.firstRange(of: end) else { continue }
      let head = String(decoding: raw[..<found.lowerBound], as: UTF8.self)
      raw.removeSubrange(..<found.upperBound)
      guard head.hasPrefix("HTTP/1.1 200") else {
        FileHandle.standardError.write(Data((head + "\n").utf8))
        return false
      }
      return true
    }
    return false
  }

  private func receive() -> Bool {
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    raw += buffer[..<count]
    return true
  }

  /// Returns the next complete lines; nil at the end.
  func nextLines() -> [ArraySlice<UInt8>]? {
    while true {
      takeChunks()
      if let last = content.lastIndex(of: 10) {
        let lines = content[..<last].split(separator: 10, omittingEmptySubsequences: false)
        let rest = Array(content[(last + 1)...])
        defer { content = rest }
        return lines
      }
      guard receive() else { return nil }
    }
  }

  /// Moves what has arrived from `raw` to `content`.
  private func takeChunks() {
    var index = 0
    while index < raw.count {
      if chunkLeft > 2 {
        let count = min(chunkLeft - 2, raw.count - index)
        content += raw[index..<index + count]
        index += count
        chunkLeft -= count
      } else if chunkLeft > 0 {
        // The end of the line behind a chunk.
        index += 1
        chunkLeft -= 1
      } else {
        guard let end = raw[index...].firstIndex(of: 10) else { break }
        let size = String(decoding: raw[index..<end].dropLast(), as: UTF8.self)
        chunkLeft = (Int(size, radix: 16) ?? 0) + 2
        index = end + 1
      }
    }
    raw.removeFirst(index)
  }
}
