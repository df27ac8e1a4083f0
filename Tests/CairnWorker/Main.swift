import CairnStorage
import CairnSystem
import CairnValues
import Dispatch

/// A program that uses a store. The tests kill it, or let its disk fail:
///
///     cairn-worker update|delete STORE CLASS
///     cairn-worker groups STORE THREADS EACH
///     cairn-worker mutter STORE CLASS
///     cairn-worker flips STORE FIRST STEP
///     cairn-worker insert|insert-reopening STORE CLASS COUNT
///     cairn-worker hold STORE
///     cairn-worker die-writing STORE CLASS
///     cairn-worker die-reading STORE
///     cairn-worker open-without-rights STORE CLASS
///     cairn-worker close-streams STORE STREAMS
///     cairn-worker reserve-streams|reopen-streams
///     cairn-worker lock FILE OFFSET
///     cairn-worker copy STORE FILE
///     cairn-worker content STORE
///     cairn-worker processors
@main
enum Main {
  static func main() {
    // A missing callback fails the test instead of blocking it. No machine is so slow otherwise.
    alarm(600)
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch words.first {
      case "update": try Edit(words[1], words[2]).update()
      case "delete": try Edit(words[1], words[2]).delete()
      case "groups": try Groups(words[1]).run(threads: Int(words[2]) ?? 1, each: Int(words[3]) ?? 1)
      case "mutter": try Mutter.run(words[1], words[2])
      case "flips":
        alarm(0)
        try Flips(words[1]).run(first: Int(words[2]) ?? 0, step: Int(words[3]) ?? 1)
      case "insert":
        try OtherProcess.insert(words[1], words[2], count: Int(words[3]) ?? 1)
      case "insert-reopening":
        try OtherProcess.insertReopening(words[1], words[2], count: Int(words[3]) ?? 1)
      case "hold": try OtherProcess.hold(words[1])
      case "die-writing": try OtherProcess.dieWriting(words[1], words[2])
      case "die-reading": try OtherProcess.dieReading(words[1])
      case "open-without-rights": OtherProcess.openWithoutRights(words[1], words[2])
      case "close-streams":
        try ClosedStreams.use(words[1], closing: Int(words[2]) ?? 0)
      case "reserve-streams": ClosedStreams.reserve()
      case "reopen-streams": ClosedStreams.reopen()
      case "lock": try ByteLock.hold(words[1], offset: Int64(words[2]) ?? 0)
      case "copy": try Store.open(words[1], mode: .readOnly).snapshot().copy(to: words[2])
      case "content": for line in try Content.lines(of: words[1]) { print(line) }
      case "processors": print(processorCount())
      default: exit(64)
      }
    } catch {
      let message = Array("Error: \(error)\n".utf8)
      _ = write(STDERR_FILENO, message, message.count)
      exit(74)
    }
  }
}

/// One transaction that changes rows across the table.
struct Edit {
  private let store: Store
  private let className: String

  init(_ path: String, _ className: String) throws {
    store = try Store.open(path, mode: .readWrite)
    self.className = className
  }

  /// Changes the name and the location of every fifth row.
  func update() throws {
    try everyFifth { table, key in
      for (index, column) in table.schema.columns.enumerated() {
        if column.name == "name" {
          try table.set(.string("updated \(key)"), position: index, at: key)
        }
        if column.type == .point { try table.set(.null, position: index, at: key) }
      }
    }
  }

  func delete() throws { try everyFifth { try $0.delete($1) } }

  private func everyFifth(_ body: (TableWriter, Int) throws -> Void) throws {
    try store.write { transaction in
      guard let table = transaction.table(className) else { return }
      for key in stride(from: 0, to: table.table.endKey, by: 5) where table.table.isLive(key) {
        try body(table, key)
      }
    }
  }
}

/// Threads that each write one row at a time, so that one group commit covers several.
///
/// Prints a line for each row: its number, and `done` or the error.
struct Groups {
  private let store: Store

  init(_ path: String) throws { store = try Store.open(path, mode: .readWrite) }

  func run(threads: Int, each: Int) throws {
    try store.write { transaction in
      guard transaction.table("Grouped") == nil else { return }
      _ = try transaction.createTable(
        "Grouped", columns: [ColumnSchema(id: 0, name: "number", type: .int, position: 0)])
    }
    let store = store
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for turn in 0..<each {
        let number = thread * each + turn
        turn % 2 == 0 ? Self.write(number, store) : Self.writeAsync(number, store)
      }
    }
    // Later writes must succeed in the same process. The disk may fail the first of them.
    for last in 0..<2 { Self.write(threads * each + last, store) }
  }

  private static func insert(_ number: Int, _ transaction: WriteTransaction) throws {
    try transaction.table("Grouped")?.insert([.int(Int64(number))])
  }

  /// Commits one row and waits for the disk.
  private static func write(_ number: Int, _ store: Store) {
    do {
      try store.write { try insert(number, $0) }
      report(number, nil)
    } catch { report(number, error) }
  }

  /// Commits one row with a callback for durability.
  private static func writeAsync(_ number: Int, _ store: Store) {
    let isDone = DispatchSemaphore(value: 0)
    do {
      let transaction = try store.beginWrite()
      try insert(number, transaction)
      guard let changes = try transaction.seal() else { return }
      transaction.release()
      changes.commit(allowGrouping: true) { outcome in
        if case .failure(let error) = outcome { report(number, error) } else { report(number, nil) }
        isDone.signal()
      }
      isDone.wait()
    } catch { report(number, error) }
  }

  private static func report(_ number: Int, _ error: (any Error)?) {
    print(number, error.map { "\($0)" } ?? "done")
  }
}

/// A program that constantly writes to and reads from its standard streams, open or closed, while
/// it uses a store.
enum Mutter {
  static func run(_ path: String, _ className: String) throws {
    mutter()
    for turn in 0..<3 {
      let store = try Store.open(path, mode: .readWrite)
      mutter()
      try store.write { transaction in
        mutter()
        guard let table = transaction.table(className) else { return }
        try table.delete(table.table.endKey - 1 - turn)
        mutter()
      }
      mutter()
      try store.snapshot().copy(to: path + ".copy")
      mutter()
      unlink(path + ".copy")
    }
    mutter()
    _ = try Store.compact(path)
    mutter()
  }

  private static func mutter() {
    let words = Array("a program that was started with closed streams\n".utf8)
    var bytes = [UInt8](repeating: 0, count: 64)
    for stream in 0..<3 as Range<Int32> {
      _ = write(stream, words, words.count)
      _ = read(stream, &bytes, bytes.count)
    }
  }
}

/// A lock on one byte of a file, until standard input ends.
enum ByteLock {
  static func hold(_ path: String, offset: Int64) throws {
    let file = openFile(path, flags: O_RDWR | O_CREAT, mode: 0o644)
    var request = flock()
    request.l_type = Int16(F_WRLCK)
    request.l_whence = Int16(SEEK_SET)
    request.l_start = off_t(offset)
    request.l_len = 1
    guard file >= 0, fcntl(file, F_SETLK, &request) == 0 else { throw Flips.Failure() }
    print("locked")
    fflush(nil)
    while readLine() != nil {}
    close(file)
  }
}
