#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A Cairn store: one file.
package final class Store: Sendable {
  /// What the opener wants of the file.
  package enum Mode: Sendable {
    /// Read a store that exists.
    case readOnly
    /// Read and write a store that exists.
    case readWrite
    /// Read and write; make the store if there is none.
    case create
  }

  package let path: String
  package let isReadOnly: Bool
  let handle: EnvironmentHandle
  var environment: Environment { handle.environment }

  /// The path of the lock file.
  package var lockPath: String { environment.realPath + "-lock" }

  /// Whether the lock file could not be written: readers go unregistered then, so nobody should write meanwhile.
  package var isUnlocked: Bool { environment.isUnlocked }

  /// The version of the file format that this Cairn writes; `docs/format.md` lists them.
  package static let formatVersion: UInt32 = 1
  private static let mark: [UInt8] = Array("Cairn store\n".utf8)

  /// Opens the file, once it looks like a store.
  ///
  /// - Parameter untrusted: whether everything in it is checked first, as `verify` does, so that no damage can harm the
  ///   process; it takes as long as reading the whole file.
  package static func open(
    _ path: String, _ mode: Mode, untrusted: Bool = false
  ) throws(StoreError) -> Store {
    var finding = try FileCheck.inspect(path, heads: !untrusted)
    if finding == .ready { return try Store(path, mode, untrusted: untrusted) }
    guard mode == .create else { throw FileCheck.refusal(finding, path) }
    for _ in 0..<mostLooks where finding == .unfinished {
      if let sole = try SoleUse.ifFree(path) {
        try UnfinishedStore.clear(sole)
      } else {
        // Another process is making it, or was about to clear it.
        usleep(pause)
      }
      finding = try FileCheck.inspect(path, heads: !untrusted)
    }
    if finding == .unfinished {
      throw StoreError(.inUse, "\(path) is open in another process, which has not made it a store yet")
    }
    return try Store(path, mode, untrusted: false)
  }

  /// How often and after how many microseconds the process looks again at a file that another one makes a store of.
  private static let mostLooks = 500
  private static let pause: UInt32 = 2000

  /// Opens a store that is in no file: the one of that name while anyone in the process has it or a state of it, else
  /// a new one.
  package static func openInMemory(identifier: String) throws(StoreError) -> Store {
    try Store(inMemory: identifier)
  }

  private init(inMemory identifier: String) throws(StoreError) {
    path = identifier
    isReadOnly = false
    handle = try EnvironmentHandle(inMemory: identifier)
    try checkHeader(.create)
  }

  private init(_ path: String, _ mode: Mode, untrusted: Bool) throws(StoreError) {
    self.path = path
    isReadOnly = mode == .readOnly
    handle = try EnvironmentHandle(path: path, readOnly: mode == .readOnly)
    if untrusted { try Self.requireSound(handle, path) }
    try checkHeader(mode)
  }

  private func checkHeader(_ mode: Mode) throws(StoreError) {
    let transaction = try LMDBTransaction(reading: handle)
    guard transaction.get(.header) == nil else {
      return try Self.checkHeader(transaction, path: path)
    }
    try transaction.requireEmpty(path)
    guard mode == .create else { throw Self.foreign(path) }
    transaction.abort()
    return try writeHeader()
  }

  /// Throws unless the header is that of a store that this Cairn can read.
  static func checkHeader(_ transaction: LMDBTransaction, path: String) throws(StoreError) {
    guard let header = transaction.get(.header), header.count >= mark.count + 4,
      header.starts(with: mark)
    else { throw foreign(path) }
    let version = UInt32(
      littleEndian: header.loadUnaligned(fromByteOffset: mark.count, as: UInt32.self))
    guard version <= formatVersion else {
      throw StoreError(
        .newerVersion,
        "\(path) has format \(version), written by a newer Cairn; this one reads up to format \(formatVersion)"
      )
    }
  }

  private static func foreign(_ path: String) -> StoreError {
    StoreError(.notAStore, "\(path) is not a Cairn store")
  }

  private func writeHeader() throws(StoreError) {
    let environment = environment
    try environment.enterWriting()
    defer { environment.leaveWriting() }
    try environment.writer.run { () throws(StoreError) in
      let transaction = try LMDBTransaction(writing: handle)
      defer { transaction.abort() }
      guard transaction.get(.header) == nil else { return }
      var writer = ByteWriter()
      for byte in Self.mark { writer.write(byte) }
      writer.write(Self.formatVersion)
      try transaction.put(.header, writer.bytes)
      try transaction.commit()
    }
    // The file's name has to outlive the machine as well.
    if environment.isLasting { try makeDurable(folder(of: environment.realPath)) }
  }

  /// The store as the last commit left it.
  package func snapshot() throws(StoreError) -> Snapshot { try Snapshot(handle) }

  /// Begins to write: waits for the writer before, then edits over the state it left.
  package func beginWrite() throws(StoreError) -> WriteTransaction {
    guard !isReadOnly else {
      throw StoreError(.readOnly, "\(path) was opened for reading only")
    }
    return try WriteTransaction.waiting(handle)
  }

  /// Begins to write without blocking the caller: `body` gets the turn on any thread, once it has come.
  package func beginWrite(
    then body: @escaping @Sendable (Result<WriteTurn, StoreError>) -> Void
  ) {
    guard !isReadOnly else {
      return body(.failure(StoreError(.readOnly, "\(path) was opened for reading only")))
    }
    let handle = handle
    let environment = environment
    environment.writeGate.enter {
      guard !environment.commits.canEnter() else { return body(WriteTransaction.offered(handle)) }
      // It may be long until another process has written; the writer thread has to be free for commits.
      Threads.start { body(WriteTransaction.offered(handle)) }
    }
  }

  /// Runs `body` in a write transaction, and commits what it did; any error rolls everything back.
  package func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    let transaction = try beginWrite()
    do {
      let result = try body(transaction)
      try transaction.commit()
      return result
    } catch {
      transaction.rollback()
      throw error
    }
  }
}

extension LMDBTransaction {
  /// A file that LMDB made but that holds no header: ours only if nothing is in it yet.
  fileprivate func requireEmpty(_ path: String) throws(StoreError) {
    guard try entryCount() == 0 else {
      throw StoreError(.notAStore, "\(path) is not a Cairn store")
    }
  }
}
