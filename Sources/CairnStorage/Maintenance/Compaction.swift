import CairnSystem

/// The outcome of compacting a store.
package struct CompactionSummary: Sendable {
  /// The size of the file before, in bytes.
  package let before: Int
  /// The size of the file after, in bytes.
  package let after: Int
  /// The number of live objects.
  package let rows: Int
  /// The number of freed keys of deleted objects.
  package let freedKeys: Int
  /// Whether damaged indexes were repaired.
  package let repaired: Bool
}

extension Store {
  /// Rewrites a store: objects get new keys without gaps, along the Hilbert curve if they have a
  /// location, and links follow them. Every index becomes one run; damaged indexes are repaired.
  ///
  /// The new file is written beside the store, verified, and then replaces it atomically. Until
  /// then the store is unchanged.
  ///
  /// - Parameter seconds: The time that those who have the store open get to close it. Nobody opens
  ///   it meanwhile.
  /// - Throws: An error if the store is open then, if objects in it are damaged, if the disk is full,
  ///   if the file has hard links, or if the process cannot give the new file the owner of the old
  ///   one.
  package static func compact(
    _ path: String, waitingFor seconds: Double = 0
  ) throws(StoreError) -> CompactionSummary {
    try FileCheck.require(path, checksMetaPages: false)
    return try Compaction.alone(ExclusiveLock(path, waitingFor: seconds)).run()
  }

  /// Rewrites a store like `compact`, while others have it open: readers go on with the old file, and
  /// writers wait. Those who have the store open find that it was replaced when they write, and have
  /// to open it again.
  ///
  /// - Throws: As `compact`, but for a store that is open.
  package static func compactOnline(_ path: String) throws(StoreError) -> CompactionSummary {
    try FileCheck.require(path)
    let store = try Store.open(path, mode: .readWrite)
    let environment = store.environment
    // As a bulk load does, whose values in the old file would be lost.
    let load = try LoadLock(environment)
    try environment.acquireWriterLock()
    defer { environment.releaseWriterLock() }
    let seen = try LMDBTransaction(reading: store.handle).version
    _ = try environment.adoptUnseenCommit(after: seen)
    return try withExtendedLifetime(load) { () throws(StoreError) in
      try Compaction.online(store).run()
    }
  }
}

/// One rewrite of a store.
struct Compaction {
  /// The path of the store as messages name it.
  private let path: String
  private let realPath: String
  private let source: EnvironmentHandle
  /// Replaces the store by a file.
  private let replace: (String) throws(StoreError) -> Void
  /// The path of the file that will replace the store.
  private var temporary: String { Environment.draftPath(of: realPath) }

  /// A rewrite of a store that nobody has open.
  static func alone(_ exclusiveLock: ExclusiveLock) throws(StoreError) -> Compaction {
    let source = try Environment(
      path: exclusiveLock.path, readOnly: true, locks: false)
    return Compaction(
      path: exclusiveLock.path, realPath: exclusiveLock.realPath,
      source: EnvironmentHandle(owning: source)
    ) { (temporary) throws(StoreError) in try exclusiveLock.replace(with: temporary) }
  }

  /// A rewrite of a store that others may have open. The caller holds the writer lock.
  static func online(_ store: Store) throws(StoreError) -> Compaction {
    let environment = store.environment
    return Compaction(
      path: store.path, realPath: environment.realPath, source: store.handle
    ) { (temporary) throws(StoreError) in try environment.replaceFile(with: temporary) }
  }

  func run() throws(StoreError) -> CompactionSummary {
    guard access(path, W_OK) == 0 else {
      throw StoreError(.locked, message: "cannot write \(path): \(errorText(errno))")
    }
    try requireReplaceable()
    let before = Self.size(path)
    let report = try IntegrityCheck(source, path: path).run()
    if let first = report.findings.first(where: { $0.severity == .data }) {
      throw StoreError(
        .damaged,
        message: "\(path) is damaged: \(first); \(report.advice ?? ""); nothing was changed")
    }
    do throws(StoreError) {
      let draft = try makeDraft()
      let freed = try rewrite()
      let after = try Store.verify(temporary)
      guard after.isSound, after.rowCount == report.rowCount,
        after.classCount == report.classCount
      else {
        throw StoreError(
          .damaged,
          message: "the compacted file failed its check: "
            + "\(after.findings.first?.description ?? "objects are missing"); "
            + "\(path) was not changed"
        )
      }
      let size = Self.size(temporary)
      try replace(temporary)
      draft.forget()
      return CompactionSummary(
        before: before, after: size, rows: report.rowCount, freedKeys: freed,
        repaired: !report.isSound)
    } catch {
      throw error.kind == .diskFull ? diskFull("rewrote", store: path) : error
    }
  }

  /// Throws if the new file could not have the same names and owner as the old one.
  private func requireReplaceable() throws(StoreError) {
    let names = LockName.count(path)
    guard names == 1 else {
      throw StoreError(
        .locked,
        message: "\(path) has \(names) names (hard links), and compacting would separate them; "
          + "remove the others first, or compact a copy")
    }
    guard Permissions(of: path)?.canBeKept != false else { throw otherOwner }
  }

  private var otherOwner: StoreError {
    StoreError(
      .locked,
      message: "\(path) belongs to another user or group, and the compacted file would not; "
        + "its owner or root can compact it")
  }

  /// Returns whether the file may be rewritten without asking: it has one name and keeps its owner.
  static func canReplace(_ path: String) -> Bool {
    LockName.count(path) == 1 && Permissions(of: path)?.canBeKept != false
  }

  /// Makes the new file with the permissions of the store, so that nobody else can read it.
  private func makeDraft() throws(StoreError) -> CompactionDraft {
    let draft = try CompactionDraft(for: realPath, of: path)
    guard Permissions(of: path)?.give(to: draft.descriptor) != false else { throw otherOwner }
    return draft
  }

  /// Writes the new file and returns the number of freed keys.
  private func rewrite() throws(StoreError) -> Int {
    let target = EnvironmentHandle(
      owning: try Environment(path: temporary, readOnly: false, isLasting: false))
    let writer = CompactionWriter(target)
    defer { writer.abandon() }
    let reading = try LMDBTransaction(reading: source)
    defer { reading.abort() }
    let catalog = try Catalog(reading: reading)
    let tables = TableSet(
      catalog.schema.tables, states: catalog.states, transaction: reading, isWritable: false)
    defer { tables.close() }
    var maps: [UInt32: KeyMap] = [:]
    for index in tables.schemas.indices {
      maps[tables.schemas[index].id] = try KeyMap(tables.table(at: index))
    }
    try copyRecords(reading, writer: writer)
    var freed = 0
    for index in tables.schemas.indices {
      let table = tables.table(at: index)
      guard let map = maps[table.id] else { continue }
      freed += table.endKey - map.count
      var compaction = TableCompaction(table, map: map, maps: maps, writer: writer)
      try compaction.run()
    }
    try writer.commit()
    try target.environment.sync()
    return freed
  }

  /// Writes a header of the newest format, and copies the schemas, the counters and all other values
  /// without row keys.
  private func copyRecords(
    _ reading: LMDBTransaction, writer: CompactionWriter
  ) throws(StoreError) {
    try writer.put(.header, bytes: StoreHeader.bytes(Store.formatVersion))
    var keys: [StorageKey] = []
    try reading.scan(from: .header) { key, _ in
      if key.kind.outlivesCompaction { keys.append(key) }
      return true
    }
    for key in keys {
      guard let bytes = reading.get(key) else { continue }
      try writer.put(key, bytes: Array(bytes))
    }
  }

  private static func size(_ path: String) -> Int {
    var info = stat()
    return stat(path, &info) == 0 ? Int(info.st_size) : 0
  }
}

extension StorageKey.Kind {
  /// Whether values of the kind remain valid when keys change.
  fileprivate var outlivesCompaction: Bool {
    switch self {
    case .schema, .schemaVersion, .counters: true
    case .header, .state, .liveRowBitmap, .chunk, .zones, .runNodes, .runEntries, .runTombstones,
      .runKeys, .runWords, .runPositions, .changeLog, .pendingLoad, .largeValue,
      .largeValueGroup, .inventory:
      false
    }
  }
}

/// Writes the values of a compacted store in transactions of bounded size.
final class CompactionWriter {
  let handle: EnvironmentHandle
  private var open: LMDBTransaction?
  private var written = 0

  /// The number of bytes after which a transaction commits.
  private static let transactionSize = 64 << 20

  init(_ handle: EnvironmentHandle) { self.handle = handle }

  /// Runs `body` in a write transaction on the writer thread.
  func write<R>(
    bytes: Int = 0, _ body: (LMDBTransaction) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try handle.environment.writer.run { () throws(StoreError) -> R in
      if open == nil { open = try LMDBTransaction(writing: handle) }
      guard let open else { throw StoreError(.misuse, message: "the transaction has ended") }
      let result = try body(open)
      written += bytes
      if written > Self.transactionSize { try commitOpen() }
      return result
    }
  }

  /// Writes one value.
  func put(_ key: StorageKey, bytes: [UInt8]) throws(StoreError) {
    try write(bytes: bytes.count) { lmdb throws(StoreError) in try lmdb.put(key, bytes: bytes) }
  }

  /// Writes one value.
  func put(_ key: StorageKey, value: UnsafeRawBufferPointer) throws(StoreError) {
    try write(bytes: value.count) { lmdb throws(StoreError) in try lmdb.put(key, value: value) }
  }

  /// Commits the open transaction.
  func commit() throws(StoreError) {
    try handle.environment.writer.run { () throws(StoreError) in try commitOpen() }
  }

  private func commitOpen() throws(StoreError) {
    guard let lmdb = open else { return }
    open = nil
    written = 0
    try lmdb.commit()
  }

  /// Discards uncommitted writes.
  func abandon() {
    handle.environment.writer.run { open?.abort() }
    open = nil
  }
}
