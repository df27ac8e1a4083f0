import Foundation

/// A receiver of hooks on this machine.
public final class HookReceiver: @unchecked Sendable {
  // Sendable: all state is read and written under `lock`.

  /// The ways in which a receiver takes a request.
  public enum Answer: Sendable {
    /// It takes the batch, and keeps the connection.
    case take
    /// It answers with an error, and does not take the batch.
    case refuse(Int)
    /// It takes the batch, and ends the connection without an answer.
    case die
    /// It takes the batch, and gives no answer until the sender has ended the connection.
    case hesitate
    /// It takes the batch, answers with these bytes, and waits until the sender has ended the connection.
    case send(String)
  }

  /// A receiver that cannot start.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String

    /// Creates an error with its reason.
    public init(description: String) { self.description = description }
  }

  /// The port, which the system chooses for 0.
  public let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (Int) -> Answer
  private let lock = NSLock()
  private var bodies: [Data] = []
  private var allHeads: [String] = []
  private var connections = 0

  /// Starts a receiver.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for a free one.
  ///   - answer: Returns what to do with a request of that number.
  public init(
    port: UInt16 = 0, answer: @escaping @Sendable (Int) -> Answer = { _ in .take }
  ) throws {
    self.answer = answer
    let (listener, port) = try ReservedPort.socket(port: port)
    (self.listener, self.port) = (listener, port)
    guard listen(listener, 16) == 0 else { throw Failure(description: "listen: \(errno)") }
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
  public func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The number of requests.
  public var requestCount: Int { heads.count }

  /// The heads of the requests, each without the empty line at its end.
  public var heads: [String] { lock.withLock { allHeads } }

  /// The number of connections.
  public var connectionCount: Int { lock.withLock { connections } }

  /// The bodies of the batches that were taken.
  public var contents: [Data] { lock.withLock { bodies } }

  /// The events of the batches that were taken.
  public var events: [[String: Any]] {
    lock.withLock { bodies }.flatMap { body in
      let batch = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
      return batch?["events"] as? [[String: Any]] ?? []
    }
  }

  /// The identifiers of the items that entered, in the order of the events.
  public var ids: [Int] {
    events.compactMap { event in
      guard event["event"] as? String == "enter" else { return nil }
      return (event["feature"] as? [String: Any])?["id"] as? Int
    }
  }

  /// The same without repetitions.
  public var distinctIDs: [Int] {
    var seen: Set<Int> = []
    return ids.filter { seen.insert($0).inserted }
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    lock.withLock { connections += 1 }
    var received = Data()
    while let (head, body) = request(on: connection, &received) {
      let number = lock.withLock {
        allHeads.append(head)
        return allHeads.count
      }
      let answer = answer(number)
      if case .refuse(let status) = answer {
        send("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n", on: connection)
        continue
      }
      lock.withLock { bodies.append(body) }
      switch answer {
      case .take, .refuse: send("HTTP/1.1 204 No Content\r\n\r\n", on: connection)
      case .die: return
      case .hesitate: return waitForEnd(of: connection)
      case .send(let text):
        send(text, on: connection)
        return waitForEnd(of: connection)
      }
    }
  }

  private func waitForEnd(of connection: Int32) {
    var byte: UInt8 = 0
    while recv(connection, &byte, 1, 0) > 0 {}
  }

  private func send(_ text: String, on connection: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The next request; nil if the connection ends before.
  private func request(
    on connection: Int32, _ received: inout Data
  ) -> (head: String, body: Data)? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let gap = received.range(of: end) {
        let head = String(decoding: received[..<gap.lowerBound], as: UTF8.self)
        let line = head.split(separator: "\r\n").first {
          $0.lowercased().hasPrefix("content-length:")
        }
        let length = line.flatMap { Int($0.split(separator: ":")[1].filter { $0 != " " }) } ?? 0
        if received.count - gap.upperBound >= length {
          let body = Data(received[gap.upperBound..<gap.upperBound + length])
          received = Data(received[(gap.upperBound + length)...])
          return (head, body)
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received.append(contentsOf: buffer[..<count])
    }
  }
}
