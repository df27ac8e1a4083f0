import CairnSystem
import CairnValues

/// A Cairn store in one file, or in memory.
package final class Store: Sendable {
  /// The access that the opener asks for.
  package enum Mode: Sendable {
    /// Reads an existing store.
    case readOnly
    /// Reads and writes an existing store.
    case readWrite
    /// Reads and writes; makes the store if the file does not exist.
    case create
  }

  /// The path that the store was opened with, or the identifier of a store in memory.
  package let path: String
  /// Whether the store was opened for reading only.
  package let isReadOnly: Bool
  let handle: EnvironmentHandle
  var environment: Environment { handle.environment }

  /// Whether the store lives in memory only.
  package var isInMemory: Bool { !environment.isLasting }

  /// The path of the lock file.
  package var lockPath: String { environment.realPath + "-lock" }

  /// Whether the lock file could not be written. Readers are then unregistered, so no process
  /// should write in the meantime.
  package var isUnlocked: Bool { environment.isUnlocked }

  /// The latest version of the file format that this Cairn reads; `docs/format.md` lists them.
  package static let formatVersion: UInt32 = largeValueFormat
  /// The first version with the positions of words in full-text indexes.
  static let positionsFormat: UInt32 = 4
  /// The first version in which texts, data, collections and mixed values may lie outside of their
  /// chunks.
  static let largeValueFormat: UInt32 = 6
  /// The version of a store with a full-text index.
  static let fullTextFormat: UInt32 = 3
  /// The version of a store with geometries.
  static let geometryFormat: UInt32 = 2

  /// A check of an open file, given its path.
  typealias Check = (EnvironmentHandle, String) throws(StoreError) -> Void

  /// Opens a store after a first look at the file.
  ///
  /// - Parameter check: A check of the whole file, to run before anything in it is trusted.
  static func open(
    _ path: String, mode: Mode, check: Check?
  ) throws(StoreError) -> Store {
    var finding = try FileCheck.inspect(path, checksMetaPages: check == nil)
    if finding == .ready { return try Store(path, mode: mode, check: check) }
    guard mode == .create else { throw FileCheck.error(for: finding, path: path) }
    for _ in 0..<maxLooks where finding == .unfinished {
      if let exclusiveLock = try ExclusiveLock.ifFree(path) {
        try UnfinishedStore.clear(exclusiveLock)
      } else {
        // Another process is making the store, or was about to clear the file.
        usleep(pause)
      }
      finding = try FileCheck.inspect(path, checksMetaPages: check == nil)
    }
    if finding == .unfinished {
      throw StoreError(
        .inUse, message: "\(path) is open in another process that has not made it a store yet")
    }
    return try Store(path, mode: mode, check: nil)
  }

  /// The number of looks at a file that another process is making into a store, and the pause
  /// between two looks in microseconds.
  private static let maxLooks = 500
  private static let pause: UInt32 = 2000

  /// Opens a store in memory: the existing one of that name while any part of the process holds it
  /// or one of its snapshots, otherwise a new one.
  package static func openInMemory(identifier: String) throws(StoreError) -> Store {
    try Store(inMemory: identifier)
  }

  private init(inMemory identifier: String) throws(StoreError) {
    path = identifier
    isReadOnly = false
    handle = try EnvironmentHandle(inMemory: identifier)
    try checkHeader(.create)
  }

  private init(_ path: String, mode: Mode, check: Check?) throws(StoreError) {
    self.path = path
    isReadOnly = mode == .readOnly
    handle = try EnvironmentHandle(path: path, readOnly: mode == .readOnly)
    try check?(handle, path)
    try checkHeader(mode)
  }

  private func checkHeader(_ mode: Mode) throws(StoreError) {
    let transaction = try LMDBTransaction(reading: handle)
    guard transaction.get(.header) == nil else {
      return try Self.checkHeader(transaction, path: path)
    }
    let count = try transaction.entryCount()
    guard mode == .create, count == 0 else {
      return try Self.checkHeader(transaction, path: path)
    }
    transaction.abort()
    return try writeHeader()
  }

  /// Throws unless the header belongs to a store that this Cairn can read.
  static func checkHeader(_ transaction: LMDBTransaction, path: String) throws(StoreError) {
    guard let version = transaction.get(.header).flatMap(StoreHeader.version) else {
      // LMDB makes a file before the first commit writes the header.
      let count = try transaction.entryCount()
      let isNew = count == 0 && transaction.version == 0
      throw isNew ? FileCheck.error(for: .unfinished, path: path) : foreign(path)
    }
    guard version <= formatVersion else {
      throw StoreError(
        .newerVersion,
        message: "\(path) has format \(version), written by a newer Cairn; "
          + "this one reads up to format \(formatVersion)"
      )
    }
  }

  private static func foreign(_ path: String) -> StoreError {
    StoreError(.notAStore, message: "\(path) is not a Cairn store")
  }

  private func writeHeader() throws(StoreError) {
    let environment = environment
    try environment.acquireWriterLock()
    defer { environment.releaseWriterLock() }
    try environment.writer.run { () throws(StoreError) in
      let transaction = try LMDBTransaction(writing: handle)
      defer { transaction.abort() }
      guard transaction.get(.header) == nil else { return }
      try transaction.put(.header, bytes: StoreHeader.bytes(Self.formatVersion))
      try transaction.commit()
    }
    // The directory entry has to survive a power failure as well.
    if environment.isLasting { try makeDurable(folder(of: environment.realPath)) }
  }

  /// Raises the version in the header, so that earlier versions that cannot maintain its indexes refuse
  /// it.
  static func raiseFormat(to wanted: UInt32, in lmdb: some KeyValues) throws(StoreError) {
    guard let version = lmdb.get(.header).flatMap(StoreHeader.version), version < wanted else {
      return
    }
    try lmdb.put(.header, bytes: StoreHeader.bytes(wanted))
  }

  /// Returns a snapshot of the last commit.
  package func snapshot() throws(StoreError) -> Snapshot { try Snapshot(handle) }
}

extension TableSchema {
  /// The version of the store that keeps earlier Cairns from changing the class.
  var requiredFormat: UInt32 {
    if properties.contains(where: \.isFullText) { return Store.fullTextFormat }
    return properties.contains { $0.type.isGeometry } ? Store.geometryFormat : 1
  }
}

extension LargeValueRule {
  /// The version of the store in which such values exist.
  var requiredFormat: UInt32 { isGeometry ? Store.geometryFormat : Store.largeValueFormat }
}
