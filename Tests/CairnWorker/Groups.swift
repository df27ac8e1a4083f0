import CairnStorage
import CairnValues
import Dispatch

/// Threads that write one row after the other, so that several are committed at once.
///
/// Writes a line for each row: its number, and `done` or what it was told.
struct Groups {
  private let store: Store

  init(_ path: String) throws { store = try Store.open(path, .readWrite) }

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
        turn % 2 == 0 ? Self.write(number, store) : Self.seal(number, store)
      }
    }
    // Whatever happened: the next one works, in the same process. The first may be the very one that the disk fails.
    for last in 0..<2 { Self.write(threads * each + last, store) }
  }

  private static func insert(_ number: Int, _ transaction: WriteTransaction) throws {
    try transaction.table("Grouped")?.insert([.int(Int64(number))])
  }

  /// A transaction whose end is waited for.
  private static func write(_ number: Int, _ store: Store) {
    do {
      try store.write { try insert(number, $0) }
      tell(number, nil)
    } catch { tell(number, error) }
  }

  /// One that is told when it is durable.
  private static func seal(_ number: Int, _ store: Store) {
    let told = DispatchSemaphore(value: 0)
    do {
      let transaction = try store.beginWrite()
      try insert(number, transaction)
      guard let changes = try transaction.seal() else { return }
      transaction.release()
      changes.commit(allowGrouping: true) { outcome in
        if case .failure(let error) = outcome { tell(number, error) } else { tell(number, nil) }
        told.signal()
      }
      told.wait()
    } catch { tell(number, error) }
  }

  private static func tell(_ number: Int, _ error: (any Error)?) {
    print(number, error.map { "\($0)" } ?? "done")
  }
}
