import CairnTestSupport
import Foundation
import Testing

/// The one way in which tests wait.
@Suite struct WaitingTests {
  /// The number of looks so far.
  private final class Looks: Sendable {
    private let looks = Locked(0)

    var count: Int { looks.value }

    @Sendable func next() -> Int {
      looks.withLock { looks in
        looks += 1
        return looks
      }
    }
  }

  @Test func aConditionThatComesIsSeen() async throws {
    let looks = Looks()
    #expect(try await eventually("three looks", look: looks.next) { $0 == 3 } == 3)
    try await eventually("three more") { looks.next() == 6 }
    #expect(
      try await onNewThread {
        try eventually("nine looks") { looks.next() == 9 }
        return try eventually("twelve looks", look: looks.next) { $0 == 12 }
      } == 12)
  }

  /// There is a look after the end, and the error has the last value.
  @Test func aConditionThatNeverComesIsAnError() async throws {
    let looks = Looks()
    func error(_ body: () async throws -> Void) async -> String {
      do { try await body() } catch { return "\(error)" }
      return "none"
    }
    let line = #line
    let errors = [
      await error { try await eventually("it", within: .zero, look: looks.next) { $0 == 0 } },
      await error {
        try await eventually("it", within: .zero, seen: looks.count) { looks.next() == 0 }
      },
      await error {
        try await onNewThread {
          _ = try eventually("it", within: .zero, look: looks.next) { $0 == 0 }
        }
      },
      await error {
        try await onNewThread {
          try eventually("it", within: .zero, seen: looks.count) { looks.next() == 0 }
        }
      },
    ]
    let places = [2, 4, 8, 13].map { "PackageTests/WaitingTests.swift:\(line + $0)" }
    for (number, place) in places.enumerated() {
      #expect(errors[number] == "\(place): not within 0 s: it; seen last: \(number + 1)")
    }
  }

  /// Files that may pause, each with a reason beside the pause.
  private static let exceptions: Set = [
    "CairnTestSupport/Eventually.swift", "CairnTestSupport/Moments.swift",
    "CairnServerTests/RequestThreadTests.swift", "CairnStorageTests/KV/LockFileTests.swift",
  ]

  /// A test that waits for a time, or has a limit of its own, depends on the load of the machine.
  @Test func noTestWaitsInAWayOfItsOwn() throws {
    let words = ["usle" + "ep(", "Task.sle" + "ep(", "Thread.sle" + "ep(", ".timeLi" + "mit("]
    var pausing: Set<String> = []
    for file in try Package.swiftFiles(under: "Tests") {
      for (index, line) in file.lines.enumerated() where words.contains(where: line.contains) {
        let path = String(file.path.dropFirst("Tests/".count))
        pausing.insert(path)
        #expect(Self.exceptions.contains(path), "\(file.path):\(index + 1): \(line)")
      }
    }
    #expect(pausing == Self.exceptions)
  }
}
