import CairnTestSupport
import Foundation
import Testing

/// Random operations on objects, lists, sets, maps, links, mixed values and locations, compared
/// with plain Swift values, with commits, rollbacks, reopening, a second process, queries and
/// geofences in between.
///
/// `CAIRN_MODEL_SEED` repeats one seed; `CAIRN_MODEL_TRACE` prints every operation before it runs.
@Suite(.tags(.threads)) struct FleetTests {
  @Test func aStoreAgreesWithPlainSwift() async throws {
    if let seed = ProcessInfo.processInfo.environment["CAIRN_MODEL_SEED"].flatMap(UInt64.init) {
      return try await run(seed, rounds: 20)
    }
    let first = Soak.seed(1)
    for number in 0..<UInt64(Soak.count(4, long: 200)) {
      try await run(first &+ number, rounds: 20)
    }
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

/// A sequence of operations with a common ending.
struct FleetRound: Sendable {
  enum Ending {
    case commit, cancel, throwing
    /// Another process performs the operations and commits.
    case otherProcess
    /// The store is closed and reopened, without operations.
    case reopening
  }

  let number: Int
  let ending: Ending
  /// The operations with their indexes in the round, which do not change when others are left out.
  var operations: [(place: Int, FleetOperation)]
}

/// The rounds for a seed.
enum FleetProgram {
  static func rounds(_ count: Int, seed: UInt64) -> [FleetRound] {
    var generator = FleetGenerator(seed: seed)
    return (0..<count).map { number in
      let ending: FleetRound.Ending =
        switch generator.number(0...19) {
        case 0...2: .cancel
        case 3...4: .throwing
        case 5...6: .reopening
        // A process starts slowly: every run has one in round 3, and only longer runs have more.
        case 7 where count > 20: .otherProcess
        default: number == 3 ? .otherProcess : .commit
        }
      let length = ending == .reopening ? 0 : generator.number(1...24)
      let operations = (0..<length).map { (place: $0, generator.operation()) }
      return FleetRound(number: number, ending: ending, operations: operations)
    }
  }

  /// The rounds as text, with one operation per line.
  static func text(_ rounds: [FleetRound]) -> String {
    rounds.map { round in
      (["round \(round.number), \(round.ending)"]
        + round.operations.map { "  \($0.place): \($0.1)" }).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

/// Reduces a failing run to the few operations that matter.
struct FleetShrinking {
  private let fails: ([FleetRound]) async throws -> Bool
  /// The number of attempts left.
  private var left = 300

  init(_ fails: @escaping ([FleetRound]) async throws -> Bool) { self.fails = fails }

  mutating func shrunk(_ rounds: [FleetRound]) async throws -> [FleetRound] {
    var rounds = try await shortened(rounds) { $0 }
    for number in rounds.indices {
      let operations = try await shortened(rounds[number].operations) { some in
        var shorter = rounds
        shorter[number].operations = some
        return shorter
      }
      rounds[number].operations = operations
    }
    return rounds
  }

  /// Removes larger parts first, then single elements.
  private mutating func shortened<Element>(
    _ elements: [Element], _ program: ([Element]) -> [FleetRound]
  ) async throws -> [Element] {
    var elements = elements
    var size = max(1, elements.count / 2)
    while true {
      var start = 0
      while start < elements.count, left > 0 {
        var shorter = elements
        shorter.removeSubrange(start..<min(start + size, elements.count))
        left -= 1
        if try await fails(program(shorter)) { elements = shorter } else { start += size }
      }
      if size == 1 { return elements }
      size /= 2
    }
  }
}
