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
    let line = #line + 1
    let errors = await [
      #expect(throws: NeverHeld.self) {
        try await eventually("no look", within: .zero, look: looks.next) { $0 == 0 }
      },
      #expect(throws: NeverHeld.self) {
        try await eventually("no look", within: .zero, seen: looks.count) { looks.next() == 0 }
      },
      #expect(throws: NeverHeld.self) {
        try await onNewThread {
          try eventually("no look", within: .zero, look: looks.next) { $0 == 0 }
        }
      },
      #expect(throws: NeverHeld.self) {
        try await onNewThread {
          try eventually("no look", within: .zero, seen: looks.count) { looks.next() == 0 }
        }
      },
    ]
    let places = [2, 5, 9, 14].map { "PackageTests/WaitingTests.swift:\(line + $0)" }
    for (number, (error, place)) in zip(errors, places).enumerated() {
      let text = error?.description ?? ""
      #expect(text == "\(place): not within 0 s: no look; seen last: \(number + 1)", "\(text)")
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
