import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// Numbers of descriptors, in processes that are started without standard streams.
@Suite struct DescriptorTests {
  @Test(arguments: 0..<8)
  func noFileGetsTheNumberOfAStream(streams: Int) async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.file() as String, streams = streams as Int] in
      for number in 0..<3 as Range<Int32> where streams & 1 << Int(number) != 0 { close(number) }
      let store = try Store.open(path, .create)
      try store.write { transaction in
        let writer = try transaction.createTable(
          "Row", columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)])
        try writer.insert([.int(1)])
      }
      let snapshot = try store.snapshot()
      for number in 0..<3 as Range<Int32> where streams & 1 << Int(number) != 0 {
        // Neither a file of the store nor what was held meanwhile. (The process may have opened something else.)
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(number)")
        guard target?.contains(path) != true, target != "/" else { exit(2) }
      }
      guard snapshot.table("Row")?.liveCount == 1 else { exit(3) }
      // What is opened here has the lowest number that is free.
      guard lifted(dup(50)) < 0, openFile("/dev/null", O_RDONLY) > 2 else { exit(4) }
    }
  }

  /// Bodies of several threads at once: nobody gets a number back before the last is done.
  @Test func reservationsOverlap() async throws {
    await #expect(processExitsWith: .success) {
      close(0)
      let results = Results()
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<200 {
          StandardStreams.withReserved {
            let file = open("/dev/null", O_RDONLY)
            if file <= 2 { results.fail() }
            close(file)
          }
        }
      }
      guard !results.hasFailed else { exit(2) }
    }
  }

  @Test func closedStreamsAreOpenedSoThatUsingThemFails() async throws {
    await #expect(processExitsWith: .success) {
      for number in 0..<3 as Range<Int32> { close(number) }
      guard StandardStreams.open(), !StandardStreams.hasInput else { exit(2) }
      var byte: UInt8 = 0
      guard read(0, &byte, 1) < 0, errno == EBADF, Foundation.write(1, &byte, 1) < 0,
        errno == EBADF,
        Foundation.write(2, &byte, 1) < 0, errno == EBADF
      else { exit(3) }
      guard StandardStreams.open(), openFile("/dev/null", O_RDONLY) > 2 else { exit(4) }
    }
  }
}

private final class Results: @unchecked Sendable {
  // Sendable: under a lock.
  private let lock = NSLock()
  private var failed = false

  func fail() { lock.withLock { failed = true } }
  var hasFailed: Bool { lock.withLock { failed } }
}
