/// Cuts a run that fails down to the few operations that matter.
struct FleetShrinking {
  private let fails: ([FleetRound]) async throws -> Bool
  /// How often it is tried at most.
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

  /// Leaves out larger parts first, then single elements.
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
