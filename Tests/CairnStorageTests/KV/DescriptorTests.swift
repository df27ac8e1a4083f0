import CairnSystem
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnStorage

/// The numbers of descriptors in processes that are started without standard streams.
@Suite(.tags(.threads)) struct DescriptorTests {
  @Test(arguments: 0..<8)
  func noFileGetsTheNumberOfAStream(streams: Int) async throws {
    let folder = try TemporaryFolder(inMemory: true)
    await #expect(processExitsWith: .success) {
      [path = folder.file() as String, streams = streams as Int] in
      for number in 0..<3 as Range<Int32> where streams & 1 << Int(number) != 0 { close(number) }
      let store = try Store.open(path, mode: .create)
      try store.write { transaction in
        let writer = try transaction.createTable(
          "Row", columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)])
        try writer.insert([.int(1)])
      }
      let snapshot = try store.snapshot()
      for number in 0..<3 as Range<Int32> where streams & 1 << Int(number) != 0 {
        // Neither a file of the store nor a placeholder. (The process may have opened something
        // else.)
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(number)")
        guard target?.contains(path) != true, target != "/" else { exit(2) }
      }
      guard snapshot.table("Row")?.liveCount == 1 else { exit(3) }
      // A file that is opened here gets the lowest free number.
      guard lifted(dup(.max)) < 0, openFile("/dev/null", flags: O_RDONLY) > 2 else { exit(4) }
    }
  }

  /// Bodies on several threads at once: no number is released before the last one is done.
  @Test func reservationsOverlap() async throws {
    await #expect(processExitsWith: .success) {
      close(0)
      let hasFailed = Locked(false)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<200 {
          StandardStreams.withReserved {
            let file = open("/dev/null", O_RDONLY)
            if file <= 2 { hasFailed.withLock { $0 = true } }
            close(file)
          }
        }
      }
      guard !hasFailed.value else { exit(2) }
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
      guard StandardStreams.open(), openFile("/dev/null", flags: O_RDONLY) > 2 else { exit(4) }
    }
  }
}
