import CairnSystem

/// A temporary file without a name beside the store. It disappears with the process, however that
/// ends.
final class SpillFile: @unchecked Sendable {
  // Sendable: `lock` guards `end`; pread and pwrite take explicit offsets.
  private let descriptor: Int32
  private let lock = Lock()
  private var end = 0
  /// The path of the store.
  private let store: String

  init(beside store: String) throws(StoreError) {
    self.store = store
    let path = "\(store).load-\(getpid())-\(UInt32.random(in: .min ... .max))"
    let nameless = openNameless(in: folder(of: store))
    descriptor =
      nameless >= 0 ? nameless : openFile(path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    guard descriptor >= 0 else {
      let code = errno
      throw code == ENOSPC || code == EDQUOT
        ? diskFull("sorted rows for", store: store)
        : StoreError(
          .io, message: "cannot make a temporary file beside \(store): \(errorText(code))")
    }
    if nameless < 0 { unlink(path) }
  }

  deinit { close(descriptor) }

  /// Appends bytes and returns their offset.
  func append(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Int {
    let offset = reserve(bytes.count)
    try write(bytes, at: offset)
    return offset
  }

  /// Reserves space at the end and returns its offset.
  func reserve(_ count: Int) -> Int {
    lock.withLock {
      defer { end += count }
      return end
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pwrite(descriptor, base + done, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("write") }
      done += count
    }
  }

  /// Fills `bytes` from `offset`.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pread(descriptor, base + done, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("read") }
      done += count
    }
  }

  private func failure(_ doing: String) -> StoreError {
    let code = errno
    return code == ENOSPC || code == EDQUOT
      ? diskFull("sorted rows for", store: store)
      : StoreError(
        .io, message: "cannot \(doing) a temporary file beside \(store): \(errorText(code))")
  }
}
