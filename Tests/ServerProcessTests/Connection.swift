#if Server
import Foundation

/// A bare connection to a server on this machine.
final class Connection {
  /// The reason why a connection failed.
  struct Failure: Error {
    let text: String
  }

  private let descriptor: Int32

  /// - Parameter base: The URL of the server, such as `http://127.0.0.1:8080`.
  init(_ base: String) throws {
    guard let port = base.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw Failure(text: base)
    }
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, size) == 0
      }
    }
    guard isConnected else { throw Failure(text: "connect: \(errno)") }
  }

  deinit { close(descriptor) }

  /// Sends a request and reads the response.
  ///
  /// - Parameter end: The text with which the response ends; nil if the server closes the connection.
  func send(_ request: String, until end: String?) throws -> String {
    let bytes = Array(request.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Failure(text: "write: \(errno)")
    }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      received += buffer[..<count]
      if let end, String(decoding: received, as: UTF8.self).contains(end) { break }
    }
    return String(decoding: received, as: UTF8.self)
  }
}
#endif
