import CairnSystem
import Foundation

@testable import CairnServer

/// A server for one browser on this machine, which answers each request on a connection of its own.
final class LoopbackServer: @unchecked Sendable {
  private let service: Service
  private let listener: Int32
  /// The port, which the system chose.
  let port: UInt16

  init(_ service: Service) throws {
    self.service = service
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else { throw CocoaError(.fileReadUnknown) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, let self else { return }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        // Browsers open connections that they may never use, and the threads of tasks must not wait
        // for them.
        Thread.detachNewThread {
          guard let request = self.request(on: connection) else {
            close(connection)
            return
          }
          Task { await self.answer(request, on: connection) }
        }
      }
    }
  }

  /// Ends the server.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Waits for a request; returns nil if the browser closes the connection instead.
  private func request(on connection: Int32) -> Request? {
    var head = ""
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !head.contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      head += String(decoding: buffer[..<count], as: UTF8.self)
    }
    let lines = head.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    var headers: Headers = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        headers.append(
          String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
      }
    }
    guard words.count > 1 else { return nil }
    return Request(String(words[0]), target: String(words[1]), headers: headers)
  }

  private func answer(_ request: Request, on connection: Int32) async {
    defer { close(connection) }
    let response = await service.respond(to: request)
    var text = "HTTP/1.1 \(response.status) OK\r\nConnection: close\r\n"
    for (name, value) in response.headers.fields { text += "\(name): \(value)\r\n" }
    guard send(Array((text + "\r\n").utf8), on: connection) else { return }
    switch response.body {
    case .bytes(let bytes): _ = send(bytes, on: connection)
    case .stream(let stream):
      while let chunk = try? await stream.next() {
        guard send(chunk, on: connection) else { return }
      }
    }
  }

  private func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
