/// Operations that end together in one of several ways.
struct FleetRound: Sendable {
  enum Ending {
    case commit, cancel, throwing
    /// Another process does the operations, and commits.
    case elsewhere
    /// The store is closed and opened, without any operation.
    case reopening
  }

  let number: Int
  let ending: Ending
  /// With their places in the round, which stay when others are left out.
  var operations: [(place: Int, FleetOperation)]
}

/// What a seed stands for.
enum FleetProgram {
  static func rounds(_ count: Int, seed: UInt64) -> [FleetRound] {
    var generator = FleetGenerator(seed: seed)
    return (0..<count).map { number in
      let ending: FleetRound.Ending =
        switch generator.number(0...19) {
        case 0...2: .cancel
        case 3...4: .throwing
        case 5...6: .reopening
        // A process takes long to begin: the first round of some, so that one is in every run.
        case 7 where count > 20: .elsewhere
        default: number == 3 ? .elsewhere : .commit
        }
      let length = ending == .reopening ? 0 : generator.number(1...24)
      let operations = (0..<length).map { (place: $0, generator.operation()) }
      return FleetRound(number: number, ending: ending, operations: operations)
    }
  }

  /// The rounds as text, one operation in a line.
  static func text(_ rounds: [FleetRound]) -> String {
    rounds.map { round in
      (["round \(round.number), \(round.ending)"]
        + round.operations.map { "  \($0.place): \($0.1)" }).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
