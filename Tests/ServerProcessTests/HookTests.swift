#if Server
import CairnTestSupport
import Foundation
import Testing

/// Changes that the server posts to receivers.
@Suite(.serialized) struct HookTests {
  private let world: PlaceStore

  init() throws {
    world = try PlaceStore()
    try world.write(1...3)
  }

  private func start(_ port: UInt16, _ arguments: [String] = []) throws -> RunningServer {
    let hook = "Place=http://user:secret@127.0.0.1:\(port)/hook?token=secret"
    let server = try RunningServer(
      [world.path, "--port", "0", "--quiet", "--hook", hook] + arguments)
    try server.waitForBase()
    return server
  }

  /// The server has a cursor from which it continues.
  private func waitForCursor() async throws {
    try await eventually("the file of the hooks exists") {
      FileManager.default.fileExists(atPath: world.path + "-hooks")
    }
  }

  /// The number of failed attempts that the server has counted.
  private func failures(_ server: RunningServer) async throws -> Int {
    let text = String(decoding: try await server.get("/metrics").data, as: UTF8.self)
    let name = "hook_failures_total{hook=\"Place\"} "
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
  }

  @Test func changesArriveOnceWithoutFailures() async throws {
    let receiver = try HookReceiver()
    let server = try start(receiver.port)
    try await waitForCursor()
    for id in 4..<40 { try world.write(id...id) }
    try await eventually("all items have arrived") {
      receiver.ids
    } until: {
      $0.last == 39
    }
    #expect(receiver.ids == Array(4..<40))
    #expect(server.stop() == 0)
    // Another server continues.
    try world.write(40...2000)
    let second = try start(receiver.port)
    try await eventually("the last item has arrived") {
      receiver.ids.last
    } until: {
      $0 == 2000
    }
    let areAll = receiver.ids == Array(4...2000)
    #expect(areAll)
    #expect(second.stop() == 0)
    receiver.stop()
  }

  @Test func receiversThatFailMissNothing() async throws {
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let port = reserved.number
    let server = try start(port)
    try await waitForCursor()
    for id in 4..<20 { try world.write(id...id) }
    try await eventually("an attempt has failed") {
      try await failures(server)
    } until: {
      $0 > 0
    }
    let receiver = try HookReceiver(port: port) { number in
      switch number {
      case 1: .refuse(503)
      case 2: .die
      default: .take
      }
    }
    try await eventually("the last item has arrived", seen: receiver.ids) {
      receiver.ids.last == 19 && receiver.requestCount >= 3
    }
    #expect(receiver.distinctIDs == Array(4..<20))
    let metrics = String(decoding: try await server.get("/metrics").data, as: UTF8.self)
    #expect(metrics.contains("hook_failures_total{hook=\"Place\"}"), "\(metrics)")
    #expect(metrics.contains("hook_events_total{hook=\"Place\"}"), "\(metrics)")
    #expect(server.stop() == 0)
    let log = String(
      decoding: server.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(log.contains("hook Place to http://127.0.0.1:\(port)/hook: "), "\(log)")
    #expect(log.contains("the receiver answered 503; trying again in"), "\(log)")
    #expect(!log.contains("secret"), "\(log)")
    receiver.stop()
  }

  @Test func receiversThatAreSlowGetTheBatchAgain() async throws {
    let receiver = try HookReceiver { $0 == 1 ? .hesitate : .take }
    let server = try start(receiver.port, ["--hook-timeout", "1"])
    try await waitForCursor()
    try world.write(4...4)
    try await eventually("the batch arrives again") {
      receiver.ids.count
    } until: {
      $0 >= 2
    }
    try world.write(5...5)
    try await eventually("the next item arrives") {
      receiver.ids.last
    } until: {
      $0 == 5
    }
    let ids = receiver.ids
    #expect(ids.starts(with: [4, 4]) && receiver.distinctIDs == [4, 5], "\(ids)")
    // A batch comes again only after a failure, also if an answer comes too late on a busy machine.
    #expect(try await failures(server) >= ids.count - 2, "\(ids)")
    #expect(server.stop() == 0)
    receiver.stop()
  }

  /// The server is killed at random moments while a writer commits.
  @Test(arguments: [1, 2] as [UInt64]) func killedServersLoseNothing(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let receiver = try HookReceiver()
    var next = 4
    for round in 0..<5 {
      let server = try start(receiver.port)
      if round == 0 { try await waitForCursor() }
      let requests = receiver.requestCount
      for _ in 0..<(5 + random.below(20)) {
        let count = 1 + random.below(50)
        try world.write(next...next + count - 1)
        next += count
      }
      // It is killed before it has sent anything, or in the middle.
      if random.below(3) > 0 {
        try await eventually("a batch arrives") {
          receiver.requestCount
        } until: {
          $0 > requests
        }
      }
      server.kill()
    }
    let server = try start(receiver.port)
    try await eventually("the last item has arrived") {
      receiver.ids.last
    } until: {
      $0 == next - 1
    }
    let areAll = receiver.distinctIDs == Array(4..<next)
    #expect(areAll, "seed \(seed)")
    #expect(server.stop() == 0)
    receiver.stop()
  }

  /// A proxy of the environment would see what the receiver alone should see.
  @Test func proxiesOfTheEnvironmentAreNotUsed() async throws {
    let (receiver, proxy) = (try HookReceiver(), try HookReceiver())
    let server = try RunningServer(
      [world.path, "--port", "0", "--quiet", "--hook", "Place=http://127.0.0.1:\(receiver.port)/"],
      environment: [
        "http_proxy": "http://127.0.0.1:\(proxy.port)",
        "ALL_PROXY": "http://127.0.0.1:\(proxy.port)", "no_proxy": "",
      ])
    try server.waitForBase()
    try await waitForCursor()
    try world.write(4...4)
    try await eventually("the item has arrived", seen: proxy.heads) { receiver.ids == [4] }
    #expect(proxy.requestCount == 0)
    #expect(server.stop() == 0)
    receiver.stop()
    proxy.stop()
  }

  /// The server says so at once, and not with the first change.
  @Test(.enabled(if: Machine.isLinux, "libraries are searched for in another way"))
  func aMissingLibraryEndsTheServer() async throws {
    let folder = world.folder.appendingPathComponent("libraries")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib", "libcurl.dylib"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    let environment = ["LD_LIBRARY_PATH": folder.path]
    let server = try RunningServer(
      [world.path, "--port", "0", "--hook", "Place=http://127.0.0.1:1/"],
      environment: environment)
    let text = String(
      decoding: server.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    server.process.waitUntilExit()
    #expect(server.process.terminationStatus == 74)
    #expect(
      text
        == "Error: the library libcurl is not installed: apt install libcurl4, or brew install curl\n"
    )
    #expect(!FileManager.default.fileExists(atPath: world.path + "-hooks"))
    // Only hooks need it.
    let other = try RunningServer([world.path, "--port", "0"], environment: environment)
    try other.waitForBase()
    #expect(try await other.get("/collections").status == 200)
    #expect(other.stop() == 0)
  }

  @Test func receiversThatDoNotAnswerHoldUpNoStop() async throws {
    let receiver = try HookReceiver { _ in .hesitate }
    let server = try start(receiver.port, ["--hook-timeout", "3600"])
    try await waitForCursor()
    try world.write(4...4)
    try await eventually("the batch has arrived") { receiver.requestCount == 1 }
    #expect(server.stop() == 0)
    receiver.stop()
  }

  @Test func aHookForAMissingClassEndsTheServer() throws {
    let server = try RunningServer([world.path, "--hook", "Plac=http://127.0.0.1:1/"])
    let text = String(
      decoding: server.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    server.process.waitUntilExit()
    #expect(server.process.terminationStatus == 74)
    #expect(text.contains("Plac: there is no collection 'Plac'; did you mean 'Place'?"), "\(text)")
  }
}
#endif
