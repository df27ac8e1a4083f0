import CairnSystem

extension Snapshot {
  /// Writes the snapshot to a new file, without the free space of the old one.
  ///
  /// The file appears once it is complete and durable.
  ///
  /// - Throws: `.exists` if the file already exists.
  package func copy(to path: String) throws(StoreError) {
    let draft = try CopyDraft(for: path)
    try write(to: draft.path, naming: path)
    do {
      let copy = try Snapshot(EnvironmentHandle(alone: draft.path))
      guard copy.schema.tables == schema.tables, copy.catalog.states == catalog.states else {
        throw StoreError(
          .io, message: "the copy at \(path) cannot be read back; nothing was changed")
      }
    }
    try requireKept()
    try draft.publish(as: path)
    try makeDurable(folder(of: path))
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
    case .changeLog, .pendingLoad: true
    case .liveRowBitmap, .chunk, .zones, .largeValue: pending.contains(group)
    case .runNodes, .runKeys, .runWords, .runPositions:
      pending.contains { StorageKey.loadRun($0) == group }
    case .header, .schema, .state, .runEntries, .runTombstones, .counters, .schemaVersion: false
    }
  }
}
