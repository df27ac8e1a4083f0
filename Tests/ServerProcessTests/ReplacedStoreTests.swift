#if Server
import Cairn
import CairnTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stores that are replaced, deleted or truncated while the server has them open.
@Suite(.serialized) struct ReplacedStoreTests {
  private let world: PlaceStore
  private let other: PlaceStore
  private static let token = "a-token-of-some-length"

  init() throws {
    world = try PlaceStore()
    other = try PlaceStore()
    try world.write(1...500)
    try other.write(1...3)
  }

  private func start() throws -> RunningServer {
    let file = world.folder.appendingPathComponent("token.txt")
    try Data((Self.token + "\n").utf8).write(to: file)
    let server = try RunningServer(
      [world.path, "--port", "0", "--quiet", "--writable", "--token-file", file.path])
    try server.waitForBase()
    return server
  }

  private func patch(
    _ server: RunningServer, name: String
  ) async throws -> (status: Int, text: String) {
    let answer = try await server.get(
      "/collections/Place/items/2",
      headers: [
        "Authorization": "Bearer \(Self.token)", "Content-Type": "application/merge-patch+json",
      ],
      method: "PATCH", body: #"{"properties":{"name":"\#(name)"}}"#)
    return (answer.status, String(decoding: answer.data, as: UTF8.self))
  }

  private func count(_ server: RunningServer) async throws -> Int? {
    try await server.json("/collections/Place/items?limit=1")["numberMatched"] as? Int
  }

  /// Moves the other store over the one that is served.
  private func replace() { #expect(rename(other.path, world.path) == 0) }

  @Test func changesOfADeletedStoreAreRefused() async throws {
    let server = try start()
    #expect(try await patch(server, name: "before").status == 204)
    #expect(unlink(world.path) == 0)
    let refusal = try await patch(server, name: "lost")
    #expect(refusal.status == 503 && refusal.text.contains("was deleted"), "\(refusal.text)")
    #expect(try await server.get("/collections").status == 503)
    replace()
    #expect(try await count(server) == 3)
    #expect(try await patch(server, name: "after").status == 204)
    #expect(server.stop() == 0)
    try world.edit { realm in
      #expect(realm.object(ofType: Place.self, forPrimaryKey: 2)?.name == "after")
    }
  }

  @Test func aStoreThatIsMovedOverTheOldOneIsServed() async throws {
    let server = try start()
    #expect(try await count(server) == 500)
    let client = Process()
    client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    client.arguments = ["curl", "-sN", server.base + "/collections/Place/live"]
    let output = Pipe()
    client.standardOutput = output
    try client.run()
    var events = output.fileHandleForReading.availableData
    replace()
    #expect(try await count(server) == 3)
    // Another process writes to the new file while the server still sends events of the old one.
    try world.write(4...9)
    #expect(try await count(server) == 9)
    #expect(try await patch(server, name: "new").status == 204)
    // The stream of the old file ends, after which clients connect again.
    while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      events += data
    }
    client.waitUntilExit()
    #expect(client.terminationStatus == 0)
    #expect(String(decoding: events, as: UTF8.self).contains("event: ready"))
    #expect(server.stop() == 0)
    try world.edit { realm in
      #expect(realm.objects(Place.self).count == 9)
      #expect(realm.object(ofType: Place.self, forPrimaryKey: 2)?.name == "new")
    }
  }

  @Test func aTruncatedStoreEndsTheServerWithASentence() async throws {
    let server = try start()
    #expect(try await count(server) == 500)
    #expect(truncate(world.path, 0) == 0)
    _ = try? await server.get("/collections/Place/items")
    server.process.waitUntilExit()
    #expect(server.process.terminationReason == .exit)
    #expect(server.process.terminationStatus == 74)
    let log = String(
      decoding: server.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(log.contains("\(world.path) was truncated or damaged"), "\(log)")
    #expect(log.contains("mv new.cairn \(world.path)"), "\(log)")
  }

  @Test func readersOfEarlierCommitsAreMeasured() async throws {
    let server = try start()
    var configuration = Realm.Configuration()
    configuration.fileURL = URL(fileURLWithPath: world.path)
    configuration.objectTypes = [Place.self]
    let old = try Realm(configuration: configuration).freeze()
    try world.write(501...502)
    try world.write(503...504)
    func metric(_ name: String) async throws -> Double {
      let text = String(decoding: try await server.get("/metrics").data, as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      return line.flatMap { Double($0.dropFirst(name.count + 1)) } ?? -1
    }
    try await eventually("the reader is two commits behind") {
      try await metric("cairn_oldest_snapshot_commits")
    } until: {
      $0 == 2
    }
    #expect(try await metric("cairn_oldest_snapshot_bytes") > 0)
    #expect(try await metric("cairn_oldest_snapshot_age_seconds") >= 0)
    #expect(old.objects(Place.self).count == 500)
    #expect(server.stop() == 0)
  }
}
#endif
