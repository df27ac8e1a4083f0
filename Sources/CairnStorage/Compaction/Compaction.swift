#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What compacting a store did.
package struct CompactionSummary: Sendable {
  /// Bytes of the file before.
  package let before: Int
  /// Bytes of the file now.
  package let after: Int
  /// Objects that live.
  package let rows: Int
  /// Keys of deleted objects that are free again.
  package let freedKeys: Int
  /// Whether indexes were damaged, and are whole now.
  package let repaired: Bool
}

extension Store {
  /// Rewrites a store: objects get new keys without gaps, along the Hilbert curve where they have a location; links
  /// follow them; every index becomes one run. Damaged indexes come out whole.
  ///
  /// The file is written beside the store, checked, and put in its place at once; until then nothing is changed.
  ///
  /// - Throws: that somebody has the store open, that objects in it are damaged, that there is no room, that the file has
  ///   other names, or that the process cannot give the new file the owner of the old one.
  package static func compact(_ path: String) throws(StoreError) -> CompactionSummary {
    try FileCheck.require(path, heads: false)
    return try Compaction(SoleUse(path)).run()
  }
}

/// One rewriting of a store.
struct Compaction {
  private let sole: SoleUse
  private let path: String
  /// The file that will take the store's place; one that a killed process left behind is written over.
  private let temporary: String

  init(_ sole: SoleUse) {
    self.sole = sole
    path = sole.path
    temporary = sole.realPath + ".compacting"
  }

  func run() throws(StoreError) -> CompactionSummary {
    guard access(path, W_OK) == 0 else {
      throw StoreError(.locked, "cannot write \(path): \(errorText(errno))")
    }
    try requireReplaceable()
    let before = Self.size(path)
    let source = EnvironmentHandle(
      owning: try Environment(path: path, readOnly: true, identity: nil, locks: false))
    let report = try IntegrityCheck(source, path: path).run()
    if let first = report.findings.first(where: { $0.harm == .data }) {
      throw StoreError(
        .damaged, "\(path) is damaged: \(first); \(report.advice ?? ""); nothing was changed")
    }
    do throws(StoreError) {
      let freed = try rewrite(source)
      let after = try Store.verify(temporary)
      guard after.isSound, after.rowCount == report.rowCount,
        after.classCount == report.classCount
      else {
        throw StoreError(
          .damaged,
          "the compacted file is not what it should be: \(after.findings.first?.description ?? "objects are missing"); \(path) was not changed"
        )
      }
      let size = Self.size(temporary)
      try sole.replace(with: temporary)
      forgetTemporary()
      return CompactionSummary(
        before: before, after: size, rows: report.rowCount, freedKeys: freed,
        repaired: !report.isSound)
    } catch {
      unlink(temporary)
      unlink(temporary + "-lock")
      forgetTemporary()
      throw error.kind == .diskFull ? diskFull("rewrote", path) : error
    }
  }

  /// Throws where the new file would not be to everyone what the old one is.
  private func requireReplaceable() throws(StoreError) {
    let names = LockName.count(path)
    guard names == 1 else {
      throw StoreError(
        .locked,
        "\(path) has \(names) names (hard links), and compacting would part them; "
          + "remove the others first, or compact a copy")
    }
    guard Permissions(of: path)?.canBeKept != false else { throw otherOwner }
  }

  private var otherOwner: StoreError {
    StoreError(
      .locked,
      "\(path) belongs to another user or group, and the compacted file would not; "
        + "its owner or root can compact it")
  }

  /// Whether the file may be rewritten without asking anyone: it has one name, and keeps its owner.
  static func canReplace(_ path: String) -> Bool {
    LockName.count(path) == 1 && Permissions(of: path)?.canBeKept != false
  }

  private func forgetTemporary() {
    TemporaryFiles.forget(temporary)
    TemporaryFiles.forget(temporary + "-lock")
  }

  /// Writes the new file; gives how many keys are free again.
  private func rewrite(_ source: EnvironmentHandle) throws(StoreError) -> Int {
    try makeTemporary()
    let target = EnvironmentHandle(
      owning: try Environment(path: temporary, readOnly: false, identity: nil, isLasting: false))
    let writer = CompactionWriter(target)
    defer { writer.abandon() }
    let reading = try LMDBTransaction(reading: source)
    defer { reading.abort() }
    let catalog = try Catalog(reading: reading)
    let tables = TableSet(catalog.schema.tables, catalog.states, reading, isWritable: false)
    defer { tables.close() }
    var maps: [UInt32: KeyMap] = [:]
    for place in tables.schemas.indices {
      maps[tables.schemas[place].id] = try KeyMap(tables.table(at: place))
    }
    try copyRecords(reading, writer)
    var freed = 0
    for place in tables.schemas.indices {
      let table = tables.table(at: place)
      guard let map = maps[table.id] else { continue }
      freed += table.endKey - map.count
      var compaction = TableCompaction(table, map, maps, writer)
      try compaction.run()
    }
    try writer.commit()
    try target.environment.sync()
    return freed
  }

  /// Makes the new file, for nobody's eyes but those that may see the store.
  private func makeTemporary() throws(StoreError) {
    unlink(temporary)
    TemporaryFiles.note(temporary)
    TemporaryFiles.note(temporary + "-lock")
    let file = openFile(temporary, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard file >= 0 else {
      throw writeFailure(errno, path)
        ?? StoreError(.io, "cannot make \(temporary): \(errorText(errno))")
    }
    defer { close(file) }
    guard Permissions(of: path)?.give(to: file) != false else { throw otherOwner }
  }

  /// Schemas, counters and whatever else does not speak of keys.
  private func copyRecords(
    _ reading: LMDBTransaction, _ writer: CompactionWriter
  ) throws(StoreError) {
    var keys: [StorageKey] = []
    try reading.scan(from: .header) { key, _ in
      if key.kind.outlivesCompaction { keys.append(key) }
      return true
    }
    for key in keys {
      guard let bytes = reading.get(key) else { continue }
      try writer.put(key, Array(bytes))
    }
  }

  private static func size(_ path: String) -> Int {
    var info = stat()
    return stat(path, &info) == 0 ? Int(info.st_size) : 0
  }
}

extension StorageKey.Kind {
  /// Whether values of the kind stay as they are when keys change.
  fileprivate var outlivesCompaction: Bool {
    switch self {
    case .header, .schema, .schemaVersion, .counters: true
    case .state, .liveness, .chunk, .zones, .runNodes, .runPoints, .runDead, .runKeys, .journal,
      .pendingLoad:
      false
    }
  }
}
