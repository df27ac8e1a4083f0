/// A class of a snapshot for another thread, while the thread of the snapshot reads it too.
package final class SharedTable: @unchecked Sendable {
  // Sendable: the set guards the caches of its tables by a lock.
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
  /// Returns the class for another thread; nil for a class in a write transaction.
  ///
  /// Each thread should have one of its own, because threads wait for each other at the lock of one.
  package func shared() -> SharedTable? {
    guard overlay == nil else { return nil }
    let shared = self.set.shared()
    return shared.index(ofID: id).map { SharedTable(shared.table(at: $0), in: shared) }
  }
}
