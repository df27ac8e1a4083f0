#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

private let closeFile: @Sendable (Int32) -> Void = { _ = close($0) }

/// The lock that the writing process of a store holds: from the state that a transaction is begun on until that, and
/// what follows it, is committed.
///
/// LMDB's own writer lock belongs to a thread, and is let go of with every commit. This one belongs to the process, so a
/// transaction may be edited on top of one that is still on its way to the disk. The kernel drops it with the process.
final class FileTurn: @unchecked Sendable {
  // Sendable: the descriptor is fixed.
  private let descriptor: Int32
  private let process = getpid()
  /// The store as messages name it.
  private let store: String

  /// - Parameter path: LMDB's lock file. It is closed only after LMDB closed it: POSIX drops every lock that a process
  ///   holds on a file with the first descriptor of it that is closed.
  init(_ path: String, of store: String) throws(StoreError) {
    self.store = store
    descriptor = openFile(path, O_RDWR)
    guard descriptor >= 0 else {
      throw StoreError(.io, "cannot open \(path): \(errorText(errno))")
    }
  }

  /// To be called once, and nothing else after it.
  func close() { closeFile(descriptor) }

  /// Waits for the process that writes.
  func take() throws(StoreError) {
    if takeIfFree() { return }
    let descriptor = descriptor
    try LockWaits.report(
      store, .write, holder: { LockHolder.ofWholeFile(descriptor) },
      during: { () throws(StoreError) in try wait() })
  }

  private func wait() throws(StoreError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        throw StoreError(.locked, "cannot lock the store to write: \(errorText(errno))")
      }
    }
  }

  /// Takes the lock, unless another process writes.
  func takeIfFree() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Lets others write. In a child that was forked meanwhile the lock stays the parent's.
  func leave() { if getpid() == process { flock(descriptor, LOCK_UN) } }
}
