import CLMDB
import CairnSystem

/// A snapshot that a reader of this or another process holds.
package struct HeldSnapshot: Equatable, Sendable {
  /// The process that holds it, by the number that it has in its container.
  package let process: Int32
  /// The commit that it shows.
  package let version: UInt64
}

/// The oldest snapshot of a store and what it costs.
package struct OldestSnapshot: Equatable, Sendable {
  /// The process that holds it, by the number that it has in its container.
  package let process: Int32
  /// The commit that it shows.
  package let version: UInt64
  /// The number of commits since.
  package let commits: UInt64
  /// The bytes of pages that those commits freed and no commit can reuse before the snapshot ends.
  package let heldBytes: Int
}

extension Environment {
  /// The snapshots that readers in any process hold, the oldest first.
  func heldSnapshots() -> [HeldSnapshot] {
    var snapshots: [HeldSnapshot] = []
    withUnsafeMutablePointer(to: &snapshots) { list in
      listReaders(list) { line, list in
        guard let line, let list else { return 0 }
        // Process, thread, commit. The commit is a dash where a slot is free for reuse.
        let columns = String(cString: line).split { $0 == " " || $0 == "\n" }
        if columns.count == 3, let process = Int32(columns[0]), let version = UInt64(columns[2]) {
          list.assumingMemoryBound(to: [HeldSnapshot].self).pointee
            .append(HeldSnapshot(process: process, version: version))
        }
        return 0
      }
    }
    return snapshots.sorted { $0.version < $1.version }
  }
}

extension Store {
  /// The versions that readers of this and other processes hold: commit numbers in ascending order,
  /// one for each reader. Pages freed since the oldest of them cannot be reused.
  package func heldVersions() -> [UInt64] { environment.heldSnapshots().map(\.version) }

  /// The oldest snapshot that a reader of this or another process holds, or nil if nobody holds one
  /// of an earlier commit than the last. Readers that died are not counted.
  package func oldestSnapshot() throws(StoreError) -> OldestSnapshot? {
    environment.sweepReaders()
    guard let oldest = environment.heldSnapshots().first else { return nil }
    let transaction = try LMDBTransaction(reading: handle)
    defer { transaction.abort() }
    guard transaction.version > oldest.version else { return nil }
    let pages = try transaction.freePageCount(since: oldest.version)
    return OldestSnapshot(
      process: oldest.process, version: oldest.version,
      commits: transaction.version - oldest.version,
      heldBytes: pages * environment.alignedSize * 2)
  }

  /// Whether the path leads to another file than the open one, or to none. What is written then is
  /// refused; the store has to be opened again.
  package var isReplaced: Bool { environment.isReplaced }

  /// The identity of the open file, also when the path leads to another one meanwhile.
  package var file: FileIdentity { environment.identity }
}
