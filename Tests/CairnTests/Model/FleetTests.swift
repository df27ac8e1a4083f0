import CairnTestSupport
import Foundation
import Testing

/// Random operations on objects, lists, sets, maps, links, mixed values and locations, held against plain Swift values, with
/// commits, rollbacks, reopening, a second process, and questions and geofences in between.
///
/// `CAIRN_MODEL_SEED` runs one seed again, `CAIRN_MODEL_TRACE` prints every operation before it is done.
@Suite struct FleetTests {
  @Test func aStoreIsWhatPlainSwiftSays() async throws {
    if let seed = ProcessInfo.processInfo.environment["CAIRN_MODEL_SEED"].flatMap(UInt64.init) {
      return try await run(seed, rounds: 20)
    }
    let first = UInt64.random(in: 0 ... .max / 2)
    let end = ContinuousClock.now + (Soak.isOn ? .seconds(120) : .zero)
    var seed = first
    repeat {
      try await run(seed, rounds: 20)
      seed += 1
    } while ContinuousClock.now < end || seed < first + 4
  }

  private func run(_ seed: UInt64, rounds count: Int) async throws {
    print("model: seed \(seed)")
    let rounds = FleetProgram.rounds(count, seed: seed)
    guard let failure = try await FleetTests.failure(of: rounds, seed, count) else { return }
    var shrinking = FleetShrinking { try await FleetTests.failure(of: $0, seed, count) != nil }
    let shrunk = try await shrinking.shrunk(rounds)
    let last = try await FleetTests.failure(of: shrunk, seed, count) ?? failure
    Issue.record(
      "seed \(seed): \(failure)\nshrunk: \(last)\n\(FleetProgram.text(shrunk))")
  }

  private static func failure(
    of rounds: [FleetRound], _ seed: UInt64, _ count: Int
  ) async throws -> String? {
    try await FleetRunner(seed: seed, rounds: count).failure(of: rounds)
  }
}
