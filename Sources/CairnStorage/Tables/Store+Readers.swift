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
