import CLMDB
import CairnSystem

/// The number of the last commit, as the lock file and the meta pages of a file that was just opened
/// tell it.
///
/// Readers and writers take it from the lock file, where it must not be behind: they would read an
/// older commit, and write over the newer ones.
struct LastCommit {
  private let environment: OpaquePointer
  private let file: LockFile
  private let path: String

  /// The number of looks at a number that is behind, and the microseconds between two of them.
  private static let looks = 2000
  private static let pause: UInt32 = 1000

  init(_ environment: OpaquePointer, file: LockFile, path: String) {
    self.environment = environment
    self.file = file
    self.path = path
  }

  /// Throws unless the lock file knows the last commit. If it does not, because a process died that
  /// was opening the store, the number is set before anybody reads or writes.
  ///
  /// The caller holds the opening lock.
  func requireKnown() throws(StoreError) {
    for look in 0..<Self.looks {
      if look > 0 { usleep(Self.pause) }
      guard let seen else { return }
      if isPlausible(seen) { return }
      guard file.tryWriterLock() else { continue }
      defer { file.releaseWriterLock() }
      if try repair() { return }
    }
    throw StoreError(
      .locked,
      message: "\(path) is open in another process, and its lock file \(file.path) belongs to "
        + "another state of it; close the store everywhere, then open it again")
  }

  /// Whether the number of the lock file may be right. A writer raises it after it wrote the meta
  /// page, so it may be one behind, but not with the first commit of a lock file.
  private func isPlausible(_ seen: UInt64) -> Bool {
    seen == written || seen > 0 && seen &+ 1 == written
  }

  /// Sets the number, while nobody writes. Returns whether the number is right then.
  private func repair() throws(StoreError) -> Bool {
    guard let seen, !isPlausible(seen) else { return true }
    guard seen < written else { return false }
    return LockTable(file).setVersion(written, known: seen)
  }

  /// The number that a new reader takes from the lock file, or nil if none can begin.
  private var seen: UInt64? {
    var transaction: OpaquePointer?
    guard mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction) == 0, let transaction
    else { return nil }
    defer { mdb_txn_abort(transaction) }
    return Environment.version(of: transaction)
  }

  /// The number of the newer meta page.
  private var written: UInt64 {
    var information = MDB_envinfo()
    mdb_env_info(environment, &information)
    return UInt64(bitPattern: Int64(information.me_last_txnid))
  }
}
