import Foundation
import Measuring

/// A server, a writer as another process, and a client in this one.
struct LiveRun {
  let server: String
  let folder: String
  let rate: Int
  let batch: Int
  let seconds: Double
  let step: Double
  let vehicles: Int
  let fences: Int

  private var store: URL { URL(fileURLWithPath: folder).appendingPathComponent("live.cairn") }

  private func prepare() throws -> FenceWorld {
    for suffix in ["", "-lock"] {
      try? FileManager.default.removeItem(atPath: store.path + suffix)
    }
    let world = FenceWorld(count: fences)
    try world.write(to: store, vehicles: vehicles)
    return world
  }

  private func startWriter(seconds: Double) throws -> Program {
    try Program(
      CommandLine.arguments[0],
      ["write", store.path, "\(rate)", "\(batch)", "\(seconds)", "\(step)"], readsErrors: false)
  }

  private func startClient(of server: Server) -> EventClient {
    let client = EventClient()
    client.run { server.port }
    while !client.isReady { usleep(1000) }
    return client
  }

  /// Waits until the client knows what the store has; returns the number of vehicles about which it is
  /// wrong.
  private func differences(_ client: EventClient, _ world: FenceWorld) throws -> Int {
    let truth = try world.truth(of: store).fences
    while true {
      let known = client.state
      let wrong = Set(known.keys).union(truth.keys).filter { known[$0] != truth[$0] }.count
      if wrong == 0 || client.quietSeconds > 10 { return wrong }
      usleep(50_000)
    }
  }

  // MARK: Delay

  /// Measures the time from the end of each commit to the arrival of its events.
  func measure() throws -> Bool {
    let world = try prepare()
    let server = try Server(server, store: store.path)
    defer { server.stop() }
    let client = startClient(of: server)
    let writer = try startWriter(seconds: seconds)
    writer.wait()
    let wrong = try differences(client, world)
    client.end()
    let commits = writer.lines.map { $0.split(separator: " ").compactMap { Double($0) } }
      .filter { $0.count == 3 }
    guard let first = commits.first, let last = commits.last else { return false }
    let ends = Dictionary(commits.map { (Int($0[0]), $0[2]) }) { $1 }
    let delays = client.events.compactMap { event in ends[event.turn].map { event.time - $0 } }
      .sorted()
    func at(_ part: Double) -> Double {
      delays.isEmpty ? 0 : delays[Int(Double(delays.count - 1) * part)] * 1000
    }
    let span = last[2] - first[1]
    let times = commits.map { ($0[2] - $0[1]) * 1000 }.sorted()
    print(
      String(
        format: """
          %d vehicles, %d fences, moves of %g degrees, %d a commit
          %.0f durable moves a second in %d commits; a commit takes %.1f ms, at most %.1f ms
          %d events, %.0f a second; delay after the commit: median %.1f ms, p99 %.1f ms, largest %.1f ms
          %d vehicles are in another fence than the client knows
          """, vehicles, world.count, step, batch, Double(commits.count * batch) / span,
        commits.count, times[times.count / 2], times[times.count - 1], delays.count,
        Double(delays.count) / span, at(0.5), at(0.99), at(1), wrong))
    return wrong == 0
  }

  // MARK: Kills

  /// Kills the server and the writer at random moments, and compares what the client knows at the end.
  func kill(seed: UInt64) throws -> Bool {
    let world = try prepare()
    let server = try Server(server, store: store.path)
    defer { server.stop() }
    let client = startClient(of: server)
    var writer = try startWriter(seconds: seconds + 60)
    var acknowledged = 0
    var kills = (server: 0, writer: 0)
    var random = Random(seed: seed)
    let end = now() + seconds
    while now() < end {
      usleep(UInt32(random.uniform(20_000, 1_500_000)))
      if random.next() % 2 == 0 {
        try server.restart()
        kills.server += 1
      } else {
        writer.kill()
        acknowledged = Self.turn(writer.lines) ?? acknowledged
        writer = try startWriter(seconds: seconds + 60)
        kills.writer += 1
      }
    }
    usleep(300_000)
    writer.kill()
    acknowledged = Self.turn(writer.lines) ?? acknowledged
    let wrong = try differences(client, world)
    client.end()
    let turn = try world.truth(of: store).turn
    print(
      """
      server killed \(kills.server) times, writer \(kills.writer) times, client connected \
      \(client.connectionCount) times, \(client.events.count) events of \(turn) commits
      \(wrong) vehicles are in another fence than the client knows; commit \(acknowledged) was \
      acknowledged last, and the store has \(turn)
      """)
    return wrong == 0 && turn >= acknowledged
  }

  private static func turn(_ lines: [String]) -> Int? {
    lines.last?.split(separator: " ").first.flatMap { Int($0) }
  }
}
