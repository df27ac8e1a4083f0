import CairnSystem

/// LMDB's lock file of a store, as this process has it open.
///
/// The process has one descriptor of its own in addition to LMDB's, and closes it after LMDB has closed
/// the file: POSIX drops every lock that a process holds on a file with the first of its descriptors
/// that is closed.
///
/// LMDB's first opener initializes the file under an exclusive lock on its first byte, and sets the
/// number of the last commit to 0 meanwhile. If it dies then, LMDB in a process that was waiting for
/// that lock takes the file for an initialized one, and goes back to an older commit. So opening is
/// serialized by a lock of Cairn's own, the **opening lock**, and a process only shares the first byte
/// with processes that have finished opening: `claim` takes it exclusively or finds it shared, and
/// never waits inside of LMDB.
final class LockFile {
  /// The path of the lock file.
  let path: String
  /// The path of the store as messages name it.
  private let store: String
  let descriptor: Int32
  let identity: FileIdentity
  private var isClosed = false

  private static let firstByte: Range<Int64> = 0..<1
  /// The byte of the opening lock, far past the end of the file.
  private static let openingByte: Range<Int64> = 1 << 62..<1 << 62 + 1
  /// The bytes of the marks of the stores that the file is used for, by inode.
  private static let marks: Range<Int64> = 1 << 61..<1 << 62
  /// The microseconds between two looks at the first byte.
  private static let pause: UInt32 = 1000

  /// Opens the lock file of a store, and creates it as LMDB would. Its permissions follow those of
  /// the store; otherwise a reader with another user could keep the owner from writing.
  ///
  /// - Parameter code: receives the error number if the file cannot be opened.
  init?(_ realPath: String, of store: String, code: inout Int32) {
    path = realPath + "-lock"
    self.store = store
    var file = openFile(path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o644)
    if file >= 0 {
      Permissions(of: realPath)?.give(to: file, atLeast: 0o600)
    } else if errno == EEXIST {
      file = openFile(path, flags: O_RDWR)
    }
    guard file >= 0, let identity = FileIdentity(descriptor: file) else {
      code = errno
      if file >= 0 { closeFile(file) }
      return nil
    }
    descriptor = file
    self.identity = identity
  }

  deinit { close() }

  /// Closes the file. LMDB must have closed it before.
  func close() {
    if !isClosed { closeFile(descriptor) }
    isClosed = true
  }

  /// Whether the path still leads to this file.
  var isCurrent: Bool { FileIdentity(path: path) == identity }

  // MARK: The opening lock

  /// Opens the lock file that is in use for a store, and takes its opening lock: until it is
  /// released, nobody else opens the store.
  ///
  /// A lock file that others still use for an earlier file of the same name is left to them, and a
  /// new one takes its place.
  ///
  /// - Parameters:
  ///   - realPath: the store.
  ///   - path: the store as messages name it.
  ///   - milliseconds: the longest wait for another process; nil: as long as it takes.
  ///   - code: receives the error number if the file cannot be opened or locked.
  static func opening(
    _ realPath: String, of path: String, waitingFor milliseconds: Int? = nil, code: inout Int32
  ) throws(StoreError) -> LockFile? {
    while true {
      guard let file = LockFile(realPath, of: path, code: &code) else { return nil }
      code =
        if let milliseconds { file.beginOpening(within: milliseconds) } else {
          try file.beginOpening()
        }
      guard code == 0 else { return nil }
      // Another file took the place of this one, or of the store, while the process waited.
      guard file.isCurrent else { continue }
      guard file.isOfAnotherStore(than: FileIdentity(path: realPath)) else { return file }
      guard unlink(file.path) == 0 || errno == ENOENT else { throw file.isLeftOver(path) }
    }
  }

  private func isLeftOver(_ store: String) -> StoreError {
    StoreError(
      .inUse,
      message: "\(store) has replaced a file that a process still has open, and \(path), "
        + "which belongs to that file, cannot be removed: \(errorText(errno)); "
        + "end that process first")
  }

  /// Waits until no other process opens the store or has it to itself.
  ///
  /// - Returns: 0, or the error number.
  func beginOpening() throws(StoreError) -> Int32 {
    let code = setOpening(Int32(F_WRLCK), waits: false)
    switch code {
    // An old kernel has no locks of open files; `claim` alone then keeps openers apart.
    case EINVAL: return 0
    case EAGAIN:
      return try reportingWait { setOpening(Int32(F_WRLCK), waits: true) }
    default: return code
    }
  }

  /// Waits for the opening lock for a limited time. Returns 0, or the error number: EAGAIN when the
  /// time is over.
  private func beginOpening(within milliseconds: Int) -> Int32 {
    let start = MonotonicClock.milliseconds
    while true {
      let code = setOpening(Int32(F_WRLCK), waits: false)
      if code == EINVAL { return 0 }
      guard code == EAGAIN, MonotonicClock.milliseconds - start < milliseconds else { return code }
      usleep(Self.pause)
    }
  }

  /// Lets the next process open the store.
  func endOpening() { _ = setOpening(Int32(F_UNLCK), waits: false) }

  private func setOpening(_ type: Int32, waits: Bool) -> Int32 {
    RecordLock.set(type, on: descriptor, bytes: Self.openingByte, kind: .openFile, waits: waits)
  }

  // MARK: The first byte and the number of the process

  /// Takes the first byte for LMDB: exclusively if nobody has the store open, otherwise shared with
  /// those who have it open. LMDB's own request for it is then granted at once.
  ///
  /// An exclusive lock of another process is waited for without being queued for it, because its end
  /// does not tell whether the file was initialized.
  ///
  /// - Returns: 0, or the error number.
  func claim() throws(StoreError) -> Int32 {
    let code = tryClaim()
    guard code == EAGAIN else { return code }
    return try reportingWait {
      while true {
        let code = tryClaim()
        guard code == EAGAIN else { return code }
        usleep(Self.pause)
      }
    }
  }

  private func tryClaim() -> Int32 {
    let code = tryClaimAlone()
    guard code == EAGAIN else { return code }
    return RecordLock.set(
      Int32(F_RDLCK), on: descriptor, bytes: Self.firstByte, kind: .process)
  }

  /// Takes the first byte exclusively, if nobody else has the store open. Returns 0 or the error
  /// number.
  func tryClaimAlone() -> Int32 {
    RecordLock.set(Int32(F_WRLCK), on: descriptor, bytes: Self.firstByte, kind: .process)
  }

  /// Keeps the first byte, with a lock that LMDB cannot drop, and that LMDB in this process respects
  /// like that of another process: it then joins the users of the file.
  func keepFirstByte() -> Bool {
    RecordLock.hasOpenFileLocks
      && RecordLock.set(
        Int32(F_RDLCK), on: descriptor, bytes: Self.firstByte, kind: .openFile) == 0
  }

  /// Takes the byte by which LMDB knows that a process is alive: the one at the offset of its number.
  ///
  /// - Throws: `.numberTaken` if a process in another container has the store open under the same
  ///   number. LMDB would take each of the two for the other.
  func claimNumber() throws(StoreError) {
    let number = Int64(getpid())
    let code = RecordLock.set(
      Int32(F_WRLCK), on: descriptor, bytes: number..<number + 1, kind: .process)
    guard code == EAGAIN else { return }
    throw StoreError(
      .numberTaken,
      message: "\(store) is open in another container under the same process number, \(number), "
        + "so the two cannot share it; let the containers share their process numbers "
        + "(docker run --pid), or start the program there as the child of another one "
        + "(docker run --init), and try again")
  }

  // MARK: Marks

  /// Marks the lock file as in use for a store.
  func mark(_ store: FileIdentity) {
    guard RecordLock.hasOpenFileLocks else { return }
    _ = RecordLock.set(
      Int32(F_RDLCK), on: descriptor, bytes: Self.mark(of: store), kind: .openFile)
  }

  /// Removes the name of the file, unless it belongs to another file meanwhile.
  func giveUpName() {
    guard (try? beginOpening()) == 0 else { return }
    defer { endOpening() }
    if isCurrent { unlink(path) }
  }

  /// Whether processes use the lock file for a file that had the store's name before.
  private func isOfAnotherStore(than store: FileIdentity?) -> Bool {
    guard RecordLock.hasOpenFileLocks else { return false }
    guard let store else { return isMarked(in: Self.marks) }
    let own = Self.mark(of: store)
    return isMarked(in: Self.marks.lowerBound..<own.lowerBound)
      || isMarked(in: own.upperBound..<Self.marks.upperBound)
  }

  private func isMarked(in bytes: Range<Int64>) -> Bool {
    RecordLock.conflict(Int32(F_WRLCK), on: descriptor, bytes: bytes, kind: .openFile) != nil
  }

  private static func mark(of store: FileIdentity) -> Range<Int64> {
    let offset = marks.lowerBound + Int64(store.inode & UInt64(marks.count - 1))
    return offset..<offset + 1
  }

  // MARK: Replacing the store

  /// Replaces the store by a file that nobody has open, atomically and durably: after a crash it is
  /// one or the other. The caller holds the opening lock.
  func replaceStore(_ realPath: String, with temporary: String) throws(StoreError) {
    try makeDurable(temporary)
    unlink(temporary + "-lock")
    guard rename(temporary, realPath) == 0 else {
      throw writeFailure(errno, path: store)
        ?? StoreError(
          .io, message: "cannot rename \(temporary) to \(store): \(errorText(errno))")
    }
    // Those who wait to open the store have opened this lock file. As it is missing, they look again.
    unlink(path)
    try makeDurable(folder(of: realPath))
  }

  // MARK: The writer lock

  /// Takes Cairn's writer lock, unless another process has it.
  func tryWriterLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Releases Cairn's writer lock.
  func releaseWriterLock() { _ = flock(descriptor, LOCK_UN) }

  // MARK: Waiting

  /// Reports a wait for the process that has the store to itself, or is opening it.
  private func reportingWait(_ body: () -> Int32) throws(StoreError) -> Int32 {
    let descriptor = descriptor
    return try LockWaits.report(
      store, purpose: .open, holder: { LockHolder.ofFirstByte(descriptor) },
      during: { () throws(StoreError) in body() })
  }
}

private func closeFile(_ descriptor: Int32) { close(descriptor) }
