/// Whole files, while nobody has them open.
extension Store {
  /// Room that a file takes, in bytes.
  package struct Room: Equatable, Sendable {
    package let total: Int
    /// What holds something; the rest is free, and used again by later commits.
    package let used: Int
  }

  /// Compacts a store when `isWanted` says so.
  ///
  /// - Parameter untrusted: whether everything in the file is checked first.
  /// - Returns: false where there is no file, or somebody has it open, in this process or another: then nobody is asked.
  @discardableResult
  package static func compact(
    _ path: String, untrusted: Bool = false, if isWanted: (Room) -> Bool
  ) throws(StoreError) -> Bool {
    guard try FileCheck.inspect(path) == .ready, let sole = try SoleUse.ifFree(path),
      Compaction.canReplace(sole.realPath)
    else { return false }
    let handle = try EnvironmentHandle(alone: sole.realPath)
    if untrusted { try requireSound(handle, path) }
    guard isWanted(try Snapshot(handle).transaction.room()) else { return false }
    _ = try Compaction(sole).run()
    return true
  }

  /// Deletes the file, and LMDB's lock file beside it. False when there was neither.
  ///
  /// - Throws: `.inUse` while somebody has it open, in this process or another.
  @discardableResult
  package static func remove(_ path: String) throws(StoreError) -> Bool {
    try SoleUse(path).remove()
  }
}
