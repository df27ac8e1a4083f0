import CairnSystem
import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The requests with batches, to receivers on this machine.
@Suite(.tags(.threads)) struct HookClientTests {
  private static func batch(_ url: String, text: String = #"{"event":"enter"}"#) throws -> HookBatch
  {
    HookBatch([text], of: try Hook("ships?fences=harbours=" + url), cursor: "6-33ac09")
  }

  private static func url(_ receiver: HookReceiver, _ path: String = "/") -> String {
    "http://127.0.0.1:\(receiver.port)\(path)"
  }

  /// Why the receiver has not taken a batch; nil if it has.
  private func failure(
    _ url: String, timeout: Double = 300, authorities: String? = nil
  ) async throws -> String? {
    let client = try HookClient(timeout: timeout, authorities: authorities)
    do {
      try await client.send(Self.batch(url))
    } catch let error as HookFailure {
      await client.close()
      return error.description
    }
    await client.close()
    return nil
  }

  @Test func theRequestIsThatOfAHook() async throws {
    let receiver = try HookReceiver()
    defer { receiver.stop() }
    let batch = try Self.batch(
      "http://user:secret@127.0.0.1:\(receiver.port)/moved?token=a%20b",
      text: #"{"event":"enter","text":"\#(String(repeating: "ä\u{0}", count: 100_000))"}"#)
    let client = try HookClient(timeout: 300)
    try await client.send(batch)
    await client.close()
    let lines = receiver.heads.flatMap { $0.components(separatedBy: "\r\n") }
    #expect(lines.first == "POST /moved?token=a%20b HTTP/1.1")
    #expect(lines.contains("Host: 127.0.0.1:\(receiver.port)"))
    #expect(lines.contains("Content-Type: application/json"))
    #expect(lines.contains("User-Agent: cairn-server"))
    #expect(lines.contains("Content-Length: \(batch.body.count)"))
    #expect(lines.contains("Authorization: Basic dXNlcjpzZWNyZXQ="))
    #expect(!lines.contains { $0.hasPrefix("Expect") })
    #expect(receiver.contents == [Data(batch.body)])
  }

  @Test func connectionsAreUsedAgain() async throws {
    let receiver = try HookReceiver { $0 == 2 ? .refuse(500) : .take }
    defer { receiver.stop() }
    let client = try HookClient(timeout: 300)
    for number in 1...4 {
      do {
        try await client.send(Self.batch(Self.url(receiver)))
        #expect(number != 2)
      } catch {
        #expect(number == 2 && "\(error)" == "the receiver answered 500")
      }
    }
    #expect(receiver.requestCount == 4)
    #expect(receiver.connectionCount == 1)
    await client.close()
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectsAreNotFollowed(status: Int) async throws {
    let other = try HookReceiver()
    let receiver = try HookReceiver { _ in
      .send(
        "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(Self.url(other))\r\nContent-Length: 0\r\n\r\n")
    }
    #expect(try await failure(Self.url(receiver)) == "the receiver answered \(status)")
    #expect(other.connectionCount == 0)
    receiver.stop()
    other.stop()
  }

  /// The connection stays open after these answers, so only the limit of the client ends long bodies.
  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntaken", 0, nil),
      ("HTTP/1.0 299 Fine\r\nContent-Length: 0\r\n\r\n", 0, nil),
      ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 OK\r\n\r\n", 0, nil),
      ("HTTP/1.1 200 OK\r\n\r\n", 100_000, nil),
      ("HTTP/1.1 404 No\r\n\r\n", 100_000, "the receiver answered 404"),
      (
        "HTTP/1.1 199 Nearly\r\n\r\nHTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", 0,
        "the receiver answered 503"
      ),
      ("nonsense\r\n", 0, "Received HTTP/0.9 when not allowed"),
    ] as [(String, Int, String?)])
  func theStatusDecides(head: String, bodyLength: Int, reason: String?) async throws {
    let receiver = try HookReceiver { _ in
      .send(head + String(repeating: "x", count: bodyLength))
    }
    defer { receiver.stop() }
    #expect(try await failure(Self.url(receiver)) == reason)
  }

  /// A body that does not end does not make a success a failure.
  @Test func theTimeOfABodyIsLimited() async throws {
    let receiver = try HookReceiver { _ in .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbeg")
    }
    defer { receiver.stop() }
    #expect(try await failure(Self.url(receiver), timeout: 0.5) == nil)
  }

  @Test func receiversThatDoNotAnswerFail() async throws {
    let silent = try HookReceiver { _ in .hesitate }
    #expect(try await failure(Self.url(silent), timeout: 0.5) == "no answer within 0.5 s")
    let halting = try HookReceiver { _ in .send("HTTP/1.1 200 OK\r\nContent-Le") }
    #expect(try await failure(Self.url(halting), timeout: 0.5) == "no answer within 0.5 s")
    let dying = try HookReceiver { _ in .die }
    #expect(
      try await failure(Self.url(dying)) == "the receiver closed the connection without an answer")
    // It waits for the end of a head, which the beginning of an encryption is not.
    let mute = "https://127.0.0.1:\(silent.port)/"
    #expect(try await failure(mute, timeout: 1) == "no connection to the receiver within 1 s")
    for receiver in [silent, halting, dying] { receiver.stop() }
  }

  @Test func receiversThatAreNotThereFail() async throws {
    let port = try ReservedPort()
    defer { withExtendedLifetime(port) {} }
    #expect(
      try await failure("http://127.0.0.1:\(port.number)/")
        == "no connection to the receiver: Connection refused")
    // The part between two dots is too long for a name, so nobody is asked.
    let name = String(repeating: "a", count: 70) + ".invalid"
    #expect(try await failure("http://\(name)/") == "the name of the receiver is not known")
    let text = try await failure("http://127.0.0.1:x/")
    #expect(text?.isEmpty == false && text?.contains("receiver") == false, "\(text ?? "")")
  }

  @Test func cancelledRequestsEndAtOnce() async throws {
    let receiver = try HookReceiver { _ in .hesitate }
    defer { receiver.stop() }
    let client = try HookClient(timeout: 100_000)
    let batch = try Self.batch(Self.url(receiver))
    let task = Task { try await client.send(batch) }
    try await eventually("the request has arrived") { receiver.requestCount == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // A task that is cancelled already sends nothing, or ends at once.
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await client.send(batch)
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    await client.close()
  }

  @Test func aClosedClientSendsNothing() async throws {
    let receiver = try HookReceiver { _ in .hesitate }
    defer { receiver.stop() }
    let client = try HookClient(timeout: 100_000)
    let batch = try Self.batch(Self.url(receiver))
    let task = Task { try await client.send(batch) }
    try await eventually("the request has arrived") { receiver.requestCount == 1 }
    await client.close()
    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: CancellationError.self) { try await client.send(batch) }
    await client.close()
    #expect(receiver.requestCount == 1)
  }

  /// Many tasks share the thread, and some of them give up.
  @Test func requestsAtOnceDoNotDisturbEachOther() async throws {
    let silent = try HookReceiver { _ in .hesitate }
    let receiver = try HookReceiver()
    let client = try HookClient(timeout: 100_000)
    let (taken, lost) = (try Self.batch(Self.url(receiver)), try Self.batch(Self.url(silent)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<20 { try await client.send(taken) } }
        group.addTask {
          for _ in 0..<5 {
            let attempt = Task { try await client.send(lost) }
            await Task.yield()
            attempt.cancel()
            await #expect(throws: CancellationError.self) { try await attempt.value }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(receiver.requestCount == 160)
    #expect(receiver.connectionCount < 80)
    await client.close()
    silent.stop()
    receiver.stop()
  }

  @Test func aMissingLibraryIsNamedWithItsPackage() throws {
    let error = try #require(throws: LibraryError.self) {
      try CurlLibrary(files: ["libnothing.so.9"])
    }
    #expect(
      error.message
        == "the library libcurl is not installed: apt install libcurl4, or brew install curl")
  }

  // Certificates

  private static let hasOpenSSL = Tool.isInstalled("openssl")
  private static let withoutOpenSSL = "openssl is not installed; certificates were not checked"

  @Test(.enabled(if: hasOpenSSL, Comment(rawValue: withoutOpenSSL)))
  func certificatesAreChecked() async throws {
    let scratch = try TemporaryFolder()
    let invalid = "the certificate of the receiver is not valid: "
    let receiver = try EncryptedReceiver(named: "IP:127.0.0.1", in: scratch, "a")
    let refused = try await failure(receiver.url)
    #expect(refused?.hasPrefix(invalid) == true, "\(refused ?? "none")")
    #expect(receiver.text.isEmpty, "nothing is sent before the check")
    #expect(try await failure(receiver.url, authorities: receiver.certificate) == nil)
    #expect(receiver.text.contains(#""hook":"ships?fences=harbours""#), "\(receiver.text)")
    receiver.stop()

    let other = try EncryptedReceiver(named: "DNS:example.org", in: scratch, "b")
    let wrongName = try await failure(other.url, authorities: other.certificate)
    #expect(wrongName?.hasPrefix(invalid) == true, "\(wrongName ?? "none")")
    other.stop()
    let missing = try await failure(other.url, authorities: scratch["nothing"])
    #expect(missing != nil)
  }
}
