import CairnSystem
import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

extension HookTests {
  /// An event as a receiver gets it.
  struct Event {
    let kind: String
    let row: Int?
    let members: [String: Any]
  }

  /// A receiver of batches that can fail.
  final class Receiver: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    enum Answer {
      case take
      /// Nothing arrives.
      case lose
      /// The batch arrives, but the answer does not.
      case takeAndFail
    }

    private let taken = Mutex<[[String: Any]]>([])
    private let reported = Mutex<[HookReport]>([])
    private let active = Mutex(0)
    private let answer: @Sendable (Int) async -> Answer
    private let number = Mutex(0)

    /// - Parameter answer: Returns the answer to an attempt with that number.
    init(_ answer: @escaping @Sendable (Int) async -> Answer = { _ in .take }) {
      self.answer = answer
    }

    var batches: [[String: Any]] { taken.withLock { $0 } }
    var reports: [HookReport] { reported.withLock { $0 } }
    var failures: Int {
      reports.count {
        if case .failed = $0 { true } else { false }
      }
    }
    var events: [Event] {
      batches.flatMap { batch in
        (batch["events"] as? [[String: Any]] ?? []).map { event in
          Event(
            kind: event["event"] as? String ?? "", row: event["row"] as? Int, members: event)
        }
      }
    }

    func report(_ report: HookReport) { reported.withLock { $0.append(report) } }

    func send(_ batch: HookBatch) async throws {
      let isAlone = active.withLock { count in
        count += 1
        return count == 1
      }
      defer { active.withLock { $0 -= 1 } }
      #expect(isAlone, "two batches at once")
      let number = number.withLock { number in
        number += 1
        return number
      }
      let answer = await answer(number)
      if case .lose = answer { throw Failure(description: "lost") }
      let json = try JSONSerialization.jsonObject(with: Data(batch.body)) as? [String: Any] ?? [:]
      #expect((json["events"] as? [Any])?.count == batch.count)
      #expect(json["hook"] as? String == batch.hook.subject)
      taken.withLock { $0.append(json) }
      if case .takeAndFail = answer { throw Failure(description: "no answer") }
    }

    /// The number of batches that were sent, whether they arrived or not.
    var attempts: Int { number.withLock { $0 } }

    /// Waits for a number of events.
    func wait(forEvents count: Int) async throws {
      try await eventually("\(count) events have arrived") {
        events.count
      } until: {
        $0 >= count
      }
    }

    /// Waits for an event of a row after which none follows.
    func wait(forLast row: Int?) async throws {
      try await eventually("the event of row \(row ?? -1) has arrived") {
        events.last?.row
      } until: {
        $0 == row
      }
    }
  }

  /// Receivers give no answer while it is closed.
  final class Gate: Sendable {
    private let state = Mutex((isClosed: false, waiting: 0))

    var waiting: Int { state.withLock { $0.waiting } }

    func close() { state.withLock { $0.isClosed = true } }
    func open() { state.withLock { $0.isClosed = false } }

    func pass() async {
      state.withLock { $0.waiting += 1 }
      // A cancelled attempt goes on too.
      try? await eventually("the gate is open") { !state.withLock { $0.isClosed } }
      state.withLock { $0.waiting -= 1 }
    }
  }
}
