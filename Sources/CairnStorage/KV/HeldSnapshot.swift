import CLMDB

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

/// A slot of LMDB's table of readers that is taken.
struct ReaderSlot {
  let process: Int32
  /// The commit that its reader sees; nil if it has no reader at present.
  let version: UInt64?

  /// The taken slots of the lock file of an LMDB environment.
  static func all(of environment: OpaquePointer) -> [ReaderSlot] {
    var slots: [ReaderSlot] = []
    withUnsafeMutablePointer(to: &slots) { list in
      _ = mdb_reader_list(
        environment,
        { line, list in
          guard let line, let list else { return 0 }
          // Process, thread, commit, below a heading. The commit is a dash without a reader.
          let columns = String(cString: line).split { $0 == " " || $0 == "\n" }
          guard columns.count == 3, let process = Int32(columns[0]) else { return 0 }
          list.assumingMemoryBound(to: [ReaderSlot].self).pointee
            .append(ReaderSlot(process: process, version: UInt64(columns[2])))
          return 0
        }, list)
    }
    return slots
  }
}

extension Environment {
  /// The snapshots that readers in any process hold, the oldest first.
  func heldSnapshots() -> [HeldSnapshot] {
    readerSlots().compactMap { slot in
      slot.version.map { HeldSnapshot(process: slot.process, version: $0) }
    }
    .sorted { $0.version < $1.version }
  }
}
