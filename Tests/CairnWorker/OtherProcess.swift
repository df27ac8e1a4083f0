import CairnStorage
import CairnSystem
import CairnValues

/// Another process that uses a store while the test does.
enum OtherProcess {
  /// Inserts numbered rows, one in each commit, and prints the count of rows before and after.
  static func insert(_ path: String, _ className: String, count: Int) throws {
    let store = try Store.open(path, mode: .readWrite)
    print(try rowCount(store, className))
    for number in 0..<Int64(count) { try insert(number, className, into: store) }
    print(try rowCount(store, className))
  }

  /// Inserts numbered rows, and opens the store again for each one.
  static func insertReopening(_ path: String, _ className: String, count: Int) throws {
    for number in 0..<Int64(count) {
      try insert(number, className, into: Store.open(path, mode: .readWrite))
    }
  }

  private static func insert(_ number: Int64, _ className: String, into store: Store) throws {
    try store.write { try _ = $0.table(className)?.insert([.int(number)]) }
  }

  private static func rowCount(_ store: Store, _ className: String) throws -> Int {
    try store.snapshot().table(className)?.liveCount ?? 0
  }

  /// Prints a line once a store is open, and reads from it after it has read a line.
  static func hold(_ path: String) throws {
    let store = try Store.open(path, mode: .readOnly)
    print("open")
    fflush(nil)
    _ = readLine()
    _ = try store.snapshot()
  }

  /// Is killed in the middle of a transaction.
  static func dieWriting(_ path: String, _ className: String) throws {
    let transaction = try Store.open(path, mode: .readWrite).beginWrite()
    for key in 0..<500 { try transaction.table(className)?.delete(key) }
    kill(getpid(), SIGKILL)
  }

  /// Is killed with a snapshot open.
  static func dieReading(_ path: String) throws {
    let snapshot = try Store.open(path, mode: .readOnly).snapshot()
    withExtendedLifetime(snapshot) { _ = kill(getpid(), SIGKILL) }
  }

  /// Opens a store in each mode, and a new one, as a user without rights, and prints the outcomes.
  static func openWithoutRights(_ path: String, _ className: String) {
    guard seteuid(65534) == 0 else { exit(77) }
    for (name, path, mode) in [
      ("read", path, Store.Mode.readOnly), ("write", path, .readWrite), ("create", path, .create),
      ("create another", path + "-new", .create),
    ] {
      do throws(StoreError) {
        let store = try Store.open(path, mode: mode)
        let count = try store.snapshot().table(className)?.liveCount ?? 0
        print("\(name): \(count) rows, \(store.isUnlocked ? "without" : "with") a lock file")
      } catch { print("\(name): \(error.kind)") }
    }
  }
}
