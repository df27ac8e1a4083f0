import CairnSystem

extension Snapshot {
  /// Writes the snapshot to a new file, without the free space of the old one.
  ///
  /// The file appears once it is complete and durable.
  ///
  /// - Throws: `.exists` if the file already exists; `.damaged` if the copy does not pass the check of
  ///   `Store.verify`, because the store is damaged.
  package func copy(to path: String) throws(StoreError) {
    let draft = try CopyDraft(for: path)
    try write(to: draft.path, naming: path)
    try Self.requireSound(draft.path, naming: path)
    try requireKept()
    try draft.publish(as: path)
    try makeDurable(folder(of: path))
  }

  /// Reads the copy as `Store.verify` does.
  private static func requireSound(_ path: String, naming target: String) throws(StoreError) {
    let report = try IntegrityCheck(EnvironmentHandle(alone: path), path: path).run()
    guard let first = report.gravest else { return }
    throw StoreError(
      .damaged,
      message: "the copy at \(target) does not pass its check: \(first); nothing was written; "
        + "check the store itself, which is probably damaged")
  }

  private func write(to path: String, naming target: String) throws(StoreError) {
    let writer = try CopyWriter(path, naming: target)
    let pending = try transaction.pendingLoads().map(\.0)
    var failure: StoreError?
    try transaction.scan(from: .header) { key, value in
      guard !key.isOmitted(of: pending) else { return true }
      do throws(StoreError) { try writer.put(key, value: value) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
    try writer.finish()
  }
}

extension StorageKey {
  /// Returns whether a copy omits the value: the change log, whose commits the copy never had, and
  /// unfinished imports.
  fileprivate func isOmitted(of pending: [UInt32]) -> Bool {
    switch kind {
    case .changeLog, .pendingLoad: return true
    case .liveRowBitmap, .chunk, .zones, .largeValue, .largeValueGroup:
      return pending.contains(group)
    case .runNodes, .runKeys, .runWords, .runPositions:
      return pending.contains { StorageKey.loadRun($0) == group }
    case .inventory: return inventoriedGroup?.isOmitted(of: pending) ?? false
    case .header, .schema, .state, .runEntries, .runTombstones, .counters, .schemaVersion:
      return false
    }
  }
}
