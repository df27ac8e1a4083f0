#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Snapshot {
  /// Writes the state into a new file, without the room that is free in the old one.
  ///
  /// The file appears once it is whole and on the disk.
  ///
  /// - Throws: `.exists` where there is a file already.
  package func copy(to path: String) throws(StoreError) {
    let draft = try CopyDraft(for: path)
    try write(to: draft.path, naming: path)
    do {
      let copy = try Snapshot(EnvironmentHandle(alone: draft.path))
      guard copy.schema.tables == schema.tables, copy.catalog.states == catalog.states else {
        throw StoreError(.io, "the copy at \(path) cannot be read back; nothing was changed")
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
      guard !key.isLeftOut(of: pending) else { return true }
      do throws(StoreError) { try writer.put(key, value) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
    try writer.finish()
  }
}

extension StorageKey {
  /// Whether a copy does without the value: the journal, whose commits the copy never had, and imports that are not done.
  fileprivate func isLeftOut(of pending: [UInt32]) -> Bool {
    switch kind {
    case .journal, .pendingLoad: true
    case .liveness, .chunk, .zones: pending.contains(group)
    case .runNodes, .runKeys: pending.contains { BulkWriter.runID($0) == group }
    default: false
    }
  }
}
