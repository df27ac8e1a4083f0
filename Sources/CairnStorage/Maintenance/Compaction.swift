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
  /// - Throws: An error if the store is open, if objects in it are damaged, if the disk is full, if
  ///   the file has hard links, or if the process cannot give the new file the owner of the old
  ///   one.
  package static func compact(_ path: String) throws(StoreError) -> CompactionSummary {
    try FileCheck.require(path, checksMetaPages: false)
    return try Compaction(ExclusiveLock(path)).run()
  }
}

/// One rewrite of a store.
struct Compaction {
  private let exclusiveLock: ExclusiveLock
  private let path: String
  /// The file that will replace the store. A leftover of a killed process is overwritten.
  private let temporary: String

  init(_ exclusiveLock: ExclusiveLock) {
    self.exclusiveLock = exclusiveLock
    path = exclusiveLock.path
    temporary = exclusiveLock.realPath + ".compacting"
  }

  func run() throws(StoreError) -> CompactionSummary {
    guard access(path, W_OK) == 0 else {
      throw StoreError(.locked, message: "cannot write \(path): \(errorText(errno))")
    }
    try requireReplaceable()
    let before = Self.size(path)
    let source = EnvironmentHandle(
      owning: try Environment(path: path, readOnly: true, locks: false))
    let report = try IntegrityCheck(source, path: path).run()
    if let first = report.findings.first(where: { $0.severity == .data }) {
      throw StoreError(
        .damaged,
        message: "\(path) is damaged: \(first); \(report.advice ?? ""); nothing was changed")
    }
    do throws(StoreError) {
      let freed = try rewrite(source)
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
      try exclusiveLock.replace(with: temporary)
      forgetTemporary()
      return CompactionSummary(
        before: before, after: size, rows: report.rowCount, freedKeys: freed,
        repaired: !report.isSound)
    } catch {
      unlink(temporary)
      unlink(temporary + "-lock")
      forgetTemporary()
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

  private func forgetTemporary() {
    TemporaryFiles.forget(temporary)
    TemporaryFiles.forget(temporary + "-lock")
  }

  /// Writes the new file and returns the number of freed keys.
  private func rewrite(_ source: EnvironmentHandle) throws(StoreError) -> Int {
    try makeTemporary()
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

  /// Makes the new file with the permissions of the store, so that nobody else can read it.
  private func makeTemporary() throws(StoreError) {
    unlink(temporary)
    TemporaryFiles.note(temporary)
    TemporaryFiles.note(temporary + "-lock")
    let file = openFile(temporary, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard file >= 0 else {
      throw writeFailure(errno, path: path)
        ?? StoreError(.io, message: "cannot make \(temporary): \(errorText(errno))")
    }
    defer { close(file) }
    guard Permissions(of: path)?.give(to: file) != false else { throw otherOwner }
  }

  /// Copies the schemas, the counters and all other values without row keys.
  private func copyRecords(
    _ reading: LMDBTransaction, writer: CompactionWriter
  ) throws(StoreError) {
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
    case .header, .schema, .schemaVersion, .counters: true
    case .state, .liveRowBitmap, .chunk, .zones, .runNodes, .runEntries, .runTombstones, .runKeys,
      .runWords, .runPositions, .changeLog, .pendingLoad, .largeValue:
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
