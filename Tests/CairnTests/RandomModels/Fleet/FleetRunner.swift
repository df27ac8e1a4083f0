import Cairn
import CairnModelTestSupport
import Foundation
import Testing

/// Runs operations on a store and on plain Swift values, and compares the two.
actor FleetRunner {
  private let seed: UInt64
  private let count: Int
  /// Whether every operation is printed before it runs, for runs that crash.
  private let isTraced = ProcessInfo.processInfo.environment["CAIRN_MODEL_TRACE"] != nil
  private var state = FleetState()
  private var observers: FleetObservers?

  init(seed: UInt64, rounds: Int) {
    self.seed = seed
    count = rounds
  }

  private struct Refused: Error {}

  /// Runs the rounds and returns the first failure with its location, or nil.
  func failure(of rounds: [FleetRound]) async throws -> String? {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let url = file.url
    let store = FleetStore(
      try await Realm(configuration: Realm.Configuration(fileURL: url), actor: self))
    state = FleetState()
    observers = FleetObservers(store)
    defer { observers = nil }
    for round in rounds {
      if isTraced { print("round \(round.number), \(round.ending)") }
      let found = try await failure(of: round, store, url)
      // This notifies the observers.
      store.realm.refresh()
      if let failure = try found ?? mismatch(in: store) ?? observers?.failure {
        return "round \(round.number): \(failure)"
      }
    }
    return nil
  }

  private func failure(
    of round: FleetRound, _ store: FleetStore, _ url: URL
  ) async throws -> String? {
    let before = state
    switch round.ending {
    case .commit:
      return try store.realm.write { try failure(of: round.operations, store) }
    case .cancel:
      store.realm.beginWrite()
      let failure = try failure(of: round.operations, store)
      store.realm.cancelWrite()
      state = before
      return failure
    case .throwing:
      var failure: String?
      do {
        try store.realm.write {
          failure = try self.failure(of: round.operations, store)
          throw Refused()
        }
      } catch is Refused {}
      state = before
      return failure
    case .otherProcess:
      for (_, operation) in round.operations { state.apply(operation) }
      await FleetRunner.run(
        round.number, round.operations.map(\.place), seed: seed, of: count, at: url.path)
      return nil
    case .reopening:
      observers = nil
      store.close()
      store.open(
        try await Realm(configuration: Realm.Configuration(fileURL: url), actor: self))
      observers = FleetObservers(store)
      return nil
    }
  }

  private func failure(
    of operations: [(place: Int, FleetOperation)], _ store: FleetStore
  ) throws -> String? {
    for (place, operation) in operations {
      if isTraced { print("  \(place): \(operation)") }
      state.apply(operation)
      store.apply(operation)
      if let failure = try failure(after: operation, store) { return "\(place): \(failure)" }
    }
    return try mismatch(in: store)
  }

  private func failure(after operation: FleetOperation, _ store: FleetStore) throws -> String? {
    switch operation {
    case .check: try mismatch(in: store)
    case .ask(let question): answer(question, store.results(of: question))
    default: nil
    }
  }

  /// The first difference between the store and the plain values.
  private func mismatch(in store: FleetStore) throws -> String? {
    if let difference = state.byTag.difference(from: store.state) { return difference }
    if let disorder = store.disorder { return disorder }
    for (results, question) in store.living {
      if let wrong = answer(question, results) { return "living results: \(wrong)" }
    }
    return nil
  }

  private func answer(_ question: FleetQuery, _ results: Results<Ship>?) -> String? {
    guard let results else { return nil }
    let expected = state.answer(to: question)
    let found = Array(results.map(\.id))
    if found != expected { return "\(question): expected \(expected), found \(found)" }
    if results.count != expected.count {
      return "\(question): expected a count of \(expected.count), found \(results.count)"
    }
    return nil
  }
}

extension FleetRunner {
  /// Runs some operations of a round in another process.
  private static func run(
    _ round: Int, _ places: [Int], seed: UInt64, of count: Int, at path: String
  ) async {
    await #expect(processExitsWith: .success) {
      [
        round = round as Int, places = places as [Int], seed = seed as UInt64,
        count = count as Int, path = path as String
      ] in
      let url = URL(fileURLWithPath: path)
      let store = FleetStore(try Realm(fileURL: url))
      let operations = FleetProgram.rounds(count, seed: seed)[round].operations
      try store.realm.write {
        for (place, operation) in operations where places.contains(place) { store.apply(operation) }
      }
    }
  }
}
