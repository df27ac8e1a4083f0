#if Server
import Cairn
import CairnTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The server as a process.
@Suite(.serialized) struct ServerTests {
  private let world: PlaceStore
  private var folder: URL { world.folder }
  private var store: String { world.path }

  init() throws {
    world = try PlaceStore()
    try world.write(1...500)
  }

  @Test func aStoreIsServedUntilASignal() async throws {
    let server = try RunningServer([store, "--port", "0"])
    try server.waitForBase()
    let landing = try await server.json("/")
    #expect(landing["title"] as? String == "test.cairn")
    let links = landing["links"] as? [[String: Any]] ?? []
    #expect(links.allSatisfy { ($0["href"] as? String)?.hasPrefix(server.base) == true })
    let page = try await server.json("/collections/Place/items?limit=7")
    #expect((page["features"] as? [Any])?.count == 7)
    #expect(page["numberMatched"] as? Int == 500)
    let missing = try await server.get("/collections/Plac")
    #expect(missing.status == 404)
    let date = try #require(missing.headers["Date"] as? String)
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(identifier: "GMT")
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let seconds = try #require(form.date(from: date), "\(date)").timeIntervalSinceNow
    #expect((-3600...1).contains(seconds), "\(date)")

    // Another writer commits meanwhile.
    try world.write(501...20_000)
    let next = try await server.json("/collections/Place/items?limit=10000")
    #expect((next["features"] as? [Any])?.count == 10_000)
    #expect(next["numberMatched"] as? Int == 20_000)
    let metrics = String(decoding: try await server.get("/metrics").data, as: UTF8.self)
    #expect(metrics.contains("http_requests_total{status=\"200\"} 3"), "\(metrics)")
    #expect(metrics.contains("http_requests_total{status=\"404\"} 1"), "\(metrics)")
    #expect(metrics.contains("http_request_seconds_count 4"), "\(metrics)")
    #expect(server.stop() == 0)
    let log = String(
      decoding: server.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(log.contains("GET /collections/Plac 404"), "\(log)")
  }

  @Test func slowQueriesAreLogged() async throws {
    let server = try RunningServer([store, "--port", "0", "--slow-query", "0"])
    try server.waitForBase()
    let page = try await server.json("/collections/Place/items?name=place%207")
    #expect(page["numberReturned"] as? Int == 1)
    let metrics = String(decoding: try await server.get("/metrics").data, as: UTF8.self)
    #expect(metrics.contains("# TYPE cairn_slow_queries_total counter"), "\(metrics)")
    #expect(server.stop() == 0)
    let log = String(
      decoding: server.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(log.contains("slow query, "), "\(log)")
    #expect(log.contains("\n  Place: name == 'place 7'\n  └─ "), "\(log)")
  }

  @Test func manyClientsAreServedAtOnce() async throws {
    let server = try RunningServer([store, "--port", "0", "--quiet", "--cors", "*"])
    try server.waitForBase()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for id in 1...40 {
        group.addTask {
          let answer = try await server.get("/collections/Place/items/\(id)")
          #expect(answer.headers["Access-Control-Allow-Origin"] as? String == "*")
          return answer.status
        }
      }
      for try await status in group { #expect(status == 200) }
    }
    let tag = try await server.get("/collections").headers["Etag"] as? String
    let again = try await server.get("/collections", headers: ["If-None-Match": tag ?? ""])
    #expect(again.status == 304 && again.data.isEmpty)
    #expect(server.stop() == 0)
  }

  /// Tiles and small pages are answered while slow queries are in progress, however many they are.
  @Test(arguments: [2, 12]) func slowQueriesHoldUpNobody(count: Int) async throws {
    try world.write(501...20_000)
    let server = try RunningServer([
      store, "--port", "0", "--quiet", "--query-timeout", "600",
    ])
    try server.waitForBase()
    let conditions = (0..<250).map { "CASEI(name)%20LIKE%20'%25a%25b%25\($0)'" }
    let filter = conditions.joined(separator: "%20OR%20")
    // Each client asks one slow query after the other, and prints a line for each answer.
    let loop = "n=$1; while curl -sf -o /dev/null \"$0&limit=$n\"; do echo; n=$((n + 1)); done"
    let slow = try (0..<count).map { number in
      let client = (process: Process(), answers: Pipe())
      client.process.executableURL = URL(fileURLWithPath: "/bin/sh")
      client.process.arguments = [
        "-c", loop, server.base + "/collections/Place/items?filter=\(filter)",
        "\(number * 100 + 1)",
      ]
      client.process.standardOutput = client.answers
      try client.process.run()
      return client
    }
    let rounds = 10
    for _ in 0..<rounds {
      #expect(try await server.get("/collections/Place/tiles/0/0/0.mvt").status == 200)
      #expect(try await server.get("/collections/Place/items?limit=5").status == 200)
      #expect(try await server.get("/collections/Place/items/77").status == 200)
    }
    #expect(slow.allSatisfy { $0.process.isRunning })
    server.kill()
    var answers = 0
    for client in slow {
      answers += client.answers.fileHandleForReading.readDataToEndOfFile().count
      client.process.waitUntilExit()
    }
    // Requests that wait for a slow query are answered after one each.
    #expect(answers < 3 * rounds)
  }

  @Test func clientsWithTheTokenChangeItems() async throws {
    let token = "a-token-of-some-length"
    let file = folder.appendingPathComponent("token.txt")
    try Data((token + "\n").utf8).write(to: file)
    let server = try RunningServer(
      [store, "--port", "0", "--quiet", "--writable", "--token-file", file.path])
    try server.waitForBase()
    func patch(_ headers: [String: String]) async throws -> Int {
      let type = ["Content-Type": "application/merge-patch+json"]
      return try await server.get(
        "/collections/Place/items/7", headers: headers.merging(type) { $1 }, method: "PATCH",
        body: #"{"properties":{"name":"changed"}}"#
      ).status
    }
    #expect(try await patch([:]) == 401)
    #expect(try await patch(["Authorization": "Bearer \(token)"]) == 204)
    let item = try await server.json("/collections/Place/items/7")
    #expect((item["properties"] as? [String: Any])?["name"] as? String == "changed")
    #expect(server.stop() == 0)
  }

  @Test func aShortTokenIsAnError() throws {
    let file = folder.appendingPathComponent("short.txt")
    try Data("secret".utf8).write(to: file)
    let server = try RunningServer([store, "--writable", "--token-file", file.path])
    let text = String(
      decoding: server.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    server.process.waitUntilExit()
    #expect(server.process.terminationStatus == 74)
    #expect(text.contains("16 or more"), "\(text)")
  }

  @Test func requestsOfOneClientAreLimited() async throws {
    let server = try RunningServer([
      store, "--port", "0", "--quiet", "--max-client-rate", "0.001", "--behind-proxy",
    ])
    try server.waitForBase()
    func status(_ client: String) async throws -> (Int, String?) {
      let answer = try await server.get(
        "/collections", headers: ["X-Forwarded-For": "1.1.1.1, \(client)"])
      return (answer.status, answer.headers["Retry-After"] as? String)
    }
    #expect(try await status("9.9.9.9").0 == 200)
    let refused = try await status("9.9.9.9")
    #expect(refused.0 == 429)
    #expect(refused.1.flatMap(Int.init).map { (900...1000).contains($0) } == true, "\(refused)")
    #expect(try await status("8.8.8.8").0 == 200)
    #expect(server.stop() == 0)
  }

  @Test func connectionsBeyondTheLimitGet503() throws {
    let server = try RunningServer([store, "--port", "0", "--quiet", "--max-connections", "2"])
    try server.waitForBase()
    var idle = try (0..<2).map { _ in try Connection(server.base) }
    // The server knows a connection when it has answered on it.
    for connection in idle {
      let text = try connection.send("GET /conformance HTTP/1.1\r\nHost: a\r\n\r\n", until: "]}")
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(text)")
    }
    let refused = try Connection(server.base)
    let text = try refused.send("GET /conformance HTTP/1.1\r\nHost: a\r\n\r\n", until: nil)
    #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(text)")
    #expect(text.contains("Retry-After: 5\r\n") && text.contains("2 connections"), "\(text)")
    idle.removeAll()
    let head = "HEAD /conformance HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    try eventually("the server notices that the others have closed") {
      try Connection(server.base).send(head, until: nil)
    } until: {
      $0.hasPrefix("HTTP/1.1 200 OK\r\n")
    }
    #expect(server.stop() == 0)
  }

  @Test func eventsArriveUntilTheServerStops() throws {
    let server = try RunningServer([store, "--port", "0", "--quiet"])
    try server.waitForBase()
    let client = Process()
    let output = Pipe()
    client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    client.arguments = ["curl", "-sN", server.base + "/collections/Place/live"]
    client.standardOutput = output
    try client.run()
    var text = ""
    // The server sends a comment every few seconds, so that the read returns even without events.
    func wait(for part: String) throws {
      try eventually("the text contains \(part)") {
        if !text.contains(part) {
          text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        return text
      } until: {
        $0.contains(part)
      }
    }
    try wait(for: "event: ready\n")
    try world.write(501...501)
    try wait(for: "\"name\":\"place 501\"}}}\n\n")
    #expect(text.contains("event: enter\n"))
    #expect(server.stop() == 0)
    client.waitUntilExit()
    #expect(client.terminationStatus == 0)
  }

  @Test func aClientThatLeavesMakesRoomBeforeTheNextEvent() throws {
    let server = try RunningServer([store, "--port", "0", "--quiet"])
    try server.waitForBase()
    let request = "GET /collections/Place/live HTTP/1.1\r\nHost: a\r\n\r\n"
    var clients: [Connection] = []
    for _ in 0..<256 {
      clients.append(try Connection(server.base))
      _ = try clients.last?.send(request, until: "event: ready")
    }
    let refused = try Connection(server.base).send(request, until: "too many clients")
    #expect(refused.hasPrefix("HTTP/1.1 503"), "\(refused)")
    // A stream without events sends a comment every 15 seconds. If the server noticed only then that its
    // client is gone, so many clients in turn would take longer than the limit.
    let last = "GET /collections/Place/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    var left = 0
    try eventually("clients that leave make room for others") {
      clients.removeLast()
      left += 1
      try eventually("a client has left") {
        let next = try Connection(server.base)
        let answer = try next.send(last, until: "event: ready")
        if answer.hasPrefix("HTTP/1.1 200") { clients.append(next) }
        return answer
      } until: {
        $0.hasPrefix("HTTP/1.1 200")
      }
      return left
    } until: {
      $0 == 30
    }
    #expect(server.stop() == 0)
  }

  @Test(arguments: [
    (["missing.cairn"], Int32(74), "missing.cairn"), (["--port", "x"], 64, "Error"),
    (["a", "--port", "70000"], 64, "--port is a number"),
    (["a", "--limit", "0"], 64, "--limit must be at least 1"),
    (["a", "--max-client-requests", "0"], 64, "--max-client-requests must be at least 1"),
    (["a", "--max-client-rate=-1"], 64, "--max-client-rate must be more than 0"),
    (["a", "--max-client-rate", "nan"], 64, "--max-client-rate must be more than 0"),
    (["a", "--query-timeout", "0"], 64, "--query-timeout must be more than 0"),
    (["a", "--base-url", "x"], 64, "--base-url begins with"),
    (["a", "--trust-host", "--behind-proxy"], 64, "choose one"),
    (["a", "--hook", "x"], 64, "--hook: 'x' is not a class"),
    (["a", "--hook-state", "x"], 64, "--hook-state belongs to --hook"),
    (["a", "--hook-timeout", "0"], 64, "--hook-timeout must be at least 1"),
    (["a", "--writable"], 64, "belong together"), (["a", "--token-file", "t"], 64, "together"),
  ])
  func mistakesEndTheServer(arguments: [String], code: Int32, message: String) throws {
    let server = try RunningServer(arguments)
    let text = String(
      decoding: server.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    server.process.waitUntilExit()
    #expect(server.process.terminationStatus == code)
    #expect(text.contains(message), "\(text)")
  }

  @Test func aPortInUseIsAnError() throws {
    let first = try RunningServer([store, "--port", "0", "--quiet"])
    try first.waitForBase()
    let port = first.base.split(separator: ":").last.map(String.init) ?? ""
    let second = try RunningServer([store, "--port", port])
    let text = String(
      decoding: second.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    second.process.waitUntilExit()
    #expect(second.process.terminationStatus == 74)
    #expect(text.contains("cannot listen on 127.0.0.1:\(port)"), "\(text)")
    #expect(first.stop() == 0)
  }
}
#endif
