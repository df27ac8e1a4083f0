#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Checks everything in a store: the pages of the file, then what they hold.
///
/// Nothing that LMDB or the rest of Cairn would trust is used before it was looked at, so a damaged file is a finding and
/// never the end of the process.
struct IntegrityCheck {
  private let handle: EnvironmentHandle
  private let path: String
  private let log = IntegrityLog()

  init(_ handle: EnvironmentHandle, path: String) {
    self.handle = handle
    self.path = path
  }

  /// - Throws: that the file is no store, is one of a newer Cairn, or cannot be read; damage is in the report.
  func run() throws(StoreError) -> IntegrityReport {
    let transaction = try checkedTransaction()
    defer { transaction?.abort() }
    guard let transaction else {
      try handle.environment.requireKept(log.report.version)
      return log.report
    }
    try Store.checkHeader(transaction, path: path)
    let census = try KeyCensus(transaction, log)
    let tables = TableSet(
      census.schemas, census.states, transaction, isWritable: false)
    defer { tables.close() }
    let checks = census.schemas.indices.map { TableCheck(tables.table(at: $0), log) }
    for check in checks { check.checkRows() }
    for check in checks { check.checkReferences(among: checks) }
    for check in checks { check.checkIndexes() }
    log.report.classCount = checks.count
    log.report.rowCount = checks.reduce(0) { $0 + $1.table.liveCount }
    try transaction.requireKept()
    return log.report
  }

  /// A reader of a commit whose pages are sound; nil when they are not.
  private func checkedTransaction() throws(StoreError) -> LMDBTransaction? {
    let file = openFile(path, O_RDONLY)
    guard file >= 0 else {
      throw StoreError(.io, "cannot open \(path): \(errorText(errno))")
    }
    defer { close(file) }
    let transaction = try LMDBTransaction(reading: handle)
    log.report.version = transaction.version
    do throws(PageFault) {
      try walk(file, transaction.version)
      return transaction
    } catch {
      transaction.abort()
      log.note(.data, "the pages of the file contradict one another: \(error.message)")
      return nil
    }
  }

  private func walk(_ file: Int32, _ version: UInt64) throws(PageFault) {
    guard let meta = try meta(file, of: version) else {
      throw PageFault("neither of its two heads is that of commit \(version)")
    }
    var info = stat()
    guard fstat(file, &info) == 0 else { throw PageFault(errorText(errno)) }
    var walk = try PageWalk(file: file, meta: meta, size: Int(info.st_size))
    try walk.run()
    log.report.pageSize = meta.pageSize
    log.report.usedPages = walk.usedPages
    log.report.freePages = walk.freePages
    log.report.lostPages = walk.lostPages
  }

  /// The meta page of a commit, once both have been held against each other. As a reader holds the commit its meta page
  /// stays for one commit more.
  private func meta(_ file: Int32, of version: UInt64) throws(PageFault) -> PageMeta? {
    guard let pair = PageMeta.pair(file) else {
      throw PageFault("its two heads do not fit together")
    }
    return pair.first { $0.version == version && $0.pageNumber == version & 1 }
      ?? (version == 0 ? pair[0] : nil)
  }
}
