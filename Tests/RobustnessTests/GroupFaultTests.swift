import CairnStorage
import CairnTestSupport
import Foundation
import Testing

/// Threads that commit together on a disk that fails once: each gets its own result, a failed
/// transaction leaves nothing, and the process can write again.
@Suite struct GroupFaultTests {
  private static let threads = 6
  private static let each = 12

  private func run(_ store: RobustStore, _ environment: [String: String]) throws -> Command.Outcome
  {
    try Command.launch(
      Command.worker, ["groups", store.path, "\(Self.threads)", "\(Self.each)"], input: nil,
      environment: environment, folder: nil)
  }

  @Test(.enabled(if: Faults.library != nil, "\(Faults.reason)"))
  func everyThreadGetsItsResultAndTheNextCommitWorks() throws {
    let store = try RobustStore(rows: 100)
    let whole = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let good = try run(
      store, Faults.environment(on: "store.cairn", count: store.scratch["count"]))
    #expect(good.code == 0, "\(good.errors)")
    let calls = try #require(Int(try store.scratch.text("count")))
    #expect(calls > 20)
    var failures = 0
    // The class is created first.
    let step = Soak.isOn ? 3 : calls / 8
    for (index, code) in [EIO, ENOSPC, 0].enumerated() {
      for call in stride(from: 8 + index, through: calls, by: step) {
        try store.restore(whole)
        let fault = Faults.Fault(code: code, isLasting: false)
        let outcome = try run(store, Faults.environment(on: "store.cairn", at: call, fault))
        let comment = "call \(call) of \(calls), \(fault.description)"
        #expect(outcome.code == 0, "\(comment): \(outcome.code) \(outcome.errors)")
        failures += try check(outcome, store, comment)
      }
    }
    #expect(failures > 0)
  }

  /// Compares the reported results with the stored rows, and returns the number of reported
  /// failures.
  private func check(
    _ outcome: Command.Outcome, _ store: RobustStore, _ comment: String
  ) throws -> Int {
    var reported: [Int64: String] = [:]
    for line in outcome.lines {
      let words = line.split(separator: " ", maxSplits: 1)
      let number = try #require(words.first.flatMap { Int64($0) }, "\(comment): \(line)")
      #expect(reported[number] == nil, "\(comment): reported twice")
      reported[number] = words.last.map(String.init)
    }
    let last = Int64(Self.threads * Self.each) + 1
    #expect(reported.keys.sorted() == Array(0...last), "\(comment)")
    #expect(
      [reported[last - 1], reported[last]].contains("done"),
      "\(comment): \(reported[last] ?? "nothing")")
    let done = Set(reported.filter { $0.value == "done" }.keys)
    for (number, answer) in reported where answer != "done" {
      #expect(
        answer.contains("Input/output error") || answer.contains("disk full"),
        "\(comment), \(number): \(answer)")
    }
    #expect(try Store.verify(store.path).isSound, "\(comment)")
    #expect(try numbers(store.path) == done.sorted(), "\(comment)")
    return reported.count - done.count
  }

  private func numbers(_ path: String) throws -> [Int64] {
    try Command.lines("query", path, "Grouped", "--sort", "number", "--format", "csv").dropFirst()
      .map { try #require(Int64($0)) }
  }
}
