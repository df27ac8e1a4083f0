/// A class of a snapshot for one other thread, while the thread of the snapshot reads it too.
package final class SharedTable: @unchecked Sendable {
  // Sendable: one thread at a time uses the tables, and the transaction below has a lock.
  /// The class, without computed columns. Valid while the shared table lives.
  package let table: Table
  private let set: TableSet

  fileprivate init(_ table: Table, in set: TableSet) {
    self.table = table
    self.set = set
  }

  deinit { set.close() }
}

extension Table {
  /// Returns the class for one other thread; nil for a class in a write transaction.
  package func shared() -> SharedTable? {
    guard overlay == nil else { return nil }
    let shared = self.set.detached()
    return shared.index(ofID: id).map { SharedTable(shared.table(at: $0), in: shared) }
  }
}
