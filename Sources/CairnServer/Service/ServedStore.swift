import CairnStorage
import CairnSystem

/// The store that a service reads. If another file replaces the one at the path, the service opens
/// the new file; what is still read from the old one keeps that open.
final class ServedStore: Sendable {
  /// An open file.
  struct File: Sendable {
    let store: Store
    /// The number of files that the service had opened before. Numbers of the file system may come
    /// again.
    let opening: Int
  }

  /// A state of the store, to which cursors and entity tags refer.
  struct State {
    let snapshot: Snapshot
    private let opened: File

    fileprivate init(_ opened: File) throws(StoreError) {
      self.opened = opened
      snapshot = try opened.store.snapshot()
    }

    var store: Store { opened.store }
    /// The number of the file in its file system, which outlives the service.
    var file: UInt64 { opened.store.file.inode }
    /// The number of the file among those that the service has opened.
    var opening: Int { opened.opening }
  }

  /// The path of the store.
  let path: String
  private let held: Mutex<Held>
  private let untrusted: Bool
  private let isWritable: Bool

  /// The file that was opened last, and the reason why the file at the path could not be opened.
  private struct Held {
    var file: File
    var failure: Failure?
  }

  /// A file that could not be opened.
  private struct Failure {
    let error: StoreError
    let file: FileIdentity
    /// The time of the attempt in milliseconds.
    let time: Int
  }

  /// The milliseconds between two attempts to open a file that cannot be opened.
  private static let retryInterval = 500

  init(_ path: String, untrusted: Bool, isWritable: Bool) throws(StoreError) {
    self.path = path
    self.untrusted = untrusted
    self.isWritable = isWritable
    let store = try Self.open(path, untrusted: untrusted, isWritable: isWritable)
    held = Mutex(Held(file: File(store: store, opening: 0)))
  }

  private static func open(
    _ path: String, untrusted: Bool, isWritable: Bool
  ) throws(StoreError) -> Store {
    try Store.open(path, mode: isWritable ? .readWrite : .readOnly, untrusted: untrusted)
  }

  /// Whether another file has replaced a file that the service has opened. A file that was deleted is
  /// not replaced yet: clients that follow its changes wait for the next one.
  func isReplaced(_ file: FileIdentity) -> Bool {
    FileIdentity(path: path).map { $0 != file } ?? false
  }

  /// Returns the state after the last commit.
  ///
  /// - Throws: An error if the file was deleted, or if another file has replaced it that cannot be
  ///   opened.
  func state() throws(StoreError) -> State { try State(file()) }

  /// Returns the store at the path.
  ///
  /// - Throws: An error as ``state()`` does.
  func store() throws(StoreError) -> Store { try file().store }

  private func file() throws(StoreError) -> File {
    try held.withLock { (held) throws(StoreError) in try current(&held) }
  }

  /// The file at the path, which is opened if it is another one than before.
  private func current(_ held: inout Held) throws(StoreError) -> File {
    guard let found = FileIdentity(path: path) else {
      // The path may be out of reach for another reason, and the file still there.
      guard errno == ENOENT || errno == ENOTDIR else { return held.file }
      throw StoreError(
        .replaced,
        message: "\(path) was deleted while it was served; "
          + "the service continues with the next store that is moved there")
    }
    if found == held.file.store.file { return held.file }
    if let failure = held.failure, failure.file == found,
      MonotonicClock.milliseconds - failure.time <= Self.retryInterval
    {
      // Not every request tries again while a bad file is there.
      throw failure.error
    }
    do throws(StoreError) {
      let store = try Self.open(path, untrusted: untrusted, isWritable: isWritable)
      held = Held(file: File(store: store, opening: held.file.opening + 1))
      return held.file
    } catch {
      held.failure = Failure(error: error, file: found, time: MonotonicClock.milliseconds)
      throw error
    }
  }
}
