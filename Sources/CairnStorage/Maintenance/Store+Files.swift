import CLMDB

/// Operations on whole files that are not open.
extension Store {
  /// The space that a file takes.
  package struct FreeSpace: Equatable, Sendable {
    /// The size of the file in bytes.
    package let total: Int
    /// The bytes in use. Later commits reuse the rest.
    package let used: Int
  }

  /// Compacts a store if `isWanted` returns true.
  ///
  /// - Parameter untrusted: Whether to check the whole file first.
  /// - Returns: Whether the store was compacted; false without calling `isWanted` if the
  ///   file does not exist, or if this or another process has it open.
  @discardableResult
  package static func compact(
    _ path: String, untrusted: Bool = false, if isWanted: (FreeSpace) -> Bool
  ) throws(StoreError) -> Bool {
    guard try FileCheck.inspect(path) == .ready, let exclusiveLock = try ExclusiveLock.ifFree(path),
      Compaction.canReplace(exclusiveLock.realPath)
    else { return false }
    let handle = try EnvironmentHandle(alone: exclusiveLock.realPath)
    if untrusted { try requireSound(handle, path: path) }
    guard isWanted(try Snapshot(handle).transaction.freeSpace()) else { return false }
    _ = try Compaction.alone(exclusiveLock).run()
    return true
  }

  /// Whether a file is a store, or another file of LMDB, to judge by its first bytes.
  package static func isStore(_ path: String) -> Bool { FileCheck.hasMagic(path) }

  /// Deletes the file and LMDB's lock file beside it. Returns false if neither existed.
  ///
  /// - Throws: `.inUse` while this or another process has the file open.
  @discardableResult
  package static func remove(_ path: String) throws(StoreError) -> Bool {
    try ExclusiveLock(path).remove()
  }
}

extension LMDBTransaction {
  /// Returns the size of the file and the part of it in use.
  func freeSpace() throws(StoreError) -> Store.FreeSpace {
    let pages = try environment.pages()
    return Store.FreeSpace(
      total: pages.size * pages.count, used: pages.size * (pages.count - (try freePageCount())))
  }
}
