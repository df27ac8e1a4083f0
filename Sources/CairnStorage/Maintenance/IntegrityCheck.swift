import CairnSystem

/// Checks everything in a store: the pages of the file, then their contents.
///
/// Nothing that LMDB or the rest of Cairn would trust is used before it was checked, so a damaged
/// file leads to a finding and never ends the process.
struct IntegrityCheck {
  private let handle: EnvironmentHandle
  private let path: String
  private let threads: Int?
  private let begin: (EnvironmentHandle) throws(StoreError) -> LMDBTransaction
  private let log = IntegrityLog()

  /// The number of readers to begin, while other processes commit twice between the beginning of
  /// each and the look at its meta page.
  private static let maxReaders = 1000

  /// - Parameters:
  ///   - threads: the number of threads that check classes; nil to choose it by their size.
  ///   - begin: begins a reader of the newest commit.
  init(
    _ handle: EnvironmentHandle, path: String, threads: Int? = nil,
    begin: @escaping (EnvironmentHandle) throws(StoreError) -> LMDBTransaction = {
      (handle) throws(StoreError) in try LMDBTransaction(reading: handle)
    }
  ) {
    self.handle = handle
    self.path = path
    self.threads = threads
    self.begin = begin
  }

  /// - Throws: if the file is not a store, was written by a newer Cairn, or cannot be read. Damage
  ///   is in the report.
  func run() throws(StoreError) -> IntegrityReport {
    let transaction = try checkedTransaction()
    defer { transaction?.abort() }
    guard let transaction else {
      try handle.environment.requireKept(log.report.version)
      return log.report
    }
    try Store.checkHeader(transaction, path: path)
    let inventory = try KeyInventoryCheck(transaction, log: log)
    let tables = TableSet(
      inventory.schemas, states: inventory.states, transaction: transaction, isWritable: false)
    defer { tables.close() }
    let check = ClassesCheck(
      tables, areChunksKeyed: inventory.isInventoried, threads: threads)
    log.report.add(check.run())
    log.report.classCount = tables.schemas.count
    log.report.rowCount = tables.schemas.indices.reduce(0) { $0 + tables.table(at: $1).liveCount }
    try transaction.requireKept()
    return log.report
  }

  /// A reader of a commit whose pages are sound, or nil if they are damaged.
  private func checkedTransaction() throws(StoreError) -> LMDBTransaction? {
    let file = openFile(path, flags: O_RDONLY)
    guard file >= 0 else {
      throw StoreError(.io, message: "cannot open \(path): \(errorText(errno))")
    }
    defer { close(file) }
    for _ in 0..<Self.maxReaders {
      let transaction = try begin(handle)
      log.report.version = transaction.version
      do throws(PageFault) {
        if let meta = try meta(file, of: transaction.version) {
          try walk(file, meta: meta)
          return transaction
        }
        transaction.abort()
      } catch {
        transaction.abort()
        log.note(.data, message: "the pages of the file contradict each other: \(error.message)")
        return nil
      }
    }
    throw StoreError(
      .locked, message: "\(path) changes too often to be checked; try again when it changes less")
  }

  private func walk(_ file: Int32, meta: PageMeta) throws(PageFault) {
    var info = stat()
    guard fstat(file, &info) == 0 else { throw PageFault(errorText(errno)) }
    var walk = try PageWalk(file: file, meta: meta, size: Int(info.st_size))
    try walk.run()
    try checkOrder(walk, size: Int(info.st_size))
    log.report.pageSize = meta.pageSize
    log.report.usedPages = walk.usedPages
    log.report.freePages = walk.freePages
    log.report.lostPages = walk.lostPages
  }

  /// Checks that the reader's commit is really the later of the two that the meta pages name: one
  /// changed bit in a number makes the commit before look like the last.
  private func checkOrder(_ walk: PageWalk, size: Int) throws(PageFault) {
    guard let older = older(than: walk.meta, in: walk.file) else { return }
    var before = try PageWalk(file: walk.file, meta: older, size: size)
    let result = Result { () throws(PageFault) in
      try before.runFreePages()
      try walk.requireLater(than: before)
    }
    // If somebody commits meanwhile, the pages of the older commit may be written.
    if self.older(than: walk.meta, in: walk.file) != nil { try result.get() }
  }

  /// The meta page of the commit before; nil if later commits have replaced it.
  private func older(than meta: PageMeta, in file: Int32) -> PageMeta? {
    PageMeta.pair(file)?.first { $0.version &+ 1 == meta.version && $0.version > 0 }
  }

  /// The meta page of a reader's commit, after both were compared with each other, or nil if two
  /// later commits have replaced it since the reader began. The reader keeps its other pages.
  private func meta(_ file: Int32, of version: UInt64) throws(PageFault) -> PageMeta? {
    guard let pair = PageMeta.pair(file) else {
      throw PageFault("its two meta pages contradict each other")
    }
    if let meta = pair.first(where: { $0.version == version }) { return meta }
    guard pair.allSatisfy({ $0.version > version }) else {
      throw PageFault("neither of its two meta pages belongs to commit \(version)")
    }
    return nil
  }
}

extension Store {
  /// Opens a store after a first look at the file.
  ///
  /// - Parameter untrusted: Whether to check the whole file first, as `verify` does, so that damage
  ///   cannot harm the process. The check takes as long as reading the whole file.
  package static func open(
    _ path: String, mode: Mode, untrusted: Bool = false
  ) throws(StoreError) -> Store {
    guard untrusted else { return try open(path, mode: mode, check: nil) }
    return try open(path, mode: mode) { (handle, path) throws(StoreError) in
      try requireSound(handle, path: path)
    }
  }

  /// Checks everything in a store with all processors, and changes nothing.
  ///
  /// - Parameter threads: the number of threads, which does not change the report; nil to choose it by
  ///   the size of the store.
  /// - Throws: if the store does not exist, is truncated, was written by a newer Cairn, or cannot
  ///   be read. Damage is in the report.
  package static func verify(
    _ path: String, threads: Int? = nil
  ) throws(StoreError) -> IntegrityReport {
    try FileCheck.require(path, checksMetaPages: false)
    let handle = try EnvironmentHandle(path: path, readOnly: true)
    return try IntegrityCheck(handle, path: path, threads: threads).run()
  }

  /// Throws if any damage could cause wrong answers or end the process.
  static func requireSound(_ handle: EnvironmentHandle, path: String) throws(StoreError) {
    let report = try IntegrityCheck(handle, path: path).run()
    guard let first = report.gravest else { return }
    let advice = report.advice.map { "; \($0)" } ?? ""
    throw StoreError(.damaged, message: "\(path) is damaged: \(first)\(advice)")
  }
}
