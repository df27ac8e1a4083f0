#if Server
import Cairn
import CairnTestSupport
import Foundation
import Testing

/// Live events of servers that are killed.
@Suite(.serialized) struct LiveKillTests {
  /// The rows of the class, as the writer knows them.
  private final class Writer: @unchecked Sendable {
    // Sendable: all state is read and written under `lock`.
    private let lock = NSCondition()
    private var names: [Int: String] = [:]
    /// The last identifier of each commit, and of the one in progress.
    private var lastIDs: [Int] = []
    private var commits = 0
    private var allowed = 200
    private var isEnding = false

    var state: [Int: String] { lock.withLock { names } }
    var commitCount: Int { lock.withLock { commits } }

    /// Lets the writer go on. The store remembers 256 commits, so the writer waits for a client that is
    /// further behind.
    ///
    /// - Parameter id: The greatest identifier that the client knows.
    func allow(after id: Int) {
      lock.withLock {
        guard let commit = lastIDs.lastIndex(of: id) else { return }
        allowed = commit + 200
        lock.broadcast()
      }
    }

    func end() {
      lock.withLock {
        isEnding = true
        lock.broadcast()
      }
    }

    /// Writes until `end` is called.
    func run(_ world: PlaceStore, random: inout SplitMix64) throws {
      var next = 1000
      while waitForPermission() { try commit(world, next: &next, random: &random) }
    }

    /// Returns false at the end.
    private func waitForPermission() -> Bool {
      lock.withLock {
        while commits >= allowed, !isEnding { lock.wait() }
        return !isEnding
      }
    }

    private func commit(_ world: PlaceStore, next: inout Int, random: inout SplitMix64) throws {
      var names = state
      let known = names.keys.sorted()
      let added = (next..<next + 1 + random.below(6)).map { $0 }
      next += added.count
      let changed = known.isEmpty ? nil : known[random.below(known.count)]
      let removed = known.count < 50 ? nil : known[random.below(known.count)]
      // A client may know the commit before this thread continues after it.
      let last = next - 1
      lock.withLock { lastIDs.append(last) }
      try world.edit { realm in
        for id in added {
          let place = Place()
          (place.id, place.name) = (id, "new \(id)")
          realm.add(place)
          names[id] = place.name
        }
        if let changed, let place = realm.object(ofType: Place.self, forPrimaryKey: changed) {
          place.name = "changed \(next)"
          names[changed] = place.name
        }
        if let removed, let place = realm.object(ofType: Place.self, forPrimaryKey: removed) {
          realm.delete(place)
          names[removed] = nil
        }
      }
      lock.withLock {
        self.names = names
        commits += 1
      }
    }
  }

  /// A client that applies the events to its copy of the rows, and continues where it was.
  private final class Client {
    /// The identifiers and names by the numbers of the rows.
    private(set) var rows: [Int: (id: Int, name: String)] = [:]
    private var cursor: String?
    private let process = Process()
    private let output = Pipe()
    private var text = Data()
    private(set) var eventCount = 0
    /// The greatest identifier of all events.
    private var lastID: Int
    /// The greatest identifier of a commit whose events have all arrived.
    private(set) var lastCompleteID: Int

    init(_ base: String, after earlier: Client?) throws {
      cursor = earlier?.cursor
      // Without a cursor, all rows come again.
      if cursor != nil { rows = earlier?.rows ?? [:] }
      lastID = earlier?.lastID ?? 0
      lastCompleteID = earlier?.lastCompleteID ?? 0
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      let header = cursor.map { ["-H", "Last-Event-ID: \($0)"] } ?? []
      process.arguments =
        ["curl", "-sN"] + header + [base + "/collections/Place/live?initial=true"]
      process.standardOutput = output
      try process.run()
    }

    /// Applies the events that have arrived; returns false at the end.
    func read() throws -> Bool {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return false }
      text.append(data)
      while let end = text.range(of: Data("\n\n".utf8)) {
        try apply(String(decoding: text[..<end.lowerBound], as: UTF8.self))
        text = Data(text[end.upperBound...])
      }
      return true
    }

    private func apply(_ event: String) throws {
      eventCount += 1
      var (kind, data) = ("", [String: Any]())
      var id: String?
      for line in event.split(separator: "\n") {
        if line.hasPrefix("event: ") { kind = String(line.dropFirst(7)) }
        if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
        if line.hasPrefix("data: ") {
          let json = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
          data = json as? [String: Any] ?? [:]
        }
      }
      if let row = data["row"] as? Int { try apply(kind, of: row, data["feature"]) }
      // Only the last event of a commit has another cursor.
      if let id, id != cursor { (cursor, lastCompleteID) = (id, lastID) }
    }

    private func apply(_ kind: String, of row: Int, _ feature: Any?) throws {
      guard kind != "leave" else {
        rows[row] = nil
        return
      }
      let feature = feature as? [String: Any]
      let properties = feature?["properties"] as? [String: Any]
      let id = try #require(feature?["id"] as? Int)
      rows[row] = (id, try #require(properties?["name"] as? String))
      lastID = max(lastID, id)
    }

    func end() {
      // Threads of tasks block other signals, and their children inherit that.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// A client that continues with its cursor after each end of the server knows the same rows as the
  /// writer.
  @Test(arguments: Soak.isOn ? [1, 2] : [1 as UInt64])
  func killedServersLoseNoEvent(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let world = try PlaceStore()
    try world.edit { _ in }
    let writer = Writer()
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var random = SplitMix64(seed: seed + 100)
      do { try writer.run(world, random: &random) } catch { Issue.record(error) }
      done.signal()
    }
    var client: Client?
    for _ in 0..<Soak.count(6, long: 8) {
      let server = try RunningServer([world.path, "--port", "0", "--quiet"])
      try server.waitForBase()
      let next = try Client(server.base, after: client)
      // It is killed while it sends what is new, or later.
      let moment = random.below(800)
      var isKilled = false
      while try next.read() {
        writer.allow(after: next.lastCompleteID)
        if next.eventCount >= moment, !isKilled {
          server.kill()
          isKilled = true
        }
      }
      #expect(isKilled, "seed \(seed): the events ended")
      if !isKilled { server.kill() }
      next.end()
      client = next
    }
    let commits = writer.commitCount
    let server = try RunningServer([world.path, "--port", "0", "--quiet"])
    try server.waitForBase()
    let last = try Client(server.base, after: client)
    while writer.commitCount < commits + 50, try last.read() {
      writer.allow(after: last.lastCompleteID)
    }
    writer.end()
    done.wait()
    let end = 1_000_000
    try world.write(end...end)
    // The server sends a comment every few seconds, so that `read` returns even without events.
    try await eventually("the events of the last commit arrive") {
      _ = try last.read()
      return last.lastCompleteID
    } until: {
      $0 == end
    }
    let expected = writer.state.merging([end: "place \(end)"]) { $1 }
    func difference() -> [Int: String] {
      let known = Dictionary(last.rows.values.map { ($0.id, $0.name) }) { $1 }
      let missing = expected.filter { known[$0.key] != $0.value }.mapValues { "not \($0)" }
      return known.filter { expected[$0.key] == nil }.merging(missing) { $1 }
    }
    #expect(difference().isEmpty, "seed \(seed)")
    #expect(expected.count > 50, "seed \(seed)")
    last.end()
    #expect(server.stop() == 0)
  }
}
#endif
