import Foundation

/// A receiver of hooks on this machine, which answers each request on a connection of its own.
final class HookReceiver: @unchecked Sendable {
  // Sendable: all state is read and written under `lock`.

  /// What a receiver does with a request.
  enum Answer {
    /// It takes the batch.
    case take
    /// It answers with an error, and does not take the batch.
    case refuse(Int)
    /// It takes the batch, and ends the connection without an answer.
    case die
    /// It takes the batch, and gives no answer until the sender has ended the connection.
    case hesitate
  }

  /// The port, which the system chooses for 0.
  let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (Int) -> Answer
  private let lock = NSLock()
  private var bodies: [Data] = []
  private var requests = 0

  /// - Parameter answer: Returns what to do with a request of that number.
  init(port: UInt16 = 0, answer: @escaping @Sendable (Int) -> Answer = { _ in .take }) throws {
    self.answer = answer
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, kind, 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var isOn: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else { throw Connection.Failure(text: "bind: \(errno)") }
    self.port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        guard let self else {
          close(connection)
          return
        }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  /// Ends the receiver.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// A port on which nobody listens.
  static func freePort() throws -> UInt16 {
    let receiver = try HookReceiver()
    receiver.stop()
    return receiver.port
  }

  /// The number of requests.
  var requestCount: Int { lock.withLock { requests } }

  /// The events of the batches that were taken.
  var events: [[String: Any]] {
    lock.withLock { bodies }.flatMap { body in
      let batch = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
      return batch?["events"] as? [[String: Any]] ?? []
    }
  }

  /// The identifiers of the items that entered, in the order of the events.
  var ids: [Int] {
    events.compactMap { event in
      guard event["event"] as? String == "enter" else { return nil }
      return (event["feature"] as? [String: Any])?["id"] as? Int
    }
  }

  /// The same without repetitions.
  var distinctIDs: [Int] {
    var seen: Set<Int> = []
    return ids.filter { seen.insert($0).inserted }
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    guard let body = body(on: connection) else { return }
    let number = lock.withLock {
      requests += 1
      return requests
    }
    switch answer(number) {
    case .refuse(let status): return reply(status, on: connection)
    case .take:
      lock.withLock { bodies.append(body) }
      reply(204, on: connection)
    case .die: lock.withLock { bodies.append(body) }
    case .hesitate:
      lock.withLock { bodies.append(body) }
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
    }
  }

  private func reply(_ status: Int, on connection: Int32) {
    let text =
      "HTTP/1.1 \(status) OK\r\n\(status == 204 ? "" : "Content-Length: 0\r\n")Connection: close\r\n\r\n"
    let bytes = Array(text.utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// The body of a request; nil if the connection ends before.
  private func body(on connection: Int32) -> Data? {
    var received = Data()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let head = received.range(of: end) {
        let text = String(decoding: received[..<head.lowerBound], as: UTF8.self)
        let line = text.split(separator: "\r\n").first {
          $0.lowercased().hasPrefix("content-length:")
        }
        let length = line.flatMap { Int($0.split(separator: ":")[1].filter { $0 != " " }) } ?? 0
        if received.count - head.upperBound >= length {
          return Data(received[head.upperBound..<head.upperBound + length])
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received.append(contentsOf: buffer[..<count])
    }
  }
}
