import CairnStorage
import CairnSystem
import CairnValues
import Dispatch

/// A program that closes its standard streams. Exit codes other than 0 say what is wrong.
enum ClosedStreams {
  /// Uses a new store after closing the streams whose bits are set.
  static func use(_ path: String, closing streams: Int) throws {
    let closed = (0..<3 as Range<Int32>).filter { streams & 1 << Int($0) != 0 }
    for number in closed { close(number) }
    let store = try Store.open(path, mode: .create)
    try store.write { transaction in
      let writer = try transaction.createTable(
        "Row", columns: [ColumnSchema(id: 0, name: "n", type: .int, position: 0)])
      try writer.insert([.int(1)])
    }
    let snapshot = try store.snapshot()
    for number in closed {
      // Neither a file of the store nor a placeholder. (The process may have opened something else.)
      let target = openFileTarget(number)
      guard !target.contains(path), target != "/" else { exit(2) }
    }
    guard snapshot.table("Row")?.liveCount == 1 else { exit(3) }
    // A file that is opened here gets the lowest free number.
    guard lifted(dup(.max)) < 0, openFile("/dev/null", flags: O_RDONLY) > 2 else { exit(4) }
  }

  /// The path of an open file, or an empty string.
  private static func openFileTarget(_ number: Int32) -> String {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/fd/\(number)", &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Opens files on several threads, each while the numbers of the streams are reserved.
  static func reserve() {
    close(0)
    let hasFailed = Mutex(false)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 {
        StandardStreams.withReserved {
          let file = open("/dev/null", O_RDONLY)
          if file <= 2 { hasFailed.withLock { $0 = true } }
          close(file)
        }
      }
    }
    guard !hasFailed.withLock({ $0 }) else { exit(2) }
  }

  /// Opens closed streams so that using them fails.
  static func reopen() {
    for number in 0..<3 as Range<Int32> { close(number) }
    guard StandardStreams.open(), !StandardStreams.hasInput else { exit(2) }
    var byte: UInt8 = 0
    guard read(0, &byte, 1) < 0, errno == EBADF, write(1, &byte, 1) < 0, errno == EBADF,
      write(2, &byte, 1) < 0, errno == EBADF
    else { exit(3) }
    guard StandardStreams.open(), openFile("/dev/null", flags: O_RDONLY) > 2 else { exit(4) }
  }
}
